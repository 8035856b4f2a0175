/** Pure. Reads as texts, to find again by them what belongs to a read. */
import { isRank, type Read, type Shown, type Where } from './plan.ts';
import type { BoundValue } from './value.ts';

/** The name of what a search counts: its pages, in whatever order, have one total. */
export function totalKeyOf({ table, where, searches, distinct, columns }: Read): string {
  const sought = searches.map(({ column, query, by, language }) => [column?.name ?? null, query, by, language]);
  const shown = distinct ? columns.map((one) => (isRank(one) ? null : one.name)) : null;
  return JSON.stringify([table.resource, named(where), sought, shown]);
}

/** More values make a read too long to be named: ten thousand take a millisecond, and hardly come again. */
const mostValues = 100;

/** The name of a search of one table: two with the same name are the same question. Null for one with many values. */
export function readKeyOf(read: Read): string | null {
  if (valuesIn(read.where) > mostValues) return null;
  const { columns, sort, breaksTies, after, limit, offset, distinct, withCursor } = read;
  const order = sort.map(({ by, direction, nulls }) => [nameOf(by), direction, nulls]);
  const place = [after?.map((value) => (value === null ? null : text(value))) ?? null, limit, offset];
  return JSON.stringify([totalKeyOf(read), columns.map(nameOf), order, breaksTies, place, distinct, withCursor]);
}

function valuesIn(where: Where): number {
  if (where.op === 'all' || where.op === 'any') return where.of.reduce((sum, part) => sum + valuesIn(part), 0);
  return where.op === 'not' ? valuesIn(where.of) : where.op === 'in' ? where.values.length : 1;
}

/** No column is an array. */
const nameOf = (shown: Shown): unknown => (isRank(shown) ? [shown.label] : shown.name);

/** A condition with its columns by their names. */
function named(where: Where): unknown {
  switch (where.op) {
    case 'all':
    case 'any':
      return [where.op, where.of.map(named)];
    case 'not':
      return [where.op, named(where.of)];
    case 'in':
      return [where.op, where.column.name, where.values.map(text)];
    case 'null':
      return [where.op, where.column.name];
    case 'like':
      return [where.op, where.column.name, where.pattern, where.folds];
    default:
      return [where.op, where.column.name, text(where.value)];
  }
}

/** Bytes and texts of one column are never the same value. */
const text = (value: BoundValue): unknown =>
  typeof value === 'string' ? value : [Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')];
