import type { Catalog, Server, TableName } from '../model/catalog.ts';
import type { Dialect, Family } from '../model/dialect.ts';
import type { Answer } from '../model/rows.ts';
import type { Database } from './connection/database.ts';

/** Identifies the server. Throws the driver's error where it cannot be reached. */
export function identifyServer(database: Database, family: Pick<Family, 'serverQuery' | 'server'>): Promise<Server> {
  return database.use(async (session) => family.server(await session.run({ text: family.serverQuery, values: [] })));
}

/**
 * Reads the catalogue of these tables. A query that the user has no right to passes null to the dialect, which then knows less.
 */
export function readCatalog(database: Database, dialect: Dialect, tables: readonly TableName[]): Promise<Catalog> {
  return database.use(async (session) => {
    const answers: (Answer | null)[] = [];
    // Two resources may show one table: without this, its columns would come twice.
    const once = [...new Map(tables.map((table) => [JSON.stringify([table.schema, table.name]), table])).values()];
    for (const query of dialect.catalogQueries(once)) {
      answers.push(
        await session.run(query).catch((error: unknown) => {
          const { kind } = dialect.classifyError(error);
          // A server without grant tables has no SHOW GRANTS either. It refuses that with the error of a read-only server.
          if (kind === 'permission' || kind === 'read-only') return null;
          throw error;
        }),
      );
    }
    return dialect.catalog(answers);
  });
}
