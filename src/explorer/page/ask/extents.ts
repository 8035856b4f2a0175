/** How much space each column's values need, and how large its numbers are, over all rows read so far. */
import type { Column } from './columns.ts';
import { textOf } from './json.ts';
import type { Row } from './pages.ts';

export interface Extent {
  /** The longest value's length in characters. */
  readonly longest: number;
  /** The most characters before a decimal point. */
  readonly whole: number;
  /** The most digits after a decimal point. */
  readonly decimals: number;
  /** The largest number, and the smallest if it is below 0. */
  readonly largest: number;
  readonly smallest: number;
}

const none: Extent = { longest: 0, whole: 0, decimals: 0, largest: 0, smallest: 0 };

/**
 * Adds rows. Documents count on the first page only, because measuring one means serializing all of it.
 * @returns the same array if nothing grew, so that nothing is rendered again
 */
export function extentsWith(
  before: readonly Extent[],
  columns: readonly Column[],
  rows: readonly Row[],
): readonly Extent[] {
  const after = columns.map(({ kind }, at) => {
    const was = before[at] ?? none;
    if (before.length > 0 && kind === 'other') return was;
    return rows.reduce((so, row) => larger(so, extentOf(textOf(row[at] ?? null) ?? '')), was);
  });
  return after.some((one, at) => one !== before[at]) ? after : before;
}

function extentOf(text: string): Extent {
  const [, whole = '', decimals = ''] = /^(-?\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  const number = whole === '' ? 0 : Number(text);
  return {
    longest: text.length,
    whole: whole.length,
    decimals: decimals.length,
    largest: Math.max(0, number),
    smallest: Math.min(0, number),
  };
}

function larger(a: Extent, b: Extent): Extent {
  const isIn =
    a.longest >= b.longest &&
    a.whole >= b.whole &&
    a.decimals >= b.decimals &&
    a.largest >= b.largest &&
    a.smallest <= b.smallest;
  if (isIn) return a;
  return {
    longest: Math.max(a.longest, b.longest),
    whole: Math.max(a.whole, b.whole),
    decimals: Math.max(a.decimals, b.decimals),
    largest: Math.max(a.largest, b.largest),
    smallest: Math.min(a.smallest, b.smallest),
  };
}
