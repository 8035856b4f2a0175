import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { type Engine, type FreshDatabase, freshDatabase } from '../../support/servers/engines.ts';
import { setup, type Table } from './tables.ts';

export interface OpenTables {
  readonly database: FreshDatabase;
  readonly gateway: TestGateway;
  /** The ids that a filter on `v` finds; the text of the answer if it is refused. @param filter JSON text */
  ids(resource: string, filter: string): Promise<readonly unknown[] | string>;
  upsert(resource: string, method: string, records: readonly string[]): ReturnType<TestGateway['call']>;
  close(): Promise<void>;
}

/** A new database with the tables of each type, and a gateway for them. */
export async function openTables(engine: Engine, tables: readonly Table[]): Promise<OpenTables> {
  const mysql = engine.client === 'mysql';
  const database = await freshDatabase(engine);
  // Zero dates cannot be inserted under the default sql_mode.
  if (mysql) await database.exec("SET SESSION sql_mode = '', time_zone = '+00:00'");
  await database.exec(
    mysql ? setup(tables, mysql) : `SET TimeZone = 'UTC'; SET lc_monetary = 'C'; ${setup(tables, mysql)}`,
  );
  const resources = tables.flatMap(({ at, settings, thorough }) =>
    (thorough ? ['f', 'd', 'w'] : ['f', 'w']).map((kind) => [
      `${kind}${at}`,
      {
        database: 'db',
        table: `${kind}${at}`,
        access: { read: 'token', write: 'token' },
        ...(settings === undefined ? {} : { columns: { v: settings } }),
      },
    ]),
  );
  // Hundreds of searches run at once. Connection timeouts and estimates are not tested here, so the limits are high.
  const pool = engine.client === 'pglite' ? {} : { pool: { acquireTimeout: '60s' } };
  const gateway = await startGateway({
    databases: { db: { ...entry(database), ...pool } },
    resources: Object.fromEntries(resources),
    limits: { totalBudget: '60s', aggregateBudget: '60s' },
  });
  return {
    database,
    gateway,
    async ids(resource, filter) {
      const answer = await gateway.call(
        'datastore_search',
        `{"resource_id":"${resource}","fields":["id"],"sort":"id","limit":1000,"filters":{"v":${filter}}}`,
      );
      if (answer.status !== 200) return answer.text;
      const { result } = JSON.parse(answer.text);
      return result.records.map((record: { id: unknown }) => record.id);
    },
    upsert: (resource, method, records) =>
      gateway.call(
        'datastore_upsert',
        `{"resource_id":"${resource}","method":"${method}","records":[${records.join(',')}]}`,
      ),
    async close() {
      await gateway.close();
      await database.drop();
    },
  };
}

/** A plain list in a filter means IN, so a list value needs another list around it. */
export function asFilter({ lists, documents }: Table, json: string): string {
  if (documents) return `{"eq":${json}}`;
  return lists && !json.startsWith('"') ? `[${json}]` : json;
}
