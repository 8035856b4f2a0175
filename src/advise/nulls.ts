import { hasZeroDate } from '../model/table.ts';
import { approximateRows, hasIndex, isLarge, measures, quotedName, type Rule } from './facts.ts';

/**
 * Finds indexes on nullable columns that the API's sorts cannot use: MySQL's indexes put NULLs first, but the API sorts them last, so each
 * page sorts the whole table. Columns that may hold zero dates are skipped: we show those as null, so NOT NULL would not help.
 */
export const nulls: Rule = ({ resources, server, indexesSortNulls }) =>
  indexesSortNulls
    ? []
    : resources.filter(isLarge).flatMap(({ id, table, catalogTable, rows, plans }) =>
        measures(table)
          .filter((column) => column.nullable && !hasZeroDate(column) && hasIndex(catalogTable, column.name))
          .filter(({ name }) => plans.sorted.get(name)?.sorts === true)
          .map((column) => {
            const sql = server.remedies.notNull(catalogTable, column.name) ?? [];
            const never = sql.length === 0 ? '' : '; or, if it never is NULL, say so to the database';
            return {
              path: ['resources', id, 'table'],
              says: `has a column ${quotedName(column.label)} that may be NULL: a sort by it reads all of its ${approximateRows(rows)} in spite of its index; sort by "${column.label} nulls first"${never}`,
              sql,
            };
          }),
      );
