/** Compiles plans that read records to knex queries. */
import type { Server } from '../../model/catalog.ts';
import type { HitsOf } from '../../model/dialect/read.ts';
import { indexFor, isRank, type Read } from '../../model/plan.ts';
import type { Answer, Question } from '../../model/rows.ts';
import type { Column, Table } from '../../model/table.ts';
import { cursorColumns } from '../after.ts';
import { countedByWindow, hits as hitsOf } from '../hits.ts';
import { type Expression, id, joined, type Knex, type Operand, raw, word } from '../knex.ts';
import { comparedOnly, page, select, tableColumns, where, withoutRepeats } from '../sql.ts';
import { from, knex, statement, typesOnly } from './column.ts';
import { distinct } from './distinct.ts';
import { after, isUsual, order, places } from './order.ts';
import { isIndexed, rank } from './search.ts';
import { conditions } from './select.ts';

/** All records of a search, in order; `paged` adds its limit and offset. */
export const search = (read: Read, server: Server): Knex.QueryBuilder => selected(read, outputs(read, server), server);

/** A word search that reads only some of its hits; null if `search` is as fast. */
export const hits = (read: Read, which: HitsOf, server: Server): Knex.QueryBuilder | null =>
  hitsOf(read, which, {
    knex,
    from: from(read.table),
    filters: [...conditions(read.where, [], read.table, server), ...after(read)],
    words: conditions({ op: 'all', of: [] }, read.searches, read.table, server),
    isIndexed: read.searches.some((one) => isIndexed(one, read.table, server)),
    // For two words the planner expects few hits, so it would find all of them and sort them.
    walks: (sort) => isWalkable(sort, read.table, server),
    // The planner expects half of all records to meet a condition that it cannot analyse, such as a CASE.
    unplanned: (words) => [raw('CASE WHEN ? THEN TRUE END', [joined(words, ' AND ')])],
    more: [
      ...(read.breaksTies && read.table.order.hasPlaces ? places : []),
      ...read.searches.flatMap((one) => indexFor(one, read.table.search)?.stored ?? []),
    ].map(word),
    outputs: outputs(read, server),
    counted: () => countedByWindow,
    order: (query, sorted) => order(query, sorted, server),
  });

/**
 * Whether an index gives this order; else the whole table would be sorted to find the first records. PostgreSQL 12 has no incremental
 * sort, so it would sort all records even if only ties in the first column need sorting.
 */
function isWalkable(sort: Read['sort'], { about }: Table, { version: [major = 0] }: Server): boolean {
  const [first, ...ties] = sort;
  if (first === undefined || isRank(first.by) || !isUsual(first) || (ties.length > 0 && major < 13)) return false;
  const { name } = first.by;
  return about.indexes.some(({ columns, ordered }) => ordered && columns[0] === name);
}

function outputs(read: Read, server: Server): readonly Operand[] {
  const shown = read.columns.map((one) => (isRank(one) ? rank(one.search, read.table, server) : id(one)));
  return [...shown, ...cursorColumns(read).map(id), ...typesIn(read, comparedOnly(read))];
}

/** The matching records in order, without LIMIT and OFFSET. */
export function selected(read: Read, outputs: readonly Operand[], server: Server): Knex.QueryBuilder {
  const rows = source(read, [...matchConditions(read, server), ...after(read)]);
  return order(select(knex, rows, outputs), read, server);
}

export const count = (read: Read, server: Server): Knex.QueryBuilder =>
  source(read, matchConditions(read, server)).count();

export const estimate = (read: Read, server: Server): Question<number> => ({
  statement: statement(
    knex.raw('EXPLAIN (FORMAT JSON) ??', [select(knex, source(read, matchConditions(read, server)), [raw('1')])]),
  ),
  read: plannedRows,
});

/** The planner's row count for the root of a plan. */
export const plannedRows = ({ cells }: Answer): number =>
  Number(/"Plan Rows": (\d+)/.exec(String(cells[0]?.[0]))?.[1] ?? 0);

/** Returns no records, only the types of the columns. */
export const check = (table: Table, columns: readonly Column[]): Knex.QueryBuilder =>
  page(select(knex, knex.from(from(table)), [typesOnly(columns)]), 0);

const matchConditions = ({ where, searches, table }: Read, server: Server) =>
  conditions(where, searches, table, server);

/** The matching records; with `distinct`, only one of each group that looks the same. */
function source(read: Read, matching: readonly Expression[]): Knex.QueryBuilder {
  const rows = where(knex, knex.from(from(read.table)), matching);
  return read.distinct ? knex.from(distinct(rows, withoutRepeats(tableColumns(read))).as('d')) : rows;
}

/** Outputs that have the columns' types, even if the records come from a subquery that does not select these columns. */
function typesIn({ distinct, table }: Read, columns: readonly Column[]): readonly Operand[] {
  if (columns.length === 0) return [];
  return distinct ? columns.map((column) => raw('?', [check(table, [column])])) : [typesOnly(columns)];
}
