import type { Cell } from '../../../model/value.ts';
import type { TypedColumn } from '../format.ts';

/** The width of dates and times, which does not depend on their values. */
const fixed: Readonly<Record<string, number>> = { date: 11, timestamp: 19, time: 10 };
const [least, most] = [8, 60];

/** The width of a column in characters: that of its name and its widest value among these rows. */
export function widthOf({ name, type, encoder }: TypedColumn, rows: readonly (readonly Cell[])[], at: number): number {
  const lengths = rows.map((row) => fixed[type.kind] ?? encoder.plain(row[at] ?? null)?.length ?? 0);
  // The header also needs room for the filter button.
  return Math.min(most, Math.max(least, name.length + 4, ...lengths) + 1);
}
