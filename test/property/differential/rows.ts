import fc from 'fast-check';
import type { Row } from './model/filters.ts';
import { cellOf } from './model/filters.ts';
import { type Members, object, type Sent } from './sent.ts';
import { spelled } from './spelled.ts';
import { type Cell, type Column, isUnique, type Table } from './table.ts';
import { cells } from './values.ts';

/** Random rows that the table accepts, unless their keys already exist. */
export function rowsOf(table: Table): fc.Arbitrary<readonly Row[]> {
  const cell = (column: Column): fc.Arbitrary<Cell> => {
    if (isUnique(table, column.name)) return keyCells(column);
    return column.notNull ? cells(column.kind) : fc.option(cells(column.kind), { freq: 6 });
  };
  const row = fc
    .tuple(...table.columns.map((column) => cell(column).map((one) => [column.name, one] as const)))
    .map((entries): Row => Object.fromEntries(entries));
  return fc.array(row, { minLength: 2, maxLength: 10, size: 'max' });
}

/** A row as JSON that a client could send. */
export function recordOf(table: Table, row: Row): fc.Arbitrary<Members> {
  const entries = table.columns.map((column) => {
    const cell = cellOf(row, column.name);
    const sent: fc.Arbitrary<Sent> = cell === null ? fc.constant(null) : spelled(column.kind, cell);
    return sent.map((one) => [column.name, one] as const);
  });
  return fc.tuple(...entries).map((all) => object(...all));
}

/** A small set of keys, so that they often collide. No collation considers two of them equal. */
export function keyCells(column: Column): fc.Arbitrary<string> {
  const keysByKind: Record<string, readonly string[]> = {
    int: ['1', '2', '3', '4', '5', '6', '100'],
    varchar: ['a', 'A', 'ä', 'b', '😀', '1', ''],
  };
  const list = keysByKind[column.kind.is];
  const any = cells(column.kind, true);
  if (list === undefined) return any;
  return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...list) }, { weight: 1, arbitrary: any });
}

/** Random values for a column, mostly from existing rows. */
export function pooled(column: Column, rows: readonly Row[]): fc.Arbitrary<string> {
  const existing = rows.map((row) => cellOf(row, column.name)).filter((cell) => cell !== null);
  if (existing.length === 0) return cells(column.kind);
  return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...existing) }, { weight: 1, arbitrary: cells(column.kind) });
}
