import { useRef } from 'preact/hooks';
import type { JsonObject } from '../ask/json.ts';
import { addMarks, type Marked, maxMarked, rowsBetween } from '../ask/marks.ts';

export interface Marks {
  isMarked(row: number): boolean;
  /** @param isFurther whether to mark all rows since the last marked one (Shift) */
  mark(row: number, isFurther: boolean): void;
}

/**
 * The grid's checkboxes, which mark records for deletion.
 * @param key the table's key columns
 * @param rowOf returns the filters that find a row's record; null if the row is not loaded
 */
export function useMarks(
  key: readonly string[],
  marked: Marked,
  rowOf: (row: number) => JsonObject | null,
  onMarked: (marked: Marked) => void,
): Marks {
  const lastMarked = useRef(0);
  const most = maxMarked(key);
  return {
    isMarked: (row) => marked.size > 0 && marked.has(JSON.stringify(rowOf(row))),
    mark(row, isFurther) {
      const rows = rowsBetween(isFurther && marked.size > 0 ? lastMarked.current : row, row, most);
      const records = rows.map(rowOf).filter((one) => one !== null);
      lastMarked.current = row;
      onMarked(addMarks(marked, records, most));
    },
  };
}
