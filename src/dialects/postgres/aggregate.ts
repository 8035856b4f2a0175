/** Counts by value and by range on PostgreSQL. */
import type { Server } from '../../model/catalog.ts';
import type { Question } from '../../model/rows.ts';
import type { Column, Table } from '../../model/table.ts';
import type { Counting } from '../aggregate.ts';
import { of } from '../knex.ts';
import { select } from '../sql.ts';
import { from, knex, statement } from './column.ts';
import { exact } from './distinct.ts';
import { plannedRows } from './read.ts';
import { conditions } from './select.ts';

export const counting = (server: Server): Counting => ({
  knex,
  from,
  conditions: (filter, searches, table) => conditions(filter, searches, table, server),
  grouped,
  output: () => '??',
  order: () => ['e'],
  showsAny: false,
  hasWindows: true,
});

/** Groups values by the type's own `=`, as filters compare (2.5 and 2.50 are one number). Texts whose `=` ignores case group by bytes. */
function grouped(column: Column): string {
  const { type, equality } = column;
  return type.kind === 'text' && equality === 'folds' ? exact(column) : '??';
}

/** Estimates how many distinct values a column has, from the planner's estimate for a query that groups by it. */
export function estimateValues(table: Table, column: Column): Question<number> {
  const groups = select(knex, knex.from(from(table)), [of(column, grouped(column))]).groupByRaw('1');
  return { statement: statement(knex.raw('EXPLAIN (FORMAT JSON) ??', [groups])), read: plannedRows };
}
