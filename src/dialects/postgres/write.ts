/** What changes the records of a table, as queries of knex. */
import type { Server } from '../../model/catalog.ts';
import type { Listing, Values } from '../../model/dialect.ts';
import type { Delete, Where } from '../../model/plan.ts';
import type { Column, Table } from '../../model/table.ts';
import { escapedMarks, flat, id, type Knex, list, raw } from '../knex.ts';
import { page, select, updateByKey, where } from '../sql.ts';
import { from, knex, literal } from './column.ts';
import { conditions, isExactly } from './select.ts';

const bound = (column: Column, value: Values[number] | undefined): string | null =>
  value === null || value === undefined ? null : literal(column, value);

export function lock(table: Table, columns: readonly Column[], keys: readonly Values[]): Knex.QueryBuilder {
  const names = columns.map(id);
  const isKey = `(${columns.map(() => '?? = ?').join(' AND ')})`;
  const values = keys.flatMap((key) => columns.flatMap((column, at) => [id(column), bound(column, key[at])]));
  const found = raw(keys.map(() => isKey).join(' OR '), values);
  return where(knex, knex.from(from(table)).select(names), [found])
    .orderBy(names)
    .forUpdate();
}

export function insert(
  table: Table,
  columns: readonly Column[],
  rows: readonly Values[],
  returned: readonly Column[],
): Knex.QueryBuilder {
  const names = columns.map(id);
  const values = rows.flatMap((row) => columns.map((column, at) => bound(column, row[at])));
  const tuples = raw('(??) VALUES ?', [names, list(tuple(columns), values, rows.length)]);
  const query = knex(from(table)).insert(columns.length === 0 ? {} : knex.raw(...flat(knex, tuples)));
  return returned.length === 0 ? query : query.returning(returned.map(id));
}

export function records(
  table: Table,
  columns: readonly Column[],
  filter: Where,
  how: Listing,
  server: Server,
): Knex.QueryBuilder {
  const found = where(knex, knex.from(from(table)), conditions(filter, [], table, server));
  const query = select(knex, found, columns.map(id)).orderBy(how.order.map(id));
  if (how.limit !== null) page(query, how.limit);
  return how.lock ? query.forUpdate() : query;
}

/** A DELETE inside WITH deletes all that matches, however few of its records are asked for. */
export function remove({ table, where: filter, returned }: Delete, server: Server): Knex.QueryBuilder {
  const deleting = where(knex, knex(from(table)), conditions(filter, [], table, server)).del();
  if (returned === null) return deleting;
  const { columns, limit } = returned;
  // `_id` is a column that has a name of its own, too.
  const all = [...new Set([...columns, ...table.key].map(id))];
  const gone = knex.with('gone', deleting.returning(all)).from('gone');
  return page(select(knex, gone, columns.map(id)).orderBy(table.key.map(id)), limit);
}

/** As in `Dialect`, with slots for the values; returns the id of its transaction. */
export const updateOne = (table: Table, key: readonly Column[], columns: readonly Column[]): Knex.QueryBuilder =>
  updateByKey(knex, knex(from(table)), key, columns, { stored: bound, isExactly }).returning(knex.raw(transactionId));

/** A transaction gets its id with its first write. */
export const transactionId = 'txid_current()';

export function update(
  table: Table,
  key: readonly Column[],
  columns: readonly Column[],
  rows: readonly Values[],
): Knex.QueryBuilder {
  const all = [...key, ...columns];
  const [first, ...others] = rows.map((row) => all.map((column, at) => bound(column, row[at])));
  // The casts give the columns of VALUES their types; without a length, which would cut silently.
  const typed = list(`(${all.map(({ native }) => `?::${escapedMarks(native)}`).join(', ')})`, first ?? [], 1);
  const values = others.length === 0 ? [typed] : [typed, list(tuple(all), others.flat(), others.length)];
  const names = all.map((_, at) => `v${at}`);
  const given = raw(`(VALUES ${values.map(() => '?').join(', ')}) v(??)`, [...values, names]);
  const set = columns.map((column, at) => [id(column), raw(`v.v${key.length + at}`)]);
  const on = key.map((column, at) => raw('??.?? = ??', ['t', id(column), `v.v${at}`]));
  return where(
    knex,
    knex({ t: from(table) })
      .update(Object.fromEntries(set))
      .updateFrom(knex.raw(...flat(knex, given))),
    on,
  );
}

const tuple = (columns: readonly Column[]): string => `(${columns.map(() => '?').join(', ')})`;
