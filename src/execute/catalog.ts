import type { Catalog, CatalogTable, Sample, Server, SurveyedTable, TableName } from '../model/catalog.ts';
import type { CatalogDialect } from '../model/dialect/catalog.ts';
import type { SessionDialect } from '../model/dialect/session.ts';
import type { Family } from '../model/dialect.ts';
import type { FeedFacts, LogCheck } from '../model/feed.ts';
import { type Answer, plain, type Statement } from '../model/rows.ts';
import type { Type } from '../model/table.ts';
import type { Cell } from '../model/value.ts';
import { inTurn } from '../values/in-turn.ts';
import { askAll } from './ask.ts';
import type { Session } from './connection/call-sessions.ts';
import type { Database } from './connection/database.ts';
import { StatementTimeout } from './connection/session.ts';

/** Reads product, version and settings of the server. Throws the driver's error if the server cannot be reached. */
export function identifyServer(database: Database, family: Pick<Family, 'serverQuery' | 'server'>): Promise<Server> {
  return database.use(async (session) => family.server(await session.run(plain(family.serverQuery))));
}

/** Reads the catalogue of these tables. If the user may not run a query, the dialect gets null, and treats its facts as unknown. */
export function readCatalog(
  database: Database,
  dialect: CatalogDialect & SessionDialect,
  tables: readonly TableName[],
): Promise<Catalog> {
  return database.use(async (session) => {
    // Two resources may show the same table. Without this, the result would contain its columns twice.
    const unique = [...new Map(tables.map((table) => [JSON.stringify([table.schema, table.name]), table])).values()];
    const { statements, read } = dialect.catalog(unique);
    return read(await runPermitted(session, dialect, statements));
  });
}

/** Reads the definition of one table from the catalogue; null if there is no such table. */
export function readDefinition(database: Database, dialect: CatalogDialect, table: TableName): Promise<string | null> {
  return database.use((session) => askAll(session, dialect.definition(table)));
}

/** Checks whether the server's settings and the user's rights let the gateway read from the log what other clients change. */
export function readFeedFacts(database: Database, dialect: SessionDialect, check: LogCheck): Promise<FeedFacts> {
  return database.use(async (session) => check.facts(await runPermitted(session, dialect, check.queries)));
}

/** Whether two connections lead to servers with the same log, so that each shows the other's transactions. */
export async function haveOneLog(database: Database, other: Database, { identity }: LogCheck): Promise<boolean> {
  const both = [database, other].map((one) => one.use((session) => session.run(identity)));
  const [ours, theirs] = (await Promise.all(both)).map(({ cells }) => JSON.stringify(cells));
  return ours === theirs;
}

/** Runs the queries one after the other. The answer is null if the user may not run a query. */
function runPermitted(
  session: Session,
  { classifyError }: SessionDialect,
  queries: readonly Statement[],
): Promise<readonly (Answer | null)[]> {
  return inTurn(queries, (query) =>
    session.run(query).catch((error: unknown) => {
      const { kind } = classifyError(error);
      // MySQL started with --skip-grant-tables refuses SHOW GRANTS, with the same error as a read-only server.
      if (kind === 'permission' || kind === 'read-only') return null;
      throw error;
    }),
  );
}

/** Reads the names, sizes and comments of all tables and views of a database. */
export function surveyTables(database: Database, dialect: CatalogDialect): Promise<readonly SurveyedTable[]> {
  return database.use((session) => askAll(session, dialect.survey));
}

const maxSampleRows = 1000;
/** How many characters of each value we read: enough to recognize an e-mail address, a URL or an API key. */
const maxCharactersPerValue = 128;
/** Limit of characters per sample. A table with hundreds of columns gets a sample of fewer rows. */
const maxSampleCharacters = 8_000_000;
/** The types worth sampling. Values of other types (binary, for example) reveal nothing about their column, and may be large. */
const sampledKinds: ReadonlySet<Type['kind']> = new Set(['int', 'decimal', 'text', 'json', 'date', 'timestamp']);

/** Reads the first rows of a table; null if that takes too long, or the user may not read it. */
export async function readSample(
  database: Database,
  dialect: CatalogDialect & SessionDialect,
  table: CatalogTable,
): Promise<Sample | null> {
  const unreadable = table.rights.without.SELECT;
  const columns = table.columns
    .filter(({ name, type }) => sampledKinds.has(type.kind) && !unreadable.includes(name))
    .map(({ name }) => name);
  if (columns.length === 0) return { columns, rows: [] };
  const rows = Math.min(maxSampleRows, Math.floor(maxSampleCharacters / maxCharactersPerValue / columns.length));
  try {
    const statement = dialect.sample(table, columns, rows, maxCharactersPerValue);
    const { cells } = await database.use((session) => session.run(statement));
    const textOf = (cell: Cell) =>
      cell instanceof Uint8Array ? Buffer.from(cell).toString() : cell === null ? null : String(cell);
    return { columns, rows: cells.map((row) => row.map(textOf)) };
  } catch (error) {
    const { kind } = dialect.classifyError(error);
    if (error instanceof StatementTimeout || kind === 'timeout' || kind === 'permission') return null;
    throw error;
  }
}
