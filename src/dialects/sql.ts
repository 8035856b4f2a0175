import type { Values } from '../model/dialect/edit.ts';
import { type Comparison, columnsOf, isRank, type RangeOp, type Read, type Where } from '../model/plan.ts';
import type { Column } from '../model/table.ts';
import { type Expression, flat, id, joined, type Knex, type Operand, raw, Slot, type Value } from './knex.ts';

/** Compiles a filter; `compare` compiles each comparison. Null if the filter lets every record through. */
export function condition(where: Where, compare: (comparison: Comparison) => Expression): Expression | null {
  return isOpen(where) ? null : written(where, compare);
}

function written(where: Where, compare: (comparison: Comparison) => Expression): Expression {
  switch (where.op) {
    case 'all':
    case 'any': {
      const [first, ...others] = where.of.filter((part) => !isOpen(part)).map((part) => written(part, compare));
      if (first === undefined) return raw('FALSE');
      return others.length === 0 && where.op === 'all'
        ? first
        : joined([first, ...others], where.op === 'all' ? ' AND ' : ' OR ');
    }
    case 'not':
      // IS NOT TRUE instead of NOT: a comparison with NULL counts as false, so its negation is true.
      return isOpen(where.of) ? raw('FALSE') : raw('(? IS NOT TRUE)', [written(where.of, compare)]);
    default:
      return compare(where);
  }
}

function isOpen(where: Where): boolean {
  if (where.op === 'all') return where.of.every(isOpen);
  return where.op === 'any' && where.of.some(isOpen);
}

export const sign: Readonly<Record<RangeOp, string>> = { gt: '>', gte: '>=', lt: '<', lte: '<=' };

/** Adds conditions to a query, all of which must hold. */
export function where(knex: Knex, query: Knex.QueryBuilder, conditions: readonly Expression[]): Knex.QueryBuilder {
  for (const one of conditions) query.whereRaw(...flat(knex, one));
  return query;
}

/** Selects outputs. Without any it selects NULL, because knex would then select all columns. */
export function select(knex: Knex, query: Knex.QueryBuilder, outputs: readonly Operand[]): Knex.QueryBuilder {
  const names = outputs.filter((one) => typeof one === 'string');
  if (names.length === outputs.length && names.length > 0) return query.select(names);
  return query.select(knex.raw(...flat(knex, outputs.length === 0 ? raw('NULL') : raw('??', [outputs]))));
}

/** Appends to the ORDER BY of a query. `nulls` is empty, or a suffix such as ` NULLS first`. */
export const orderBy = (
  knex: Knex,
  query: Knex.QueryBuilder,
  operand: Operand,
  direction: 'asc' | 'desc' = 'asc',
  nulls = '',
): Knex.QueryBuilder =>
  typeof operand === 'string' && nulls === ''
    ? query.orderBy(operand, direction)
    : query.orderByRaw(...flat(knex, raw(`?? ${direction}${nulls}`, [operand])));

/** Adds LIMIT and OFFSET as literal numbers, because COPY takes no bindings. */
export const page = (query: Knex.QueryBuilder, limit: number, offset = 0): Knex.QueryBuilder =>
  query.limit(limit, { skipBinding: true }).offset(offset, { skipBinding: true });

/** Columns that a search compares but does not show. We select their types, too, to check that the catalogue is up to date. */
export function comparedOnly(read: Read): readonly Column[] {
  const after = read.after === null ? [] : read.sort.flatMap(({ by }) => (isRank(by) ? [] : [by]));
  const compared = [...columnsOf(read.where), ...after];
  if (compared.length === 0) return [];
  const shown = tableColumns(read).map(({ name }) => name);
  return compared.filter(({ name }) => !shown.includes(name));
}

/** Removes repeated columns: a column may be shown under several names. */
export function withoutRepeats(columns: readonly Column[]): readonly Column[] {
  return columns.filter((column, at) => columns.findIndex(({ name }) => name === column.name) === at);
}

/** The shown columns that belong to the table; a rank does not. */
export function tableColumns({ columns }: Read): readonly Column[] {
  return columns.filter((one): one is Column => !isRank(one));
}

/**
 * An UPDATE of the record with this key, as a template. A row has the values of the key, followed by the values to set.
 * @param engine `stored` writes a value for its column; `isExactly` compares the column with both that and the plain value, byte by
 *   byte
 */
export function updateByKey(
  knex: Knex,
  query: Knex.QueryBuilder,
  key: readonly Column[],
  columns: readonly Column[],
  engine: {
    stored(column: Column, value: Values[number] | undefined): Value;
    isExactly(column: Column, stored: Value, value: Value): Expression;
  },
): Knex.QueryBuilder {
  const slot = (column: Column, at: number) => new Slot((row) => engine.stored(column, row[at]));
  const set = columns.map((column, at) => [id(column), slot(column, key.length + at)]);
  const isKey = key.map((column, at) => engine.isExactly(column, slot(column, at), new Slot((row) => row[at] ?? null)));
  return where(knex, query, isKey).update(Object.fromEntries(set));
}
