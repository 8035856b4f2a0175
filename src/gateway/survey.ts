/** Reads a database that is not configured yet, or more of one that is: all of its tables, not only those of resources. */
import type { Database as DatabaseSettings, Settings } from '../config/assemble.ts';
import * as dialects from '../dialects/index.ts';
import { countFlags, identifyServer, readCatalog, surveyTables } from '../execute/catalog.ts';
import { outageOf } from '../execute/connection/outage.ts';
import type { Catalog, CatalogTable, FlagCounts, Server, SurveyedTable } from '../model/catalog.ts';
import type { Connected } from './gateway.ts';
import { openReadOnlyPool } from './pools.ts';
import { whyUnavailable } from './snapshot.ts';

/** The tables of a database, and ways to read more of some of them. Close it. */
export interface Survey {
  readonly server: Server;
  readonly tables: readonly SurveyedTable[];
  describe(tables: readonly SurveyedTable[]): Promise<Catalog>;
  /**
   * Samples the tables with columns that may hold truth values. Null where a sample could not be read in time; a table without
   * such columns is not there.
   */
  countFlags(tables: readonly CatalogTable[]): Promise<ReadonlyMap<CatalogTable, FlagCounts | null>>;
  close(): Promise<void>;
}

/** Lists the tables of a connected database, or says why it cannot. */
export async function listTables(
  settings: Settings,
  name: string,
  { database, dialect }: Pick<Connected, 'database' | 'dialect'>,
): Promise<{ readonly all: readonly SurveyedTable[] } | { readonly why: string }> {
  try {
    return { all: await surveyTables(database, dialect) };
  } catch (cause) {
    return { why: whyUnavailable(settings, name, cause) };
  }
}

/** Milliseconds for each statement: the server may be one that nobody dares to disturb. */
const statementTimeout = 2000;

/** Why a database cannot be used. `login`: the user or his password was refused. */
export interface NoSurvey {
  readonly why: string;
  readonly isLogin: boolean;
}

/** Connects and lists the tables, in sessions that can only read. */
export async function openSurvey(settings: DatabaseSettings): Promise<Survey | NoSurvey> {
  const careful = { ...settings, statementTimeout, pool: { ...settings.pool, max: 1 } };
  const database = openReadOnlyPool(careful);
  const family = dialects[settings.client];
  try {
    const server = await identifyServer(database, family);
    const dialect = family.dialect(server);
    return {
      server,
      tables: await surveyTables(database, dialect),
      describe: (tables) => readCatalog(database, dialect, tables),
      async countFlags(tables) {
        const counted = new Map<CatalogTable, FlagCounts | null>();
        for (const table of tables) {
          const counts = await countFlags(database, dialect, table);
          if (counts !== undefined) counted.set(table, counts);
        }
        return counted;
      },
      close: () => database.close(),
    };
  } catch (cause) {
    await database.close();
    const why = whyUnavailable({ databases: new Map([[settings.name, careful]]) }, settings.name, cause);
    return { why, isLogin: outageOf(cause, family.outage).is === 'login' };
  }
}
