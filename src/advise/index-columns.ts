import {
  approximateRows,
  type Facts,
  hasIndex,
  isLarge,
  measures,
  quotedName,
  type ResourceFacts,
  type Rule,
} from './facts.ts';

/** The most indexes that we suggest for a table: each slows down every write. */
const maxIndexes = 3;

/** Finds numbers and times in large tables that no index starts with: sorting or filtering by them reads all rows. */
export const index: Rule = (facts) =>
  facts.resources.filter(isLarge).flatMap((resource) => {
    const { id, table, catalogTable, rows } = resource;
    const missing = measures(table).filter(
      ({ name }) => !hasIndex(catalogTable, name) && resource.plans.sortedAsIndexed.get(name)?.sorts === true,
    );
    return missing.slice(0, maxIndexes).map((column) => {
      const label = quotedName(column.label);
      const order =
        column.nullable && !facts.indexesSortNulls ? `a sort by "${column.label} nulls first"` : 'a sort by it';
      return {
        path: ['resources', id, 'table'],
        says: `has no index that begins with ${label}: a filter by it, or ${order}, reads all of its ${approximateRows(rows)}`,
        sql: facts.server.remedies.index(catalogTable, [column.name, ...ties(resource, facts, column.name)]),
      };
    });
  });

/**
 * The tie-break columns to append to a suggested index. On MySQL and MariaDB (not `indexesSortNulls`) every index ends in the primary
 * key anyway, and long strings cannot be indexed whole, so there we only append integers.
 */
function ties({ table, catalogTable }: ResourceFacts, { indexesSortNulls }: Facts, name: string): readonly string[] {
  const by = table.order.by.filter((column) => column.name !== name);
  const names = by.map((column) => column.name);
  if (indexesSortNulls) return names;
  const isImplied = names.every((one) => catalogTable.primaryKey.includes(one));
  return isImplied || by.some(({ type }) => type.kind !== 'int') ? [] : names;
}
