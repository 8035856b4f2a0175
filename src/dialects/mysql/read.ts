/** Compiles plans that read records to knex queries. */
import type { Server } from '../../model/catalog.ts';
import type { HitsOf } from '../../model/dialect/read.ts';
import { isRank, type Read } from '../../model/plan.ts';
import type { Answer, Question } from '../../model/rows.ts';
import type { Column, Table } from '../../model/table.ts';
import { cursorColumns } from '../after.ts';
import { countedByWindow, hits as hitsOf } from '../hits.ts';
import { type Expression, type Knex, type Operand, of, raw } from '../knex.ts';
import { comparedOnly, page, select, tableColumns, where, withoutRepeats } from '../sql.ts';
import { byIndex } from './by-index.ts';
import { from, hidden, knex, output, outputType, statement, typesOnly } from './column.ts';
import { distinct } from './distinct.ts';
import { after, cursorValue, order } from './order.ts';
import { isMatched, rank } from './search.ts';
import { conditions } from './select.ts';

/** @param first a keyword before the outputs, such as SQL_BUFFER_RESULT */
export function search(read: Read, first = ''): Knex.QueryBuilder {
  const matching = matchConditions(read);
  const narrowed = byIndex(read, matching);
  const rows = narrowed?.rows ?? source(read, [...matching, ...after(read)]);
  const all = outputs(read, narrowed !== null);
  const shown = first === '' ? all : [raw(`${first} ??`, [all.length === 0 ? [raw('NULL')] : all])];
  const sorted = order(select(knex, rows, shown), { ...read, sort: narrowed?.sort ?? read.sort });
  return page(sorted, read.limit, read.offset);
}

/** A word search that reads only some of its hits. Null if `search` is as fast: full text ranks all hits before it gives the first. */
export function hits(read: Read, which: HitsOf, server: Server): Knex.QueryBuilder | null {
  const { table, searches } = read;
  if (searches.some((one) => isMatched(one, table))) return null;
  const words = conditions({ op: 'all', of: [] }, searches, table);
  return hitsOf(read, which, {
    knex,
    from: from(table),
    filters: [...conditions(read.where, [], table), ...after(read)],
    words,
    isIndexed: false,
    // If no index finds the words, MySQL's planner already reads in sort order.
    walks: () => false,
    unplanned: () => words,
    more: [],
    outputs: outputs(read),
    counted: (source) => (hasWindows(server) ? countedByWindow : raw('(?)', [knex.from(source.as('c')).count()])),
    order,
  });
}

function outputs(read: Read, isJoined = false): readonly Operand[] {
  return [
    ...read.columns.map((one) => (isRank(one) ? rank(one.search, read.table) : of(one, output(one)))),
    ...cursorColumns(read).map((column) => of(column, cursorValue(column))),
    ...typesIn(read, typesApart(read), read.distinct || isJoined),
  ];
}

/** The types of the columns in a search's result. */
export const searchTypes = (read: Read): readonly string[] => [
  ...read.columns.map((one) => (isRank(one) ? '' : outputType(one))),
  ...cursorColumns(read).map((column) => (cursorValue(column) === '??' ? column.resultType : '')),
  ...typesApart(read).map((column) => column.resultType),
];

export const count = (read: Read): Knex.QueryBuilder => source(read, matchConditions(read)).count();

export const estimate = (read: Read): Question<number> => ({
  statement: statement(
    knex.raw('EXPLAIN FORMAT=TRADITIONAL ??', [select(knex, source(read, matchConditions(read)), [raw('1')])]),
  ),
  read: plannedRows,
});

/** Rows of EXPLAIN with the first row's id are tables of one join, such as the tables below a view, so we multiply their row counts. */
function plannedRows({ names, cells }: Answer): number {
  const number = (row: Answer['cells'][number], name: string, absent: number) =>
    Number(row[names.indexOf(name)] ?? absent);
  const joined = cells.filter((row) => number(row, 'id', 0) === number(cells[0] ?? [], 'id', 0));
  const records = joined.reduce(
    (product, row, nth) => (product * number(row, 'rows', Math.min(nth, 1)) * number(row, 'filtered', 100)) / 100,
    1,
  );
  return joined.length === 0 ? 0 : Math.min(Math.round(records), Number.MAX_SAFE_INTEGER);
}

const hasWindows = ({ product, version: [major = 0] }: Server): boolean => product === 'mariadb' || major >= 8;

/** Returns no records, only the types of the columns. */
export const check = (table: Table, columns: readonly Column[]): Knex.QueryBuilder =>
  page(select(knex, knex.from(from(table)), [typesOnly(columns)]), 0);

const matchConditions = ({ where, searches, table }: Read) => conditions(where, searches, table);

/** The matching records; with `distinct`, only one of each group that looks the same. */
function source(read: Read, matching: readonly Expression[]): Knex.QueryBuilder {
  const rows = where(knex, knex.from(from(read.table)), matching);
  return read.distinct ? knex.from(distinct(rows, withoutRepeats(tableColumns(read))).as('d')) : rows;
}

const typesApart = (read: Read): readonly Column[] => [...hidden(tableColumns(read)), ...comparedOnly(read)];

/**
 * SELECT expressions that are NULL but have the types of these columns, so that the driver's result says whether they still have them.
 * @param isApart whether the records come from a subquery. It does not select these columns, and MySQL 5.6 turns a FLOAT into a double in
 *   its temporary table
 */
function typesIn({ table }: Read, columns: readonly Column[], isApart: boolean): readonly Operand[] {
  if (columns.length === 0) return [];
  return isApart ? columns.map((column) => raw('?', [check(table, [column])])) : [typesOnly(columns)];
}
