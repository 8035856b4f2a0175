import { hasZeroDate } from '../model/table.ts';
import { about, hasIndex, isLarge, measures, named, type Rule } from './facts.ts';

/**
 * An engine whose indexes have their NULLs first sorts a large table itself, unless the column has none. A zero date is shown as NULL, so
 * nothing that is said here helps a column that may hold one.
 */
export const nulls: Rule = ({ resources, server, indexesSortNulls }) =>
  indexesSortNulls
    ? []
    : resources.filter(isLarge).flatMap(({ id, table, found, rows, plans }) =>
        measures(table)
          .filter((column) => column.nullable && !hasZeroDate(column) && hasIndex(found, column.name))
          .filter(({ name }) => plans.sorted.get(name)?.sorts === true)
          .map((column) => {
            const sql = server.remedies.notNull(found, column.name) ?? [];
            const never = sql.length === 0 ? '' : '; or, if it never is NULL, say so to the database';
            return {
              path: ['resources', id, 'table'],
              says: `has a column ${named(column.label)} that may be NULL: a sort by it reads all of its ${about(rows)} in spite of its index; sort by "${column.label} nulls first"${never}`,
              sql,
            };
          }),
      );
