/** Word searches that stop after a limited number of hits: the part that is the same on every engine. */
import type { HitsOf } from '../model/dialect/read.ts';
import { byColumns, isByRank, isRank, maxRankedHits, maxWalkedRecords, type Read } from '../model/plan.ts';
import { type Expression, id, type Knex, type Operand, raw } from './knex.ts';
import { comparedOnly, page, select, tableColumns, where } from './sql.ts';

/** The engine-specific parts of a bounded word search. */
export interface Engine {
  readonly knex: Knex;
  readonly from: string;
  /** Conditions from the filters and the cursor; those from the searched words are in `words`. */
  readonly filters: readonly Expression[];
  readonly words: readonly Expression[];
  /** Whether an index can find the words. */
  readonly isIndexed: boolean;
  /** Whether to read in sort order first, and then test for the words: an index has that order, but the planner would not use it. */
  walks(order: Read['sort']): boolean;
  /** The words as a condition for which the planner expects many hits, so that it reads in sort order. */
  unplanned(words: readonly Expression[]): readonly Expression[];
  /** Names of other columns that are needed to match or rank. */
  readonly more: readonly string[];
  readonly outputs: readonly Operand[];
  /** SQL that counts the rows of `source`; used as an output. */
  counted(source: Knex.QueryBuilder): Expression;
  order(query: Knex.QueryBuilder, read: Read): Knex.QueryBuilder;
}

/**
 * The query for a word search that finds some or all matching records (`which`) before it ranks or sorts them. Null if the dialect's
 * plain `search` is as fast, or if no index finds the words.
 */
export function hits(read: Read, which: HitsOf, engine: Engine): Knex.QueryBuilder | null {
  const { knex, from, filters, words, isIndexed } = engine;
  const isRanked = isByRank(read);
  if (read.distinct || words.length === 0) return null;
  const columns = [...new Set([...columnsOf(read), ...engine.more])];
  const rows = (conditions: readonly Expression[]) => select(knex, where(knex, knex.from(from), conditions), columns);
  const inOrder = (query: Knex.QueryBuilder) => engine.order(query, byColumns(read));
  const shown = (query: Knex.QueryBuilder, counted: readonly Expression[] = []) =>
    page(
      engine.order(select(knex, knex.from(query.as('h')), [...engine.outputs, ...counted]), read),
      read.limit,
      read.offset,
    );
  const withCount = (query: Knex.QueryBuilder) => shown(query, [engine.counted(query.clone())]);
  switch (which) {
    case 'any':
      if (!isRanked && !isIndexed) return null;
      return withCount(page(rows([...filters, ...words]), maxRankedHits + 1));
    case 'first': {
      if (isRanked && !isIndexed)
        return shown(page(inOrder(rows([...filters, ...engine.unplanned(words)])), maxRankedHits));
      if (read.offset + read.limit > maxWalkedRecords || !engine.walks(byColumns(read).sort)) return null;
      const hitRows = inOrder(
        where(knex, select(knex, knex.from(page(inOrder(rows(filters)), maxWalkedRecords).as('h')), columns), words),
      );
      return isRanked ? withCount(page(hitRows, maxRankedHits)) : shown(hitRows);
    }
    case 'all': {
      if (!isIndexed) return null;
      // Finds the words first: without OFFSET 0 the planner might read in sort order, and test each record for the words.
      const hitRows = select(knex, knex.from(knex.raw('(? offset 0) as h', [rows([...filters, ...words])])), columns);
      return shown(isRanked ? page(inOrder(hitRows), maxRankedHits) : hitRows);
    }
  }
}

const columnsOf = (read: Read): readonly string[] => {
  const sorted = read.sort.flatMap(({ by }) => (isRank(by) ? [] : [by]));
  const searched = read.searches.flatMap(({ column }) => (column === null ? read.table.search.columns : [column]));
  const ties = read.breaksTies ? read.table.columns : [];
  return [...tableColumns(read), ...ties, ...sorted, ...comparedOnly(read), ...searched].map(id);
};

/** The total as a window function, for engines that have window functions. */
export const countedByWindow = raw('count(*) over ()');
