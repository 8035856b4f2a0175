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
  // A key of several columns is found by a join. A foreign table has no proved key and must not be joined: its server would lock all
  // records. Array keys need the join, because a list of arrays cannot be one parameter. A filter is not joined: a column of the
  // table may have a name of the joined ones.
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
  // Bind the values of a single record one by one, not in arrays: then the server's error says which value is wrong.
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
 * Rows as a table `v` with the columns `values`, unnested from one array for each column, so that the server parses as little for a
 * thousand rows as for one. Arrays and opaque values are passed as text: unnest would flatten nested arrays, and some types have another
 * separator.
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
  // `_id` may be a shown column of the table, too.
  const all = [...new Set([...columns, ...table.key].map(id))];
  const deletedRows = knex.with('gone', deleting.returning(all)).from('gone');
  return page(select(knex, deletedRows, columns.map(id)).orderBy(table.key.map(id)), limit);
}

/**
 * Is always true, but first locks matching records in the order of the key, as other writes do. A DELETE alone locks in the order of
 * pages, and the server notices a deadlock only after a second. It must be one statement with the DELETE: a later DELETE would also find
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

/** The id of the current transaction. If it has none yet, because it has not written, this call assigns one. */
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
 * An INSERT that updates on conflict: for an UPDATE of a thousand records, a planner that assumes cold pages reads the whole table.
 * Used only if there are no triggers, and no omitted column needs a value or takes one from a sequence.
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

/** One row as the table `v`. With single values, the server's error says which one is wrong. A cast with a length would cut silently. */
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
