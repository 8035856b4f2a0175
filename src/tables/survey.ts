/** Surveys all tables of a database, even those that no resource uses. The database need not be configured. */
import type { Database as DatabaseSettings, Settings } from '../config/assemble.ts';
import * as dialects from '../dialects/index.ts';
import { identifyServer, readCatalog, readSample, surveyTables } from '../execute/catalog.ts';
import { outageOf } from '../execute/connection/outage.ts';
import type { Catalog, CatalogTable, Server, SurveyedTable } from '../model/catalog.ts';
import { type Evidence, evidenceIn } from '../propose/values.ts';
import { openReadOnlyPool } from '../servers/pools.ts';
import type { Connected } from './served.ts';
import { whyUnavailable } from './snapshot.ts';

/** The tables of a database, and ways to read more about some of them. Must be closed. */
export interface Survey {
  readonly server: Server;
  readonly tables: readonly SurveyedTable[];
  describe(tables: readonly SurveyedTable[]): Promise<Catalog>;
  /** Samples tables, and returns only what their values look like. Stops after a few samples that could not be read in time. */
  sample(tables: readonly CatalogTable[]): Promise<ReadonlyMap<CatalogTable, Evidence>>;
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

/** The timeout for each sample. It is short, because the server may be busy with other applications. */
const sampleTimeoutMs = 1000;
/** The timeout for each catalogue query. It is long, because the catalogue may have thousands of tables. */
const catalogTimeoutMs = 10_000;
/** Sampling stops after this many failures. */
const maxFailures = 5;

/** Why the catalogue cannot be read, in a sentence. */
export class UnreadCatalog extends Error {}

/** Why a database cannot be used. `isLoginRefused`: the user or the password was refused. */
export interface NoSurvey {
  readonly why: string;
  readonly isLoginRefused: boolean;
}

/** Connects and lists the tables, in sessions that can only read. */
export async function openSurvey(settings: DatabaseSettings): Promise<Survey | NoSurvey> {
  const careful = { ...settings, statementTimeout: catalogTimeoutMs, pool: { ...settings.pool, max: 1 } };
  const database = await openReadOnlyPool(careful);
  const samples = await openReadOnlyPool({ ...careful, statementTimeout: sampleTimeoutMs });
  const family = dialects[settings.client];
  const why = (cause: unknown) =>
    whyUnavailable({ databases: new Map([[settings.name, careful]]) }, settings.name, cause);
  try {
    const server = await identifyServer(database, family);
    const dialect = family.dialect(server);
    return {
      server,
      tables: await surveyTables(database, dialect),
      describe: (tables) =>
        readCatalog(database, dialect, tables).catch((cause: unknown) => {
          throw new UnreadCatalog(why(cause), { cause });
        }),
      async sample(tables) {
        const evidence = new Map<CatalogTable, Evidence>();
        let failures = 0;
        for (const table of tables) {
          if (failures >= maxFailures) break;
          const sample = await readSample(samples, dialect, table);
          if (sample === null) failures += 1;
          evidence.set(table, evidenceIn(table, sample));
        }
        return evidence;
      },
      close: async () => void (await Promise.all([database.close(), samples.close()])),
    };
  } catch (cause) {
    await Promise.all([database.close(), samples.close()]);
    return { why: why(cause), isLoginRefused: outageOf(cause, family.outage).is === 'login' };
  }
}
