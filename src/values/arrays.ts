/** Converts JSON arrays to PostgreSQL's array literals, each element to the array's element type, so that no digit is rounded. */

import type { Type } from '../model/table.ts';
import type { Json } from '../model/value.ts';
import { maxDimensions, quoted, readArray } from './array-text.ts';
import type { Converted } from './converted.ts';
import { isList } from './json.ts';

type Convert = (json: Json, type: Type) => Converted;

/** The most elements in an array literal; JSON lists have the same limit. */
const maxElements = 100_000;

const wrong = (text: string): Converted => ({ is: 'wrong', text });
const tooDeep = wrong(`number of array dimensions exceeds the maximum allowed (${maxDimensions})`);
const tooMany = wrong(`an array must have at most ${maxElements} elements`);

/** Converts a JSON array, or an array literal such as `{1,NULL,"a b"}`. Null for any other value, and if rows have different lengths. */
export function arrayOf(json: Json, of: Type, convert: Convert): Converted | null {
  const items = isList(json) ? json : typeof json === 'string' ? readArray(json, maxElements) : null;
  if (items === 'deep') return tooDeep;
  if (items === 'many') return tooMany;
  if (items === null || items === 'syntax') return null;
  // In an array of JSON documents, even a list is one element, and no inner array.
  if (of.kind === 'json') return literal(items, of, convert);
  const lengths = dimensions(items);
  if (lengths !== null && lengths.length > maxDimensions) return tooDeep;
  return lengths === null || !isEven(items, lengths, 0) ? null : literal(items, of, convert);
}

function literal(items: readonly Json[], of: Type, convert: Convert): Converted {
  const parts: string[] = [];
  for (const item of items) {
    if (item === null) {
      parts.push('NULL');
      continue;
    }
    const nested = isList(item) && of.kind !== 'json';
    const converted = nested ? literal(item, of, convert) : convert(item, of);
    if (converted.is !== 'value') return converted;
    const text = typeof converted.value === 'string' ? converted.value : hex(converted.value);
    parts.push(nested ? text : quoted(text));
  }
  return { is: 'value', value: `{${parts.join(',')}}` };
}

/** Bytes in the text form `\x…` that all our engines use. */
export function hex(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`;
}

/** The lengths of an array's dimensions, outermost first, taken from each dimension's first item; null if an inner array is empty. */
function dimensions(items: readonly Json[]): readonly number[] | null {
  const lengths = [items.length];
  let [first] = items;
  while (first !== undefined && isList(first) && lengths.length <= maxDimensions) {
    if (first.length === 0) return null;
    lengths.push(first.length);
    [first] = first;
  }
  return lengths;
}

/** Whether all inner arrays of a dimension have the same length, as PostgreSQL requires. */
function isEven(items: readonly Json[], lengths: readonly number[], level: number): boolean {
  if (items.length !== lengths[level]) return false;
  const isInnermost = level === lengths.length - 1;
  return items.every((item) => (isInnermost ? !isList(item) : isList(item) && isEven(item, lengths, level + 1)));
}
