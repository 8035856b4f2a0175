import type { Column, Statement, Table } from '../../plan.ts';
import type { Values } from '../dialect.ts';
import type { Bind } from '../sql.ts';
import { from, id, literal, output, outputType, statement } from './column.ts';
import { candidate } from './select.ts';

const stored = (column: Column | undefined, value: Values[number] | undefined, bind: Bind): string =>
  column === undefined || value === null || value === undefined ? 'NULL' : literal(column, value, bind);

/** Finds a record by its key as the unique index does. No row constructors: MySQL 5.6 would scan, and lock what it scans. */
function found(columns: readonly Column[], key: Values, bind: Bind): string {
  return `(${columns.map((column, at) => `${id(column)} = ${key[at] === null || key[at] === undefined ? 'NULL' : candidate(column, key[at], bind)}`).join(' AND ')})`;
}

export function lock(table: Table, columns: readonly Column[], keys: readonly Values[]): Statement {
  const order = columns.map(id).join(', ');
  const locked = statement((bind) => {
    const anyOf = keys.map((key) => found(columns, key, bind)).join(' OR ');
    return `SELECT ${columns.map(output).join(', ')} FROM ${from(table)} WHERE ${anyOf} ORDER BY ${order} FOR UPDATE`;
  });
  return { ...locked, types: columns.map(outputType) };
}

export function insert(table: Table, columns: readonly Column[], rows: readonly Values[]): Statement {
  return statement((bind) => {
    const tuples = rows.map((row) => `(${columns.map((column, at) => stored(column, row[at], bind)).join(', ')})`);
    return `INSERT INTO ${from(table)} (${columns.map(id).join(', ')}) VALUES ${tuples.join(', ')}`;
  });
}

/** One UPDATE for many records: a CASE by key for each column. A joined table of values would not use the index. */
export function update(
  table: Table,
  key: readonly Column[],
  columns: readonly Column[],
  rows: readonly Values[],
): Statement {
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
}
