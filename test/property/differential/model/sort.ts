import { isText, type Kind, type Table } from '../table.ts';
import { type Order, Refused } from './answer.ts';
import { compareCells, padsToAnother } from './compare.ts';
import { cellOf, type Row } from './filters.ts';
import { named } from './names.ts';

interface SortKey {
  readonly name: string;
  readonly kind: Kind;
  order(a: Row, b: Row): number;
}

const form = /^(.*?)(?:\s+(asc|desc))?(?:\s+nulls\s+(first|last))?\s*$/is;

/** Parses one clause of `sort`. */
export function sortKey(table: Table, clause: string): SortKey {
  const whole = named(table, clause);
  const [, name = '', direction = 'asc', nulls] = form.exec(clause) ?? [];
  const one = whole ?? named(table, name);
  if (one === undefined) throw new Refused({ sort: `invalid value "${clause}"` });
  const descending = whole === undefined && direction.toLowerCase() === 'desc';
  const first = nulls === undefined ? descending : nulls.toLowerCase() === 'first';
  const { name: own, kind } = one.column;
  return { name: own, kind, order: (a, b) => compareCells(kind, cellOf(a, own), cellOf(b, own), descending, first) };
}

/** Sorts the rows by `before`, then by the sort keys; the table's key breaks ties. */
export function sorted(
  table: Table,
  rows: readonly Row[],
  keys: readonly SortKey[],
  before: readonly SortKey['order'][] = [],
): readonly Row[] {
  const orders = [...keys, ...table.key.map((name) => sortKey(table, `"${name}"`))].map(({ order }) => order);
  return [...rows].sort((a, b) => [...before, ...orders].map((order) => order(a, b)).find((n) => n !== 0) ?? 0);
}

/** What is guaranteed about the order when `shown` of these rows are returned. */
export function promised(table: Table, rows: readonly Row[], keys: readonly SortKey[], shown: number): Order {
  const texts = keys.filter(({ kind }) => isText(kind));
  const ordered = !texts.some(({ name }) => padsToAnother(rows.map((row) => cellOf(row, name) ?? '')));
  if (table.key.length > 0 && ordered) return 'total';
  return shown === rows.length ? 'free' : 'cut';
}
