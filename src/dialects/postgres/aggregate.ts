/** Counts by value and by range. */
import type { Server } from '../../model/catalog.ts';
import type { Statement } from '../../model/rows.ts';
import type { Column, Table } from '../../model/table.ts';
import type { Counting } from '../aggregate.ts';
import { of } from '../knex.ts';
import { select } from '../sql.ts';
import { from, knex, statement } from './column.ts';
import { exact } from './distinct.ts';
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

/** A filter compares all types but texts by the column's own equality: 2.5 and 2.50 are one number. */
function grouped(column: Column): string {
  const { type, equality } = column;
  return type.kind === 'text' && equality === 'folds' ? exact(column) : '??';
}

/** As `Dialect.estimateValues`, in the plan of a query that groups all records. */
export function estimateValues(table: Table, column: Column): Statement {
  const groups = select(knex, knex.from(from(table)), [of(column, grouped(column))]).groupByRaw('1');
  return statement(knex.raw('EXPLAIN (FORMAT JSON) ??', [groups]));
}
