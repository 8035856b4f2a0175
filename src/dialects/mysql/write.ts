import type { Dialect, Listing, Values } from '../../model/dialect.ts';
import type { Where } from '../../model/plan.ts';
import type { Statement } from '../../model/rows.ts';
import type { Column, Table } from '../../model/table.ts';
import { type Bind, where } from '../sql.ts';
import { from, id, literal, output, outputType, statement, typeOnly } from './column.ts';
import { candidate, conditions } from './select.ts';

const stored = (column: Column | undefined, value: Values[number] | undefined, bind: Bind): string =>
  column === undefined || value === null || value === undefined ? 'NULL' : literal(column, value, bind);

/** Finds a record by its key as the unique index does. No row constructors: MySQL 5.6 would scan, and lock what it scans. */
function found(columns: readonly Column[], key: Values, bind: Bind): string {
  return `(${columns.map((column, at) => `${id(column)} = ${key[at] === null || key[at] === undefined ? 'NULL' : candidate(column, key[at], bind)}`).join(' AND ')})`;
}

export const lock: Dialect['lock'] = (table, columns, keys) => {
  const order = columns.map(id).join(', ');
  const locked = statement((bind) => {
    const anyOf = keys.map((key) => found(columns, key, bind)).join(' OR ');
    return `SELECT ${columns.map(output).join(', ')} FROM ${from(table)} WHERE ${anyOf} ORDER BY ${order} FOR UPDATE`;
  });
  return { ...locked, types: columns.map(outputType) };
};

export const insert: Dialect['insert'] = (table, columns, rows, returned) => {
  const returning = returned.length === 0 ? '' : ` RETURNING ${returned.map(output).join(', ')}`;
  const inserted = statement((bind) => {
    const tuples = rows.map((row) => `(${columns.map((column, at) => stored(column, row[at], bind)).join(', ')})`);
    return `INSERT INTO ${from(table)} (${columns.map(id).join(', ')}) VALUES ${tuples.join(', ')}${returning}`;
  });
  return { ...inserted, types: returned.map(outputType) };
};

export function records(table: Table, columns: readonly Column[], filter: Where, how: Listing): Statement {
  // An expression hides what its column is; the column's type goes along apart.
  const hidden = columns.filter((column) => output(column) !== id(column));
  const select = [...columns.map(output), ...hidden.map(typeOnly)].join(', ') || 'NULL';
  const order = how.order.flatMap((column) => (column.nullable ? [`${id(column)} IS NULL`, id(column)] : [id(column)]));
  const sorted = order.length === 0 ? '' : ` ORDER BY ${order.join(', ')}`;
  const tail = `${sorted}${how.limit === null ? '' : ` LIMIT ${how.limit}`}${how.lock ? ' FOR UPDATE' : ''}`;
  const found = statement(
    (bind) => `SELECT ${select} FROM ${from(table)}${where(conditions(filter, [], table, bind))}${tail}`,
  );
  return { ...found, types: [...columns.map(outputType), ...hidden.map((column) => column.resultType)] };
}

export const change: Dialect['change'] = (table, filter, columns, values) =>
  statement((bind) => {
    const set = columns.map((column, at) => `${id(column)} = ${stored(column, values[at], bind)}`);
    return `UPDATE ${from(table)} SET ${set.join(', ')}${where(conditions(filter, [], table, bind))}`;
  });

/** One UPDATE for many records: a CASE by key for each column. A joined table of values would not use the index. */
export const update: Dialect['update'] = (table, key, columns, rows) => {
  return statement((bind) => {
    const set = columns.map((column, at) => {
      const value = (row: Values) => stored(column, row[key.length + at], bind);
      const [only, ...others] = rows;
      if (only === undefined || others.length === 0)
        return `${id(column)} = ${only === undefined ? 'NULL' : value(only)}`;
      return `${id(column)} = CASE ${rows.map((row) => `WHEN ${found(key, row, bind)} THEN ${value(row)}`).join(' ')} END`;
    });
    return `UPDATE ${from(table)} SET ${set.join(', ')} WHERE ${rows.map((row) => found(key, row, bind)).join(' OR ')}`;
  });
};
