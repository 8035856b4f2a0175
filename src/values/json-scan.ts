/** Pure. Scans raw JSON text before it is parsed: enforces limits, counts members, finds numbers that a double would change. */
import { malformed } from '../model/errors.ts';
import { truncate } from './truncate.ts';

/**
 * Limit of members and items in one JSON text, because it is parsed in one go, and the slowest take a microsecond each. (A call may have
 * more records: these are parsed in slices, see `accept/large-json.ts`.)
 */
const maxValues = 100_000;
/** Limit of the members of all objects together; it is lower, because each object builds a hash table of its names. */
const maxMembers = 50_000;
/** Limit of numbers such as `1.50`, which a double would print differently: each is parsed twice. */
const maxExactNumbers = 40_000;
/** Limit of characters of one number: no engine has numbers with more digits. */
const maxNumberCharacters = 150_000;
const exceptRecords = 'beside the records of a call, or in one of them';

/**
 * Scans raw JSON text. `members` counts the colons outside of strings. `JSON.parse` drops duplicate keys, so if it returns fewer members,
 * there were some. `respelled` has the start and end of each number that a double would print differently, such as `1.50`.
 */
export function scan(
  text: string,
  maxDepth: number,
): { readonly members: number; readonly respelled: readonly number[] } {
  const respelled: number[] = [];
  let depth = 0;
  let members = 0;
  let values = 1;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x22) i = stringEnd(text, i);
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > maxDepth) throw malformed(`JSON Error: nested deeper than ${maxDepth} levels (limits.depth)`);
    } else if (code === 0x7d || code === 0x5d) depth--;
    else if (code === 0x3a) {
      if (++members > maxMembers)
        throw malformed(`JSON Error: more than ${maxMembers} members of objects ${exceptRecords}`);
    } else if (code === 0x2c) {
      if (++values > maxValues) throw malformed(`JSON Error: more than ${maxValues} values ${exceptRecords}`);
    } else if ((code >= 0x30 && code <= 0x39) || code === 0x2d) {
      const start = i;
      while (i - start < maxNumberCharacters && isNumberPart(text.charCodeAt(i + 1))) i++;
      if (i - start >= maxNumberCharacters)
        throw malformed(`JSON Error: a number of more than ${maxNumberCharacters} characters`);
      if (!isRespelled(text, start, i)) continue;
      if (respelled.push(start, i + 1) > 2 * maxExactNumbers)
        throw malformed(
          `JSON Error: more than ${maxExactNumbers} numbers such as ${truncate(text.slice(start, i + 1))} ${exceptRecords}`,
        );
    }
  }
  return { members, respelled };
}

function isNumberPart(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x2e || code === 0x2b || code === 0x2d || (code | 0x20) === 0x65;
}

/** We test this many characters one by one before we call `indexOf`, because a call costs as much as that many tests. */
const linearCharacters = 32;

/** The index of the closing quote; the length of the text if there is none. */
export function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    for (const near = at + linearCharacters; at < near; at++) {
      const code = text.charCodeAt(at);
      if (code === 0x22) return at;
      if (code === 0x5c) at++;
    }
    const quote = text.indexOf('"', at);
    if (quote === -1) return text.length;
    if (quote === at || text.charCodeAt(quote - 1) !== 0x5c) return quote;
    for (; at < quote; at++) if (text.charCodeAt(at) === 0x5c) at++;
    if (at === quote) return quote;
    at = quote;
  }
  return text.length;
}

/** Whether a double would print this number differently: `1.50`, `1e3`, `-0`, and long digits. */
function isRespelled(text: string, start: number, last: number): boolean {
  if (last === start) return false;
  if (last - start >= 15) return !isDouble(text.slice(start, last + 1));
  const first = text.charCodeAt(start) === 0x2d ? start + 1 : start;
  const zero = text.charCodeAt(first) === 0x30;
  if (zero && last === first) return true;
  let fraction = false;
  for (let i = first; i <= last; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x39) return true;
    if (code === 0x2e) fraction = true;
  }
  // Below 0.000001 a double prints with an exponent.
  return (
    fraction && (text.charCodeAt(last) === 0x30 || (zero && last - first > 7 && text.startsWith('0.000000', first)))
  );
}

/** Whether a double prints exactly as this text. No double prints with more than 24 characters. */
function isDouble(text: string): boolean {
  return text.length <= 24 && String(Number(text)) === text;
}
