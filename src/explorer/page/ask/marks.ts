/** The records marked for deletion. */
import type { JsonObject } from './json.ts';

/** For each marked record, the filters that find it by its key. The map is keyed by the filters' JSON. */
export type Marked = ReadonlyMap<string, JsonObject>;

/** How many records can be marked: one call deletes them all, and the API takes at most 100 filter operations. */
export const maxMarked = ({ length }: readonly string[]): number => (length > 1 ? Math.floor(99 / (length + 1)) : 100);

export const noMarks: Marked = new Map();

/** The rows between two rows, inclusive. Starts at `from`, and returns at most as many as can be marked. */
export function rowsBetween(from: number, to: number, most: number): readonly number[] {
  const length = Math.min(Math.abs(to - from) + 1, most);
  return Array.from({ length }, (_, nth) => from + nth * Math.sign(to - from));
}

/** Adds marks, up to the limit. A single record that is already marked is unmarked. */
export function addMarks(marked: Marked, records: readonly JsonObject[], most: number): Marked {
  const added = records.map((filters) => [JSON.stringify(filters), filters] as const);
  const [first, ...others] = added;
  if (first !== undefined && others.length === 0 && marked.has(first[0]))
    return new Map([...marked].filter(([name]) => name !== first[0]));
  return new Map([...new Map([...marked, ...added])].slice(0, most));
}
