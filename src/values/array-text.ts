/** Pure. Parses PostgreSQL's array literals, such as `{1,NULL,"a\"b",{c}}`, which clients and servers send. */
import { textOf } from './utf16.ts';

/** An element as text, null for NULL, or an inner array. */
export type ArrayItem = string | null | readonly ArrayItem[];

/** Why a literal is refused: a syntax error, more than six dimensions (PostgreSQL's limit), or too many elements. */
export type NoArray = 'syntax' | 'deep' | 'many';

export const maxDimensions = 6;

/**
 * Reads an array in one pass over its text. It does not recurse, because a client may send a million braces.
 * @param maxItems limit of elements; inner arrays count, too
 */
export function readArray(text: string, maxItems: number): readonly ArrayItem[] | NoArray {
  const outer: ArrayItem[][] = [];
  let inner: ArrayItem[] | undefined;
  let whole: readonly ArrayItem[] | null = null;
  // The outermost array is counted like an element, so begin at -1.
  let items = -1;
  /** What may come next: after a comma only an element, after an element only a comma or the end, after an opening brace any of these. */
  let follows: 'either' | 'element' | 'end' = 'either';

  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (isBlank(code)) {
      at++;
      continue;
    }
    if (whole !== null) return 'syntax';
    if (code === comma || code === closing) {
      if (inner === undefined || follows === 'element' || (code === comma && follows === 'either')) return 'syntax';
      at++;
      follows = code === comma ? 'element' : 'end';
      if (code === comma) continue;
      const done: readonly ArrayItem[] = inner;
      inner = outer.pop();
      if (inner === undefined) whole = done;
      else inner.push(done);
      continue;
    }
    if (follows === 'end') return 'syntax';
    if (++items > maxItems) return 'many';
    if (code === opening) {
      if (inner !== undefined && outer.push(inner) === maxDimensions) return 'deep';
      inner = [];
      follows = 'either';
      at++;
      continue;
    }
    const end = code === quote ? quotedEnd(text, at) : bareEnd(text, at);
    if (inner === undefined || end === -1) return 'syntax';
    inner.push(code === quote ? unescaped(text.slice(at + 1, end - 1)) : bare(text, at, end));
    follows = 'end';
    at = end;
  }
  return whole ?? 'syntax';
}

const [quote, backslash, opening, closing, comma] = [0x22, 0x5c, 0x7b, 0x7d, 0x2c];

/** Whether PostgreSQL treats a character as white space. A no-break space is not: it belongs to the element. */
const isBlank = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d);

/** The index after the closing quote; -1 if there is none. */
function quotedEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) return at + 1;
    if (code === backslash) at++;
  }
  return -1;
}

/** The index after an unquoted element and its trailing blanks; -1 if it never ends, or contains a quote. */
function bareEnd(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === comma || code === closing) return at;
    if (code === quote || code === opening) return -1;
    if (code === backslash) at++;
  }
  return -1;
}

/** An unquoted element. Trailing blanks are not part of it, unless a backslash escapes them. */
function bare(text: string, start: number, behind: number): string | null {
  let end = behind;
  while (isBlank(text.charCodeAt(end - 1))) end--;
  if (end < behind && isEscaped(text, end)) end++;
  const all = text.slice(start, end);
  return all.length === 4 && all.toLowerCase() === 'null' ? null : unescaped(all);
}

/** Whether an odd number of backslashes precedes this index. */
function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === backslash) first--;
  return (at - first) % 2 === 1;
}

function unescaped(all: string): string {
  if (!all.includes('\\')) return all;
  const units = new Uint16Array(all.length);
  let length = 0;
  for (let at = 0; at < all.length; at++) {
    if (all.charCodeAt(at) === backslash) at++;
    units[length++] = all.charCodeAt(at);
  }
  return textOf(units, length);
}

/** Quotes and escapes an element for an array literal. */
export function quoted(element: string): string {
  if (!/[\\"]/.test(element)) return `"${element}"`;
  const units = new Uint16Array(element.length * 2);
  let length = 0;
  for (let at = 0; at < element.length; at++) {
    const code = element.charCodeAt(at);
    if (code === quote || code === backslash) units[length++] = backslash;
    units[length++] = code;
  }
  return `"${textOf(units, length)}"`;
}
