import type { Column, Statement, Table } from '../../plan.ts';
import type { Values } from '../dialect.ts';
import type { Bind } from '../sql.ts';
import { from, id, literal, statement } from './column.ts';

const bound = (column: Column | undefined, value: Values[number] | undefined, bind: Bind): string =>
  bind(column === undefined || value === null || value === undefined ? null : literal(column, value));

export function lock(table: Table, columns: readonly Column[], keys: readonly Values[]): Statement {
  const names = columns.map(id).join(', ');
  const found = statement((bind) => {
    const anyOf = keys.map(
      (key) => `(${columns.map((column, at) => `${id(column)} = ${bound(column, key[at], bind)}`).join(' AND ')})`,
    );
    return `SELECT ${names} FROM ${from(table)} WHERE ${anyOf.join(' OR ')} ORDER BY ${names} FOR UPDATE`;
  });
  return { ...found, types: columns.map((column) => column.resultType) };
}

export function insert(table: Table, columns: readonly Column[], rows: readonly Values[]): Statement {
  if (columns.length === 0) return statement(() => `INSERT INTO ${from(table)} DEFAULT VALUES`);
  return statement((bind) => {
    const tuples = rows.map((row) => `(${columns.map((column, at) => bound(column, row[at], bind)).join(', ')})`);
    return `INSERT INTO ${from(table)} (${columns.map(id).join(', ')}) VALUES ${tuples.join(', ')}`;
  });
}

export function update(
  table: Table,
  key: readonly Column[],
  columns: readonly Column[],
  rows: readonly Values[],
): Statement {
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
}
