/** Statements that change the records of a table, as queries of knex. */
import type { Listing, LockedUpdate, Values } from '../../model/dialect/edit.ts';
import type { Delete, Where } from '../../model/plan.ts';
import type { Column, Table } from '../../model/table.ts';
import { text } from '../cells.ts';
import { type Expression, flat, id, type Knex, list, type Operand, of, raw, tuples, type Value } from '../knex.ts';
import { orderBy, page, select, updateByKey, where } from '../sql.ts';
import { from, hidden, knex, literal, output, statement, typesOnly } from './column.ts';
import { check } from './read.ts';
import { candidate, conditions, isExactly } from './select.ts';

const shown = (column: Column): Operand => of(column, output(column));
const stored = (column: Column, value: Values[number] | undefined): Value =>
  value === null || value === undefined ? sqlNull : literal(column, value);
const sqlNull = raw('NULL');

/** Finds a record by its unique index. No row constructors: MySQL 5.6 would scan the table, and lock every row it scans. */
const isKey = (columns: readonly Column[]): string =>
  `(${columns.map((column) => `?? = ${candidate(column)}`).join(' AND ')})`;
const keyOf = (columns: readonly Column[], row: Values): readonly Value[] =>
  columns.flatMap((column, at) => [id(column), stored(column, row[at])]);
const anyKey = (columns: readonly Column[], rows: readonly Values[]): Expression =>
  raw(
    `(${rows.map(() => isKey(columns)).join(' OR ')})`,
    rows.flatMap((row) => keyOf(columns, row)),
  );
const isAmong = (columns: readonly Column[], rows: readonly Values[]): Expression => {
  const [only, ...others] = columns;
  if (only === undefined || others.length > 0) return anyKey(columns, rows);
  const values = rows.map(([value]) => stored(only, value));
  return raw('?? IN (?)', [id(only), list(candidate(only), values, values.length)]);
};

export const lock = (
  table: Table,
  columns: readonly Column[],
  keys: readonly Values[],
  inside: Where,
): Knex.QueryBuilder =>
  where(knex, select(knex, knex.from(from(table)), columns.map(shown)), [
    isAmong(columns, keys),
    ...conditions(inside, [], table),
  ])
    .orderBy(columns.map(id))
    .forUpdate();

export function insert(
  table: Table,
  columns: readonly Column[],
  rows: readonly Values[],
  returned: readonly Column[],
): Knex.QueryBuilder | Knex.Raw {
  const query = inserting(table, columns, rows);
  // knex has no RETURNING for MariaDB.
  return returned.length === 0 ? query : knex.raw(...flat(knex, raw('? RETURNING ??', [query, returned.map(shown)])));
}

function inserting(table: Table, columns: readonly Column[], rows: readonly Values[]): Knex.QueryBuilder {
  const values = tuples(rows.map((row) => columns.map((column, at) => stored(column, row[at]))));
  return knex(from(table)).insert(knex.raw(...flat(knex, raw('(??) VALUES ?', [columns.map(id), values]))));
}

export function records(table: Table, columns: readonly Column[], filter: Where, how: Listing): Knex.QueryBuilder {
  const types = hidden(columns);
  const outputs = [...columns.map(shown), ...(types.length === 0 ? [] : [typesOnly(types)])];
  const query = select(knex, where(knex, knex.from(from(table)), conditions(filter, [], table)), outputs);
  for (const column of how.order) {
    if (column.nullable) orderBy(knex, query, of(column, '?? IS NULL'));
    orderBy(knex, query, id(column));
  }
  if (how.limit !== null) page(query, how.limit);
  return how.lock ? query.forUpdate() : query;
}

export const countOf = (table: Table, filter: Where): Knex.QueryBuilder =>
  where(knex, knex.from(from(table)), conditions(filter, [], table)).count();

export const remove = ({ table, where: filter }: Delete): Knex.QueryBuilder =>
  where(knex, knex(from(table)), conditions(filter, [], table)).del();

/** An UPDATE of one record, as a template with slots for the values. */
export const updateOne = (
  table: Table,
  key: readonly Column[],
  columns: readonly Column[],
  inside: Where | null,
): Knex.QueryBuilder =>
  where(
    knex,
    updateByKey(knex, knex(from(table)), key, columns, { stored, isExactly }),
    inside === null ? [] : conditions(inside, [], table),
  );

/** One UPDATE for many records: a CASE by key for each column. A joined table of values would not use the index. */
export function update(
  table: Table,
  key: readonly Column[],
  columns: readonly Column[],
  rows: readonly Values[],
): Knex.QueryBuilder {
  const when = `WHEN ${isKey(key)} THEN ?`;
  const set = columns.map((column, at) => {
    const value = (row: Values) => stored(column, row[key.length + at]);
    const [only, ...others] = rows;
    if (only === undefined || others.length === 0) return [id(column), only === undefined ? sqlNull : value(only)];
    const cases = rows.flatMap((row) => [...keyOf(key, row), value(row)]);
    return [id(column), knex.raw(...flat(knex, raw(`CASE ${rows.map(() => when).join(' ')} END`, cases)))];
  });
  return where(knex, knex(from(table)).update(Object.fromEntries(set)), [anyKey(key, rows)]);
}

/** Lists the columns of the unique keys, and triggers as rows with an empty key name. */
const uniqueAndTriggers = `SELECT INDEX_NAME, COLUMN_NAME FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? AND NON_UNIQUE = 0
  UNION ALL SELECT '', TRIGGER_NAME FROM information_schema.TRIGGERS WHERE EVENT_OBJECT_SCHEMA = DATABASE() AND EVENT_OBJECT_TABLE = ?`;

/**
 * `ON DUPLICATE KEY UPDATE` runs insert triggers first, and updates a record found by any unique key. So we only use it if there are no
 * triggers, the primary key is the only unique key, and no omitted column needs a value or has an AUTO_INCREMENT.
 */
export function lockedUpdate(table: Table, key: readonly Column[], columns: readonly Column[]): LockedUpdate | null {
  const { uniqueKeys, sequence } = table;
  const [primary, ...others] = uniqueKeys;
  const all = [...key, ...columns];
  const has = (some: readonly Column[], name: string) => some.some((column) => column.name === name);
  const isPrimary = primary?.name === 'PRIMARY' && primary.columns.length === key.length;
  if (!isPrimary || others.length > 0 || !primary.columns.every((name) => has(key, name))) return null;
  if (sequence.records !== 'in any order') return null;
  if (![...sequence.numbered, ...sequence.required].every((name) => has(all, name))) return null;
  const set = raw(
    columns.map(() => '?? = VALUES(??)').join(', '),
    columns.flatMap((column) => [id(column), id(column)]),
  );
  return {
    statement: (rows) =>
      statement(knex.raw(...flat(knex, raw('? ON DUPLICATE KEY UPDATE ?', [inserting(table, all, rows), set])))),
    // The number of duplicates in `Records: 2  Duplicates: 2  Warnings: 0`. The driver leaves a length byte in front.
    found: ({ message = '' }) => Number(/(\d+)\D+\d+\D*$/.exec(message)?.[1] ?? 0),
    proofs: () => [
      {
        statement: { types: key.map(({ resultType }) => resultType), ...statement(check(table, key)) },
        holds: () => true,
      },
      {
        statement: { text: uniqueAndTriggers, values: [table.name, table.name] },
        holds: ({ cells }) => {
          const isKey = cells.every(([index, column]) => text(index) === 'PRIMARY' && has(key, text(column)));
          return isKey && cells.length === key.length;
        },
      },
    ],
  };
}
