/** Pure. Finds where a list's items are in the bytes of a JSON object, without parsing the object. */
import { stringEnd } from './json-scan.ts';

/** Positions are in bytes. */
export interface JsonList {
  /** Where the first item begins. */
  readonly begin: number;
  /** Where each item ends. */
  readonly ends: readonly number[];
  /** Where the list ends; null if that is after the part that was looked at. */
  readonly end: number | null;
}

/**
 * Finds a list by its name in the outermost object.
 * @param most how many bytes to look at
 * @returns null if these bytes contain no such list
 */
export function jsonList(bytes: Buffer, member: string, most: number): JsonList | null {
  // Latin-1 makes one character of each byte. Bytes of non-ASCII characters can't be mistaken for the characters that we look for.
  const text = bytes.toString('latin1', 0, most);
  const key = `"${member}":[`;
  const ends: number[] = [];
  let begin: number | null = null;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (char === '"') {
      if (begin === null && depth === 1 && text.startsWith(key, i)) begin = i + key.length;
      i = stringEnd(text, i);
    } else if (char === '{' || char === '[') depth++;
    else if (char === ',' && begin !== null && depth === 2) ends.push(i);
    else if (char === '}' || char === ']') {
      depth--;
      if (begin === null || depth > 1) continue;
      if (i > begin) ends.push(i);
      return { begin, ends, end: i };
    }
  }
  return begin === null ? null : { begin, ends, end: null };
}
