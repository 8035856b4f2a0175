import type { Settings } from '../../src/config/assemble.ts';
import { loadSettings } from '../../src/config/load.ts';
import * as dialects from '../../src/dialects/index.ts';
import { identifyServer, readCatalog } from '../../src/execute/catalog.ts';
import { chooseCommitMarker } from '../../src/execute/choose-commit-marker.ts';
import type { Catalog, Server, TableName } from '../../src/model/catalog.ts';
import type { CommitMarkerSource } from '../../src/model/commit-marker.ts';
import type { Dialect } from '../../src/model/dialect.ts';
import type { Answer, Statement } from '../../src/model/rows.ts';
import type { Table } from '../../src/model/table.ts';
import { closePools, openPools } from '../../src/servers/pools.ts';
import { bind } from '../../src/tables/bind.ts';
import { entry } from './gateway.ts';
import type { FreshDatabase } from './servers/engines.ts';

/** A test's database, opened with the gateway's own driver, session settings and dialect. */
export interface Opened {
  readonly server: Server;
  readonly dialect: Dialect;
  run(statement: Statement): Promise<Answer>;
  /** Runs SQL text without parameters. */
  sql(text: string): Promise<Answer>;
  /** Runs the statements in one session and returns the last result. If one of them fails, the session is rolled back. */
  inOneSession(...texts: readonly string[]): Promise<Answer>;
  catalog(...tables: readonly TableName[]): Promise<Catalog>;
  /** The source of the server's commit marker; null if the server has none. */
  commitMarkers(): Promise<CommitMarkerSource | null>;
  /** The current commit marker. */
  sample(source: CommitMarkerSource): Promise<string>;
  /** The table as a resource with these settings would expose it. Throws the complaints. */
  table(resource: Record<string, unknown>): Promise<Table>;
  close(): Promise<void>;
}

/** Opens a database as the gateway does. A PGlite database must be filled first, because only one process can open it. */
export async function open(fresh: FreshDatabase): Promise<Opened> {
  const settings = settingsOf(fresh, { table: 'any' });
  const pools = await openPools(settings);
  const database = pools.get('db');
  if (database === undefined) throw new Error('no database');
  const family = dialects[fresh.client];
  const server = await identifyServer(database, family);
  const dialect = family.dialect(server);
  const run = (statement: Statement) => database.use((session) => session.run(statement));
  const catalog = (...tables: readonly TableName[]) => readCatalog(database, dialect, tables);
  return {
    server,
    dialect,
    run,
    sql: (text) => run({ text, values: [] }),
    inOneSession: (...texts) =>
      database.use(async (session) => {
        let last: Answer = { names: [], types: [], cells: [], found: 0 };
        try {
          for (const text of texts) last = await session.run({ text, values: [] });
          return last;
        } catch (error) {
          await session.run({ text: 'ROLLBACK', values: [] }).catch(() => undefined);
          throw error;
        }
      }),
    catalog,
    commitMarkers: () => chooseCommitMarker(database, dialect),
    sample: async (source) => (await database.sampler.sample(source)).marker,
    async table(resource) {
      const resourceSettings = settingsOf(fresh, resource).resources.get('r');
      if (resourceSettings === undefined) throw new Error('no resource');
      const bound = bind(
        resourceSettings,
        await catalog({ schema: resourceSettings.schema, name: resourceSettings.table }),
      );
      if (bound.table === null) throw new Error(JSON.stringify(bound.complaints));
      return bound.table;
    },
    close: () => closePools(pools),
  };
}

function settingsOf(fresh: FreshDatabase, resource: Record<string, unknown>): Settings {
  const written = { databases: { db: entry(fresh) }, resources: { r: { database: 'db', ...resource } } };
  const loaded = loadSettings('test.yaml', {}, () => JSON.stringify(written));
  if (!loaded.ok) throw new Error(loaded.complaints.map((complaint) => complaint.text).join('\n'));
  return loaded.settings;
}
