/** The grid's columns. */
import { type Column, columnsOf } from '../ask/columns.ts';
import type { Labels } from '../ask/labels.ts';
import type { Pages } from '../ask/pages.ts';
import type { Question } from '../ask/question.ts';
import type { Table } from '../ask/table.ts';
import { linkOf } from '../parts/links.ts';
import { lookOf } from '../parts/looks.ts';
import { type Shown, widthOf } from './widths.ts';

/** How many of the first rows are checked to recognize a column of addresses. */
const sampleRows = 50;

/**
 * The columns that the user chose, as far as the response has them. The one that names a record comes first. Before the first response, these
 * are the table's columns.
 * @param before the widest widths so far, which are updated: a column never becomes narrower
 * @param chosen the widths that the user has chosen
 */
export function shownColumns(
  table: Table,
  pages: Pages,
  { fields, sort }: Question,
  labels: Labels,
  before: Map<string, number>,
  chosen: Readonly<Record<string, number>>,
): readonly Shown[] {
  const answered = pages.first === null ? null : columnsOf(pages.first.result.fields).map(({ name }) => name);
  const wanted = table.columns.filter(
    ({ name }) => (fields?.includes(name) ?? true) && (answered?.includes(name) ?? true),
  );
  const label = wanted.filter(({ name }) => name === table.label);
  return [...label, ...wanted.filter((one) => !label.includes(one))].map((column) => {
    const at = answered?.indexOf(column.name) ?? -1;
    const extent = pages.extents[at];
    const referred = labels.referredOf(column.name);
    const look = lookOf(column, table, at >= 0 && hasLinks(column, pages, at));
    const isNumber = column.kind === 'number' && referred === null;
    const isCompared = sort[0]?.field === column.name && look.isGrouped && extent !== undefined;
    const largest = isCompared && extent.smallest === 0 && extent.largest > 0 ? extent.largest : null;
    const longest = Math.max(extent?.longest ?? 0, labels.longestOf(column.name));
    const { width, decimals } = widthOf({ column, look, isNumber, largest }, extent && { ...extent, longest });
    // The records' names are bold, and so take more room.
    const needed = label.includes(column) ? Math.round(width * 1.06) : width;
    const widest = Math.max(needed, before.get(column.name) ?? 0);
    before.set(column.name, widest);
    return { column, at, look, isNumber, referred, decimals, largest, width: chosen[column.name] ?? widest };
  });
}

function hasLinks({ kind }: Column, pages: Pages, at: number): boolean {
  if (kind !== 'text') return false;
  const values = Array.from({ length: Math.min(sampleRows, pages.length) }, (_, row) => pages.row(row)?.[at] ?? '');
  const texts = values.filter((value) => typeof value === 'string' && value !== '');
  return texts.length > 0 && texts.every((value) => typeof value === 'string' && linkOf(value) !== null);
}
