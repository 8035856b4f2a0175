/** How much space the values of each column need, over all rows read so far. */
import type { Column } from './columns.ts';
import { textOf } from './json.ts';
import type { Row } from './pages.ts';

export interface Extent {
  /** Length of the longest value in characters. */
  readonly longest: number;
  /** Most characters before a decimal point. */
  readonly whole: number;
  /** Most digits after a decimal point. */
  readonly decimals: number;
}

const none: Extent = { longest: 0, whole: 0, decimals: 0 };

/**
 * Adds rows. After the first page only numbers and times may widen a column: a number that is cut off reads as a different number,
 * while a text that is cut off ends with an ellipsis.
 * @returns the same array if nothing grew, so that nothing is rendered again
 */
export function extentsWith(
  before: readonly Extent[],
  columns: readonly Column[],
  rows: readonly Row[],
): readonly Extent[] {
  const after = columns.map(({ kind }, at) => {
    const was = before[at] ?? none;
    if (before.length > 0 && kind !== 'number' && kind !== 'time') return was;
    return rows.reduce((so, row) => larger(so, extentOf(textOf(row[at] ?? null) ?? '')), was);
  });
  return after.some((one, at) => one !== before[at]) ? after : before;
}

function extentOf(text: string): Extent {
  const [, whole = '', decimals = ''] = /^(-?\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  return { longest: text.length, whole: whole.length, decimals: decimals.length };
}

function larger(a: Extent, b: Extent): Extent {
  if (a.longest >= b.longest && a.whole >= b.whole && a.decimals >= b.decimals) return a;
  const larger = (of: keyof Extent) => Math.max(a[of], b[of]);
  return { longest: larger('longest'), whole: larger('whole'), decimals: larger('decimals') };
}
