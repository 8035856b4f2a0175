/** The selected cells: one cell, or a block that the user selects with Shift and the arrow keys. */
import { textOf } from '../ask/json.ts';
import type { Pages } from '../ask/pages.ts';
import type { Cell } from './cells.ts';
import type { Shown } from './widths.ts';

/** A block of cells; all edges are inclusive. */
export interface Block {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** The block between two cells. */
export const blockOf = (a: Cell, b: Cell): Block => ({
  top: Math.min(a.row, b.row),
  bottom: Math.max(a.row, b.row),
  left: Math.min(a.column, b.column),
  right: Math.max(a.column, b.column),
});

/** For more rows, a download is the better way. */
const mostRows = 1000;

/** A block's exact values as spreadsheets take them: one line per row, with tabs between values. Rows that are not loaded are left out. */
export function tsvOf({ top, bottom, left, right }: Block, pages: Pages, columns: readonly Shown[]): string {
  const rows = Array.from({ length: Math.min(bottom - top + 1, mostRows) }, (_, nth) => pages.row(top + nth) ?? []);
  const shown = columns.slice(left, right + 1);
  const isOne = rows.length === 1 && shown.length === 1;
  const lines = rows
    .filter(({ length }) => length > 0)
    .map((row) => shown.map(({ at }) => textOf(row[at] ?? null) ?? '').map((text) => (isOne ? text : quoted(text))));
  return lines.map((values) => values.join('\t')).join('\n');
}

const quoted = (text: string): string => (/["\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
