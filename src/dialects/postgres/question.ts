/** Compiles questions (`model/question.ts`) for PostgreSQL. */
import type { Server } from '../../model/catalog.ts';
import { raw } from '../knex.ts';
import type { Asking } from '../question.ts';
import { counting } from './aggregate.ts';
import { exact } from './distinct.ts';
import { PostgresExpressions } from './expression.ts';
import { isUsual, sortBy } from './order.ts';

export const asking = (server: Server): Asking => {
  const groups = counting(server);
  return {
    counting: groups,
    printer: (query) => new PostgresExpressions(server, groups, query),
    sort: sortBy,
    exact: (column) => (column.equality === 'folds' ? exact(column) : '??'),
    order: (value, isText, by) =>
      raw(`??${isText ? ' COLLATE "C"' : ''} ${by.direction}${isUsual(by) ? '' : ` NULLS ${by.nulls}`}`, [value]),
  };
};
