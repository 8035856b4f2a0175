import type { Server } from '../../model/catalog.ts';
import type { Dialect, Listing, Values } from '../../model/dialect.ts';
import type { Delete, Where } from '../../model/plan.ts';
import type { Statement } from '../../model/rows.ts';
import type { Column, Table } from '../../model/table.ts';
import { type Bind, where } from '../sql.ts';
import { from, id, literal, statement } from './column.ts';
import { conditions } from './select.ts';

const bound = (column: Column | undefined, value: Values[number] | undefined, bind: Bind): string =>
  bind(column === undefined || value === null || value === undefined ? null : literal(column, value));

export const lock: Dialect['lock'] = (table, columns, keys) => {
  const names = columns.map(id).join(', ');
  const found = statement((bind) => {
    const anyOf = keys.map(
      (key) => `(${columns.map((column, at) => `${id(column)} = ${bound(column, key[at], bind)}`).join(' AND ')})`,
    );
    return `SELECT ${names} FROM ${from(table)} WHERE ${anyOf.join(' OR ')} ORDER BY ${names} FOR UPDATE`;
  });
  return { ...found, types: columns.map((column) => column.resultType) };
};

export const insert: Dialect['insert'] = (table, columns, rows, returned) => {
  const returning = returned.length === 0 ? '' : ` RETURNING ${returned.map(id).join(', ')}`;
  const inserted = statement((bind) => {
    if (columns.length === 0) return `INSERT INTO ${from(table)} DEFAULT VALUES${returning}`;
    const tuples = rows.map((row) => `(${columns.map((column, at) => bound(column, row[at], bind)).join(', ')})`);
    return `INSERT INTO ${from(table)} (${columns.map(id).join(', ')}) VALUES ${tuples.join(', ')}${returning}`;
  });
  return { ...inserted, types: returned.map((column) => column.resultType) };
};

export function records(
  table: Table,
  columns: readonly Column[],
  filter: Where,
  how: Listing,
  server: Server,
): Statement {
  const tail = `${sorted(how.order)}${how.limit === null ? '' : ` LIMIT ${how.limit}`}${how.lock ? ' FOR UPDATE' : ''}`;
  const found = statement(
    (bind) => `SELECT ${list(columns)} FROM ${from(table)}${where(conditions(filter, [], table, server, bind))}${tail}`,
  );
  return { ...found, types: columns.map((column) => column.resultType) };
}

/** A DELETE inside WITH deletes all that matches, however few of its records are asked for. */
export function remove({ table, where: filter, returned }: Delete, server: Server): Statement {
  const deleting = (bind: Bind) => `DELETE FROM ${from(table)}${where(conditions(filter, [], table, server, bind))}`;
  if (returned === null) return statement(deleting);
  const { columns, limit } = returned;
  // `_id` is a column that has a name of its own, too.
  const all = [...new Map([...columns, ...table.key].map((column) => [column.name, column])).values()];
  const select = `SELECT ${list(columns)} FROM gone${sorted(table.key)} LIMIT ${limit}`;
  const deleted = statement((bind) => `WITH gone AS (${deleting(bind)} RETURNING ${list(all)}) ${select}`);
  return { ...deleted, types: columns.map((column) => column.resultType) };
}

const list = (columns: readonly Column[]): string => columns.map(id).join(', ') || 'NULL';
const sorted = (columns: readonly Column[]): string => (columns.length === 0 ? '' : ` ORDER BY ${list(columns)}`);

export function change(
  table: Table,
  filter: Where,
  columns: readonly Column[],
  values: Values,
  server: Server,
): Statement {
  return statement((bind) => {
    const set = columns.map((column, at) => `${id(column)} = ${bound(column, values[at], bind)}`);
    return `UPDATE ${from(table)} SET ${set.join(', ')}${where(conditions(filter, [], table, server, bind))}`;
  });
}

export const update: Dialect['update'] = (table, key, columns, rows) => {
  const all = [...key, ...columns];
  return statement((bind) => {
    // The casts give the columns of VALUES their types; without a length, which would cut silently.
    const tuples = rows.map(
      (row, at) =>
        `(${all.map((column, nth) => `${bound(column, row[nth], bind)}${at === 0 ? `::${column.native}` : ''}`).join(', ')})`,
    );
    const names = all.map((_, at) => `v${at}`);
    const set = columns.map((column, at) => `${id(column)} = v.v${key.length + at}`);
    const on = key.map((column, at) => `t.${id(column)} = v.v${at}`);
    return `UPDATE ${from(table)} t SET ${set.join(', ')} FROM (VALUES ${tuples.join(', ')}) v(${names.join(', ')}) WHERE ${on.join(' AND ')}`;
  });
};
