import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import {
  freshDatabase,
  openSession,
  type ServerDatabase,
  type ServerEngine,
  servers,
} from '../../support/servers/engines.ts';
import { startPostgres } from '../../support/servers/postgres.ts';
import { thisMachine } from '../../support/servers/programs.ts';
import { openScope, type Scope } from '../../support/servers/scope.ts';

const [postgres, mysql] = ['postgres', 'mysql'].map((name) => servers().find((engine) => engine.name === name));
/** Servers without other clients, whose transactions would invalidate the cache. For MySQL one with GTIDs is needed, see CONTRIBUTING. */
const alone: readonly { readonly name: string; start(scope: Scope): Promise<ServerEngine> }[] = [
  ...(postgres === undefined
    ? []
    : [
        {
          name: 'postgres',
          start: async (scope: Scope) => ({ ...postgres, url: await startPostgres(scope, thisMachine()) }),
        },
      ]),
  ...(mysql === undefined || !(await hasGtids(mysql)) ? [] : [{ name: 'mysql', start: async () => mysql }]),
];

async function hasGtids(engine: ServerEngine): Promise<boolean> {
  const session = await openSession(engine);
  const [[log, gtids] = []] = await session.query('SELECT @@global.log_bin, @@global.gtid_mode');
  await session.close();
  return log === '1' && gtids === 'ON';
}

const scripts = {
  postgres: {
    tables: `CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN UPDATE b SET n = NEW.n; RETURN NULL; END';`,
    trigger: 'CREATE TRIGGER t AFTER UPDATE ON a FOR EACH ROW EXECUTE FUNCTION f()',
  },
  mysql: { tables: '', trigger: 'CREATE TRIGGER t AFTER UPDATE ON a FOR EACH ROW UPDATE b SET n = NEW.n' },
};

describe.each(alone.map((one) => [one.name, one] as const))(
  'writes through the gateway, where %s says whose they are',
  (_, server) => {
    let scope: Scope;
    let database: ServerDatabase;
    let gateway: TestGateway;
    beforeAll(async () => {
      scope = openScope();
      database = await freshDatabase(await server.start(scope));
      await database.exec(`${scripts[database.client].tables} CREATE TABLE a (id integer PRIMARY KEY, n integer); CREATE TABLE b (id integer PRIMARY KEY, n integer);
      INSERT INTO a VALUES (1, 0); INSERT INTO b VALUES (1, 0)`);
      const resource = (table: string) => ({
        database: 'db',
        table,
        access: { read: 'public', write: 'token', deleteAll: true },
      });
      gateway = await startGateway({
        databases: { db: { client: database.client, connection: database.url, maxStaleness: '50ms', refresh: 0 } },
        resources: { a: resource('a'), b: resource('b') },
        cache: { ttl: '1h' },
      });
    });
    afterAll(async () => {
      await gateway?.close();
      await database?.drop();
      await scope?.close();
    });

    const read = async (table: string) => {
      const response = await fetch(`${gateway.url}/api/3/action/datastore_search?resource_id=${table}`);
      const { result }: { result: { records: { n: number }[] } } = JSON.parse(await response.text());
      return [response.headers.get('x-cache'), result.records[0]?.n];
    };
    /** Waits until every earlier proof has expired. */
    const later = () => sleep(60);
    const writes: readonly (readonly [string, object])[] = [
      ['datastore_upsert', { method: 'update', records: [{ id: 1, n: 1 }] }],
      [
        'datastore_upsert',
        {
          method: 'upsert',
          records: [
            { id: 1, n: 2 },
            { id: 2, n: 2 },
          ],
        },
      ],
      ['datastore_upsert', { method: 'insert', records: [{ id: 3, n: 2 }], dry_run: true }],
      ['datastore_upsert', { method: 'insert', records: [{ id: 1, n: 2 }] }],
      ['datastore_records_delete', { filters: { id: 2 }, dry_run: true }],
      ['datastore_records_delete', { filters: { id: 2 } }],
    ];

    test('the answers over other tables stay in the cache', async () => {
      // The first write makes the gateway read the catalogue again, because others may have changed it.
      await read('b');
      await gateway.call('datastore_upsert', { resource_id: 'a', method: 'update', records: [{ id: 1, n: 9 }] });
      await later();
      await read('b');
      await sleep(500);
      await read('b');
      for (const [action, params] of writes) {
        await gateway.call(action, { resource_id: 'a', ...params });
        await later();
        expect([action, ...(await read('b'))]).toEqual([action, 'HIT', 0]);
      }
    });

    test('a trigger that others made is followed by the next write', async () => {
      await read('b');
      await later();
      expect((await read('b'))[1]).toBe(0);
      await database.exec(scripts[database.client].trigger);
      await later();
      await read('b');
      for (const n of [7, 8, 9]) {
        await gateway.call('datastore_upsert', { resource_id: 'a', method: 'update', records: [{ id: 1, n }] });
        await later();
        expect((await read('b'))[1]).toBe(n);
      }
    });
  },
);
