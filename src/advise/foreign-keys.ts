import { approximateRows, quotedName, type Rule, tableNamed } from './facts.ts';

/** Smaller tables need no index: scanning them takes less time than a network round trip. */
const minRows = 10_000;

/** Finds foreign keys without an index: whenever a referenced record is deleted, the database scans the whole referring table. */
export const foreignKeys: Rule = ({ resources, server }) =>
  server.unindexed
    .filter(({ rows }) => rows !== null && rows >= minRows)
    .flatMap(({ refersTo, table, columns, rows }) => {
      const deleting = resources.find(
        ({ catalogTable, write }) =>
          write !== 'none' && catalogTable.name === refersTo.name && catalogTable.schema === refersTo.schema,
      );
      if (deleting === undefined) return [];
      const says = `is token, and each deleted record makes the server read all of ${tableNamed(table)}, ${approximateRows(rows)}, whose ${columns.map(quotedName).join(', ')} refers to it without an index`;
      const sql = server.remedies.index(table, columns);
      return [{ path: ['resources', deleting.id, 'access', 'write'], says, sql }];
    });
