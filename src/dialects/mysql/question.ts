/** Compiles questions (`model/question.ts`) for MySQL and MariaDB. */
import type { Server } from '../../model/catalog.ts';
import { raw } from '../knex.ts';
import type { Asking } from '../question.ts';
import { counting } from './aggregate.ts';
import { exact } from './distinct.ts';
import { MysqlExpressions } from './expression.ts';
import { isUsual, sortBy } from './order.ts';

export const asking = (server: Server): Asking => {
  const groups = counting(server);
  return {
    counting: groups,
    printer: (query) => new MysqlExpressions(groups, query),
    sort: sortBy,
    exact: (column) => (column.type.kind === 'text' && column.equality !== 'exact' ? exact(column) : '??'),
    order(value, _, by) {
      if (isUsual(by)) return raw(`?? ${by.direction}`, [value]);
      return raw(`?? is null ${by.nulls === 'first' ? 'desc' : 'asc'}, ?? ${by.direction}`, [value, value]);
    },
  };
};
