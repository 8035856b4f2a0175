/** Pure. JSON text → value, exact to the digit (docs/data-types.md). */
import { LosslessNumber, stringify } from 'lossless-json';
import { malformed } from '../model/errors.ts';
import type { Json, JsonObject } from '../model/value.ts';
import { short } from './truncate.ts';

/** `reason`: the text is not JSON. JSON beyond our limits is a Refusal instead. */
export type Parsed = { readonly value: Json } | { readonly reason: string };

/**
 * Limit of members and items in one text. They are read in one go, and the worst of them take a microsecond each. The records
 * of a call, which may be many, are read in slices (`accept/large-json.ts`).
 */
const mostValues = 100_000;
/** Limit of members of all its objects: the names of each object are a hash table. */
const mostMembers = 50_000;
/** Limit of numbers in one text that a double would respell: each is read twice. */
const mostExact = 40_000;
/** Limit of characters of a number: no engine has numbers of more digits. */
const longest = 150_000;
const where = 'beside the records of a call, or in one of them';

/**
 * Reads text that must be JSON.
 * @param maxDepth limit of nested arrays and objects
 * @throws Refusal malformed, in CKAN's wording (contract 1.3): not JSON, too deep, too many values, a key twice in one object
 */
export function parseJson(text: string, maxDepth: number): Json {
  return must(readJson(text, maxDepth));
}

/** The parsed value. @throws Refusal malformed if the text was not JSON */
export function must(parsed: Parsed): Json {
  if ('value' in parsed) return parsed.value;
  throw malformed(
    `JSON Error: Error decoding JSON data. Error: JSONDecodeError('${parsed.reason}') ` +
      'JSON data extracted from the request: {}',
  );
}

/**
 * Reads text that may be JSON. A number that a double would respell becomes a `LosslessNumber`.
 *
 * `JSON.parse` does all of the parsing. If there are exact numbers, it parses a text in which each of them is a marked string.
 * (`lossless-json` reads a string character by character: ten megabytes of one took it 3.5 s.)
 * @throws Refusal malformed for JSON that is too deep, has too many values, or has an ambiguous duplicate key
 */
export function readJson(source: string, maxDepth: number): Parsed {
  const text = source.startsWith('\uFEFF') ? source.slice(1) : source;
  const { members, respelled } = scan(text, maxDepth);
  const parsed = exact(text, respelled) ?? native(text);
  if ('reason' in parsed) return parsed;
  if (membersIn(parsed.value) !== members) throw malformed(`JSON Error: duplicate key ${duplicateKey(text)}`);
  return parsed;
}

/**
 * Parses text with numbers that a double would respell. Null where there are none, and where the text is not JSON.
 * @param ends the start and end of each of these numbers, in turn
 */
function exact(text: string, ends: readonly number[]): Parsed | null {
  if (ends.length === 0) return null;
  const mark = crypto.randomUUID().slice(24);
  try {
    const read: Fresh[] = [JSON.parse(marked(text, ends, mark))];
    // `{1.50: 1}` is not JSON, nor is `[1.5.0]`, which is no valid LosslessNumber.
    return unmark(read, mark) * 2 === ends.length ? { value: read[0] ?? null } : null;
  } catch {
    return null;
  }
}

function native(text: string): Parsed {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    // Newer engines add the line and column; the answer must not depend on the engine's version.
    return { reason: error instanceof Error ? error.message.replace(/ \(line \d+ column \d+\)$/, '') : 'not JSON' };
  }
}

/** A freshly parsed value without other references, which may be modified. */
type Fresh = Exclude<Json, object> | LosslessNumber | Fresh[] | { [name: string]: Fresh };

/** The text with these numbers as strings that begin with `mark`. */
function marked(text: string, ends: readonly number[], mark: string): string {
  let all = '';
  let last = 0;
  let isNumber = false;
  for (const end of ends) {
    all += isNumber ? `"${mark}${text.slice(last, end)}"` : text.slice(last, end);
    last = end;
    isNumber = !isNumber;
  }
  return all + text.slice(last);
}

/** Replaces the marked strings by their numbers and counts them. The mark is random, so no text of a client begins with it. */
function unmark(inside: Fresh[] | { [name: string]: Fresh }, mark: string): number {
  let count = 0;
  const place = (member: Fresh): LosslessNumber | null => {
    if (typeof member === 'string' && member.startsWith(mark)) {
      count++;
      return new LosslessNumber(member.slice(mark.length));
    }
    if (typeof member === 'object' && member !== null && !(member instanceof LosslessNumber))
      count += unmark(member, mark);
    return null;
  };
  if (Array.isArray(inside)) {
    for (const [at, item] of inside.entries()) inside[at] = place(item) ?? item;
    return count;
  }
  for (const name in inside) {
    const number = place(inside[name] ?? null);
    // A member `__proto__` is an own property here, so assigning to it is safe.
    if (number !== null) inside[name] = number;
  }
  return count;
}

/**
 * One pass over the raw text, before anything is built from it. `JSON.parse` drops a duplicate key, but its colon remains in
 * the text: `members` counts the colons outside strings. `respelled`: the start and end of each number that a double would
 * respell, in turn.
 */
function scan(text: string, maxDepth: number): { readonly members: number; readonly respelled: readonly number[] } {
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
      if (++members > mostMembers) throw malformed(`JSON Error: more than ${mostMembers} members of objects ${where}`);
    } else if (code === 0x2c) {
      if (++values > mostValues) throw malformed(`JSON Error: more than ${mostValues} values ${where}`);
    } else if ((code >= 0x30 && code <= 0x39) || code === 0x2d) {
      const start = i;
      while (isNumberPart(text.charCodeAt(i + 1))) i++;
      if (i - start >= longest) throw malformed(`JSON Error: a number of more than ${longest} characters`);
      if (!isRespelled(text, start, i)) continue;
      if (respelled.push(start, i + 1) > 2 * mostExact)
        throw malformed(
          `JSON Error: more than ${mostExact} numbers such as ${short(text.slice(start, i + 1))} ${where}`,
        );
    }
  }
  return { members, respelled };
}

function isNumberPart(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x2e || code === 0x2b || code === 0x2d || (code | 0x20) === 0x65;
}

/** Characters that are tested one by one before `indexOf`: one search costs as much as so many tests. */
const few = 32;

/** The index of the closing quote; the length of the text where there is none. */
export function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    for (const near = at + few; at < near; at++) {
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

/** Whether a double would not print as this number: `1.50`, `1e3`, `-0`, and long digits. */
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

/** Whether a double prints as this number. The longest such text has 24 characters. */
function isDouble(text: string): boolean {
  return text.length <= 24 && String(Number(text)) === text;
}

/** JSON text of a value, with every received digit. Uses the slow `lossless-json` only where a number kept its text. */
export function toJson(value: Json): string {
  return (isExact(value) ? JSON.stringify(value) : stringify(value)) ?? 'null';
}

function isExact(value: Json): boolean {
  if (isList(value)) return value.every(isExact);
  if (!isObject(value)) return !(value instanceof LosslessNumber);
  for (const name in value) if (!isExact(value[name] ?? null)) return false;
  return true;
}

/** Objects here come from `JSON.parse`; `for in` walks them ten times faster than their entries. */
function membersIn(value: Json): number {
  let count = 0;
  if (isList(value)) for (const item of value) count += membersIn(item);
  else if (isObject(value)) for (const name in value) count += 1 + membersIn(value[name] ?? null);
  return count;
}

/** `Array.isArray` does not narrow readonly arrays. */
export function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

export function isObject(value: Json | undefined): value is JsonObject {
  return (
    value !== undefined &&
    value !== null &&
    typeof value === 'object' &&
    !isList(value) &&
    !(value instanceof LosslessNumber)
  );
}

/** The first duplicate key in an object of valid JSON. (`lossless-json` accepts duplicates with equal values.) */
function duplicateKey(text: string): string {
  const open: Set<string>[] = [];
  const colon = /[ \t\r\n]*:/y;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (char === '{') open.push(new Set());
    else if (char === '}') open.pop();
    else if (char === '"') {
      const start = i;
      i = stringEnd(text, start);
      colon.lastIndex = i + 1;
      if (!colon.test(text)) continue;
      const key = JSON.stringify(JSON.parse(text.slice(start, i + 1)));
      if (open.at(-1)?.has(key)) return short(key);
      open.at(-1)?.add(key);
    }
  }
  return 'in an object';
}
