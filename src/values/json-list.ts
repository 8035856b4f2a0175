/** Pure. Finds the items of a list in the bytes of a JSON object, without parsing them. */
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
 * Finds a member of the outermost object.
 * @param most the number of bytes to look at
 * @returns null if there is no such list in them
 */
export function jsonList(bytes: Buffer, member: string, most: number): JsonList | null {
  // One character per byte. The bytes of other characters than ASCII are none of those that matter here.
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
