/** Statements that change the records of a table, as queries of knex. */
import type { Server } from '../../model/catalog.ts';
import type { Listing, LockedUpdate, Values } from '../../model/dialect/edit.ts';
import type { Delete, Where } from '../../model/plan.ts';
import type { Column, Table } from '../../model/table.ts';
import { type Expression, escapedMarks, flat, id, type Knex, list, raw } from '../knex.ts';
import { orderBy, page, select, updateByKey, where } from '../sql.ts';
import { arrayLiteral, from, knex, literal, statement } from './column.ts';
import { definitionOf } from './definition.ts';
import { conditions, isExactly } from './select.ts';

const bound = (column: Column, value: Values[number] | undefined): string | null =>
  value === null || value === undefined ? null : literal(column, value);

export function lock(
  table: Table,
  columns: readonly Column[],
  keys: readonly Values[],
  inside: Where,
  server: Server,
): Knex.QueryBuilder {
  const [only, ...others] = columns;
  const filter = conditions(inside, [], table, server);
  const names = columns.map(id);
  // Finds keys of several columns by a join, but not in a foreign table (it has no proved key): its server would lock all records. Array
  // keys need the join, because several arrays can't be one parameter. With a filter we don't join: its columns could be mistaken for the
  // joined ones.
  if (filter.length === 0 && (only?.type.kind === 'array' || (table.keyIs === 'proved' && others.length > 0))) {
    const { source, values } = tableOf(columns, keys);
    const sides = columns.map((column, at) => raw('??.?? = ?', ['t', id(column), values[at] ?? sqlNull]));
    const shown = columns.map((column) => `t.${id(column)}`);
    const joined = knex.from({ t: from(table) }).crossJoin(knex.raw(...flat(knex, source)));
    return inKeyOrder(where(knex, joined, sides).select(shown), columns, 't.').forUpdate('t');
  }
  const matching = where(knex, knex.from(from(table)).select(names), [isAmong(columns, keys), ...filter]);
  return inKeyOrder(matching, columns).forUpdate();
}

function isAmong(columns: readonly Column[], keys: readonly Values[]): Expression {
  const [only, ...others] = columns;
  if (only !== undefined && only.type.kind !== 'array' && others.length === 0)
    return raw('?? = ANY(?)', [id(only), arrayLiteral(keys.map(([value]) => bound(only, value)))]);
  const isKey = `(${columns.map(() => '?? = ?').join(' AND ')})`;
  const values = keys.flatMap((key) => columns.flatMap((column, at) => [id(column), bound(column, key[at])]));
  return raw(`(${keys.map(() => isKey).join(' OR ')})`, values);
}

export function insert(
  table: Table,
  columns: readonly Column[],
  rows: readonly Values[],
  returned: readonly Column[],
): Knex.QueryBuilder {
  const names = columns.map(id);
  const query = knex(from(table)).insert(
    columns.length === 0 ? {} : knex.raw(...flat(knex, inserted(names, columns, rows))),
  );
  return returned.length === 0 ? query : query.returning(returned.map(id));
}

function inserted(names: readonly string[], columns: readonly Column[], rows: readonly Values[]): Expression {
  const [first, ...others] = rows;
  // Bind a single record's values one by one, not in arrays, so that the server's error says which value is bad.
  if (first !== undefined && others.length === 0)
    return raw('(??) VALUES ?', [
      names,
      list(
        tuple(columns),
        columns.map((column, at) => bound(column, first[at])),
        1,
      ),
    ]);
  const { source, values } = tableOf(columns, rows);
  return raw('(??) SELECT ?? FROM ?', [names, values, source]);
}

/**
 * Rows as a table `v` with the columns `values`. They come from one array per column, so that a thousand rows take the server no longer to
 * parse than one. Arrays and opaque values are passed as text: unnest would flatten nested arrays, and some types have another separator.
 */
function tableOf(columns: readonly Column[], rows: readonly Values[]) {
  const isRead = ({ type: { kind } }: Column) => kind !== 'array' && kind !== 'opaque';
  const arrays = columns.map((column, at) =>
    raw(`?::${isRead(column) ? escapedMarks(column.native) : 'text'}[]`, [
      arrayLiteral(rows.map((row) => bound(column, row[at]))),
    ]),
  );
  const marks = arrays.map(() => '?').join(', ');
  return {
    source: raw(`unnest(${marks}) v(??)`, [...arrays, columns.map((_, at) => `v${at}`)]),
    values: columns.map((column, at) =>
      raw(isRead(column) ? '??' : `??::${escapedMarks(column.native)}`, [`v.v${at}`]),
    ),
  };
}

export function records(
  table: Table,
  columns: readonly Column[],
  filter: Where,
  how: Listing,
  server: Server,
): Knex.QueryBuilder {
  const matching = where(knex, knex.from(from(table)), conditions(filter, [], table, server));
  const query = select(knex, matching, columns.map(id)).orderBy(how.order.map(id));
  if (how.limit !== null) page(query, how.limit);
  return how.lock ? query.forUpdate() : query;
}

export const countOf = (table: Table, filter: Where, server: Server): Knex.QueryBuilder =>
  where(knex, knex.from(from(table)), conditions(filter, [], table, server)).count();

/** A DELETE in WITH deletes all matching records, even if the SELECT returns only some. */
export function remove(plan: Delete, inOrder: boolean, server: Server): Knex.QueryBuilder {
  const { table, returned } = plan;
  const matches = conditions(plan.where, [], table, server);
  const locked = inOrder && table.keyIs === 'proved' ? [lockedByKey(table, matches)] : [];
  const deleting = where(knex, knex(from(table)), [...matches, ...locked]).del();
  if (returned === null) return deleting;
  const { columns, limit } = returned;
  // `_id` may also be one of the table's shown columns.
  const all = [...new Set([...columns, ...table.key].map(id))];
  const deletedRows = knex.with('gone', deleting.returning(all)).from('gone');
  return page(select(knex, deletedRows, columns.map(id)).orderBy(table.key.map(id)), limit);
}

/**
 * A condition that is always true, but first locks the matching records in key order, as other writes do. A DELETE alone would lock them
 * in the order of pages, and the server needs a second to notice a deadlock. Both must be one statement: a later DELETE would also find
 * records that other sessions have inserted meanwhile.
 */
function lockedByKey(table: Table, matches: readonly Expression[]): Expression {
  const matching = where(knex, knex.from(from(table)).select(knex.raw('1')), matches);
  const locking = page(inKeyOrder(matching, table.key), maxLockedRecords).forUpdate();
  return raw('(SELECT count(*) FROM ? locked) >= 0', [locking]);
}

/** Locking a million records takes longer than deleting them. */
const maxLockedRecords = 10_000;

/** Sorts by the key as `sorted.ts` does. Writers that lock in different orders deadlock. */
function inKeyOrder(query: Knex.QueryBuilder, key: readonly Column[], table = ''): Knex.QueryBuilder {
  for (const column of key) {
    const name = `${table}${id(column)}`;
    orderBy(knex, query, column.type.kind === 'text' ? raw('?? COLLATE "C"', [name]) : name);
  }
  return query;
}

/** An UPDATE of one record, as a template with slots for the values; returns the id of its transaction. */
export const updateOne = (
  table: Table,
  key: readonly Column[],
  columns: readonly Column[],
  inside: Where | null,
  server: Server,
): Knex.QueryBuilder =>
  where(
    knex,
    updateByKey(knex, knex(from(table)), key, columns, { stored: bound, isExactly }),
    inside === null ? [] : conditions(inside, [], table, server),
  ).returning(knex.raw(transactionId));

/** The id of the current transaction. A transaction that has not written yet gets its id by this call. */
export const transactionId = 'txid_current()';

export function update(
  table: Table,
  key: readonly Column[],
  columns: readonly Column[],
  rows: readonly Values[],
): Knex.QueryBuilder {
  const all = [...key, ...columns];
  const { source, values } = rows.length === 1 ? valuesOf(all, rows[0] ?? []) : tableOf(all, rows);
  const set = columns.map((column, at) => [id(column), knex.raw(...flat(knex, values[key.length + at] ?? sqlNull))]);
  const isKey = key.map((column, at) => raw('??.?? = ?', ['t', id(column), values[at] ?? sqlNull]));
  return where(
    knex,
    knex({ t: from(table) })
      .update(Object.fromEntries(set))
      .updateFrom(knex.raw(...flat(knex, source))),
    isKey,
  );
}

/**
 * An INSERT that updates on conflict, in place of an UPDATE: a planner that assumes cold pages would read the whole table for the UPDATE
 * of a thousand records. Only used if there are no triggers, and no omitted column needs a value or takes one from a sequence.
 */
export function lockedUpdate(table: Table, key: readonly Column[], columns: readonly Column[]): LockedUpdate | null {
  const { keyIs, sequence } = table;
  const all = [...key, ...columns];
  const isGiven = (name: string) => all.some((column) => column.name === name);
  if (keyIs !== 'proved' || sequence.records !== 'in any order') return null;
  if (![...sequence.numbered, ...sequence.required].every(isGiven)) return null;
  const set = raw(
    columns.map(() => '?? = ??').join(', '),
    columns.flatMap((column) => [id(column), `excluded.${id(column)}`]),
  );
  const end = raw('ON CONFLICT (??) DO UPDATE SET ?', [key.map(id), set]);
  return {
    statement: (rows) =>
      statement(knex(from(table)).insert(knex.raw(...flat(knex, raw('? ?', [inserted(all.map(id), all, rows), end]))))),
    found: (answer) => answer.found,
    proofs() {
      const { statement, read } = definitionOf(table);
      return [{ statement, holds: (answer) => read(answer) === table.definition }];
    },
  };
}

/** One row as the table `v`. Values are bound one by one, so that the server's error names the bad one. A cast with a length cuts silently. */
function valuesOf(columns: readonly Column[], row: Values) {
  const casts = `(${columns.map(({ native }) => `?::${escapedMarks(native)}`).join(', ')})`;
  const bindings = columns.map((column, at) => bound(column, row[at]));
  const names = columns.map((_, at) => `v${at}`);
  return {
    source: raw('(VALUES ?) v(??)', [list(casts, bindings, 1), names]),
    values: names.map((name) => raw('??', [`v.${name}`])),
  };
}

const sqlNull = raw('NULL');
const tuple = (columns: readonly Column[]): string => `(${columns.map(() => '?').join(', ')})`;
