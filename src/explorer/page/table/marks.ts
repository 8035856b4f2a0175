/** The marked records, to do something with all of them. */
import type { JsonObject } from '../ask/json.ts';

/** The filters that find each record by its key, by their JSON. */
export type Marked = ReadonlyMap<string, JsonObject>;

/** Records that can be marked at once: one call deletes them all, and the API takes no more than 100 operations of filters. */
export const mostMarked = ({ length }: readonly string[]): number => (length > 1 ? Math.floor(99 / (length + 1)) : 100);

export const noMarks: Marked = new Map();

/** The marks with those of more records, as far as there may be more. A single one that is marked already loses its mark. */
export function marksWith(marked: Marked, records: readonly JsonObject[], most: number): Marked {
  const added = records.map((filters) => [JSON.stringify(filters), filters] as const);
  const [first, ...others] = added;
  if (first !== undefined && others.length === 0 && marked.has(first[0]))
    return new Map([...marked].filter(([name]) => name !== first[0]));
  return new Map([...new Map([...marked, ...added])].slice(0, most));
}
