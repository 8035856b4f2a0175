/** A search for words that looks at a bounded number of its hits first, as far as all engines say it alike. */
import type { HitsOf } from '../model/dialect.ts';
import { byColumns, isByRank, isRank, mostRanked, mostWalked, type Read } from '../model/plan.ts';
import { type Expression, id, type Knex, type Operand, raw } from './knex.ts';
import { ofTable, page, select, unshown, where } from './sql.ts';

/** What a dialect adds. */
export interface Engine {
  readonly knex: Knex;
  readonly from: string;
  /** What a record must meet: the filters, and to come after a cursor; then the words. */
  readonly filters: readonly Expression[];
  readonly words: readonly Expression[];
  /** Whether an index finds the words. */
  readonly isIndexed: boolean;
  /** Whether a part of the order is walked first: an index gives it, and the planner would not walk it anyway. */
  walks(order: Read['sort']): boolean;
  /** The words as a condition that lets the planner expect many hits, and walk the order. */
  unplanned(words: readonly Expression[]): readonly Expression[];
  /** More columns, by name, that the words or their rank need. */
  readonly more: readonly string[];
  readonly outputs: readonly Operand[];
  /** The number of rows in `source`, as an output. */
  counted(source: Knex.QueryBuilder): Expression;
  order(query: Knex.QueryBuilder, read: Read): Knex.QueryBuilder;
}

/** Null where the dialect's `search` does as well, or where this part needs an index that is not there. */
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
      return withCount(page(rows([...filters, ...words]), mostRanked + 1));
    case 'first': {
      if (isRanked && !isIndexed)
        return shown(page(inOrder(rows([...filters, ...engine.unplanned(words)])), mostRanked));
      if (read.offset + read.limit > mostWalked || !engine.walks(byColumns(read).sort)) return null;
      const found = inOrder(
        where(knex, select(knex, knex.from(page(inOrder(rows(filters)), mostWalked).as('h')), columns), words),
      );
      return isRanked ? withCount(page(found, mostRanked)) : shown(found);
    }
    case 'all': {
      if (!isIndexed) return null;
      // OFFSET keeps the planner from walking the order.
      const found = select(knex, knex.from(knex.raw('(? offset 0) as h', [rows([...filters, ...words])])), columns);
      return shown(isRanked ? page(inOrder(found), mostRanked) : found);
    }
  }
}

const columnsOf = (read: Read): readonly string[] => {
  const sorted = read.sort.flatMap(({ by }) => (isRank(by) ? [] : [by]));
  const searched = read.searches.flatMap(({ column }) => (column === null ? read.table.search.columns : [column]));
  const ties = read.breaksTies ? read.table.columns : [];
  return [...ofTable(read), ...ties, ...sorted, ...unshown(read), ...searched].map(id);
};

/** As a window, where the engine has them. */
export const countedByWindow = raw('count(*) over ()');
