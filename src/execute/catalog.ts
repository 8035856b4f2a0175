import type { Catalog, CatalogTable, Sample, Server, SurveyedTable, TableName } from '../model/catalog.ts';
import type { Dialect, Family } from '../model/dialect.ts';
import type { FeedFacts, LogCheck } from '../model/feed.ts';
import { type Answer, plain, type Statement } from '../model/rows.ts';
import type { Type } from '../model/table.ts';
import type { Cell } from '../model/value.ts';
import { inTurn } from '../values/in-turn.ts';
import type { Session } from './connection/call-sessions.ts';
import type { Database } from './connection/database.ts';
import { StatementTimeout } from './connection/session.ts';

/** Identifies the server. Throws the driver's error where it cannot be reached. */
export function identifyServer(database: Database, family: Pick<Family, 'serverQuery' | 'server'>): Promise<Server> {
  return database.use(async (session) => family.server(await session.run(plain(family.serverQuery))));
}

/**
 * Reads the catalogue of these tables. A query that the user has no right to passes null to the dialect, which does without its
 * facts.
 */
export function readCatalog(database: Database, dialect: Dialect, tables: readonly TableName[]): Promise<Catalog> {
  return database.use(async (session) => {
    // Two resources may show one table: without this, its columns would come twice.
    const once = [...new Map(tables.map((table) => [JSON.stringify([table.schema, table.name]), table])).values()];
    return dialect.catalog(await allowed(session, dialect, dialect.catalogQueries(once)));
  });
}

/** Reads the definition of one table, as the catalogue has it; null: there is no such table. */
export function readDefinition(database: Database, dialect: Dialect, table: TableName): Promise<string | null> {
  return database.use(async (session) => {
    return dialect.definition(await inTurn(dialect.definitionQueries(table), (query) => session.run(query)), table);
  });
}

/** Reads whether server and user let the tables be named that others write. */
export function readFeedFacts(database: Database, dialect: Dialect, check: LogCheck): Promise<FeedFacts> {
  return database.use(async (session) => check.facts(await allowed(session, dialect, check.queries)));
}

/** Whether the log that one of them reads names the transactions of the other. */
export async function haveOneLog(database: Database, other: Database, { identity }: LogCheck): Promise<boolean> {
  const both = [database, other].map((one) => one.use((session) => session.run(identity)));
  const [ours, theirs] = (await Promise.all(both)).map(({ cells }) => JSON.stringify(cells));
  return ours === theirs;
}

/** The answers; null for a query that the user has no right to. */
function allowed(
  session: Session,
  { classifyError }: Dialect,
  queries: readonly Statement[],
): Promise<readonly (Answer | null)[]> {
  return inTurn(queries, (query) =>
    session.run(query).catch((error: unknown) => {
      const { kind } = classifyError(error);
      // A server without grant tables has no SHOW GRANTS either. It refuses that with the error of a read-only server.
      if (kind === 'permission' || kind === 'read-only') return null;
      throw error;
    }),
  );
}

/** Reads the names, sizes and comments of all tables and views of a database. */
export function surveyTables(database: Database, dialect: Dialect): Promise<readonly SurveyedTable[]> {
  return database.use(async (session) => {
    return dialect.surveyed(await inTurn(dialect.surveyQueries, (query) => session.run(query)));
  });
}

const mostRows = 1000;
/** Characters of a value: an e-mail address, a URL and the beginning of a token fit in. */
const mostCharacters = 128;
/** Characters of a sample: of a table with hundreds of columns fewer rows are read. */
const mostOfSample = 8_000_000;
/** Columns of other kinds say nothing, and may be large. */
const telling: ReadonlySet<Type['kind']> = new Set(['int', 'decimal', 'text', 'json', 'date', 'timestamp']);

/** Reads the first rows of a table. Null: it cannot be read in time, or not by this user. */
export async function readSample(database: Database, dialect: Dialect, table: CatalogTable): Promise<Sample | null> {
  const unread = table.rights.without.SELECT;
  const columns = table.columns
    .filter(({ name, type }) => telling.has(type.kind) && !unread.includes(name))
    .map(({ name }) => name);
  if (columns.length === 0) return { columns, rows: [] };
  const rows = Math.min(mostRows, Math.floor(mostOfSample / mostCharacters / columns.length));
  try {
    const statement = dialect.sample(table, columns, rows, mostCharacters);
    const { cells } = await database.use((session) => session.run(statement));
    const text = (cell: Cell) =>
      cell instanceof Uint8Array ? Buffer.from(cell).toString() : cell === null ? null : String(cell);
    return { columns, rows: cells.map((row) => row.map(text)) };
  } catch (error) {
    const { kind } = dialect.classifyError(error);
    if (error instanceof StatementTimeout || kind === 'timeout' || kind === 'permission') return null;
    throw error;
  }
}
