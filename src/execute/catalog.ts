import type { Blame, Catalog, Server } from '../model/catalog.ts';
import type { Answer, Statement } from '../model/rows.ts';
import type { Database } from './connection/database.ts';

/** The dialect's functions for reading a catalogue. */
export interface CatalogReader {
  catalogQueries(tables: readonly TableName[]): readonly Statement[];
  catalog(answers: readonly (Answer | null)[]): Catalog;
  blame(error: unknown): Blame;
}
export interface TableName {
  readonly schema: string | null;
  readonly name: string;
}

/** Identifies the server. Throws the driver's error where it cannot be reached. */
export function meet(
  database: Database,
  asking: { readonly serverQuery: string; server(answer: Answer): Server },
): Promise<Server> {
  return database.use(async (session) => asking.server(await session.run({ text: asking.serverQuery, values: [] })));
}

/**
 * Reads the catalogue of these tables. A query that the user has no right to passes null to the dialect, which then knows less.
 */
export function readCatalog(database: Database, reader: CatalogReader, tables: readonly TableName[]): Promise<Catalog> {
  return database.use(async (session) => {
    const answers: (Answer | null)[] = [];
    // Two resources may show one table: without this, its columns would come twice.
    const once = [...new Map(tables.map((table) => [JSON.stringify([table.schema, table.name]), table])).values()];
    for (const query of reader.catalogQueries(once)) {
      answers.push(
        await session.run(query).catch((error: unknown) => {
          const { kind } = reader.blame(error);
          // A server without grant tables has no SHOW GRANTS either. It refuses that with the error of a read-only server.
          if (kind === 'permission' || kind === 'read-only') return null;
          throw error;
        }),
      );
    }
    return reader.catalog(answers);
  });
}
