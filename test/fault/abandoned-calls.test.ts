import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entry, startGateway, type TestGateway, token } from '../support/gateway.ts';
import { backTo, handles, onServer } from '../support/leaks.ts';
import { freshDatabase, onePerDriver, openSession, type ServerDatabase } from '../support/servers/engines.ts';
import type { Session } from '../support/servers/sessions.ts';

// The view computes instead of sleeping, because some servers cut a sleep short and report success.
const ddl = `CREATE TABLE n (i int PRIMARY KEY, a int);
  INSERT INTO n VALUES ${Array.from({ length: 300 }, (_, i) => `(${i}, 0)`).join(', ')};
  CREATE VIEW never AS SELECT a.i AS a, b.i AS b FROM n a, n b, n c, n d WHERE a.i * b.i + c.i * d.i = -1;`;

// Without PGlite, which cannot interrupt a statement. How a statement is cancelled depends on the driver, not the engine.
const engines = onePerDriver();

describe.runIf(engines.length > 0).each(engines.map((engine) => [engine.name, engine] as const))(
  'on %s',
  (_, engine) => {
    let database: ServerDatabase;
    let gateway: TestGateway;
    let admin: Session;
    let name: string;
    beforeAll(async () => {
      database = await freshDatabase(engine);
      name = new URL(database.url).pathname.slice(1);
      await database.exec(ddl);
      await database.exec(engine.client === 'mysql' ? 'USE mysql' : 'SELECT 1');
      admin = await openSession(engine);
      const access = { read: 'token', write: 'token' };
      gateway = await startGateway({
        databases: { db: { ...entry(database), pool: { max: 2, acquireTimeout: '5s' }, statementTimeout: '30s' } },
        resources: {
          never: { database: 'db', table: 'never' },
          fresh: { database: 'db', table: 'never', cache: { ttl: 0 } },
          n: { database: 'db', table: 'n', access },
        },
        cache: { ttl: '1h' },
        mcp: { serve: 'auto' },
      });
    });
    afterAll(async () => {
      await gateway?.close();
      await admin?.close();
      await database?.drop();
    });

    const busy = async () => (await onServer(admin, engine.client, name)).busy;
    const running = (count: number) => expect.poll(busy, { timeout: 5000, interval: 20 }).toBe(count);
    const works = async () => expect((await gateway.call('datastore_search', { resource_id: 'n' })).status).toBe(200);
    const ask = (resource: string, headers: Record<string, string> = {}) => {
      const leaves = new AbortController();
      const url = `${gateway.url}/api/3/action/datastore_search?resource_id=${resource}`;
      const call = fetch(url, { headers: { Authorization: token, ...headers }, signal: leaves.signal });
      return { leave: () => leaves.abort(), left: expect(call).rejects.toThrow(/abort/) };
    };

    test('a search is ended on the server when its last client has left, not before', async () => {
      await works();
      const before = handles();
      const [one, other] = [ask('never'), ask('never')];
      await running(1);
      one.leave();
      await one.left;
      await sleep(200);
      expect(await busy()).toBe(1);
      other.leave();
      await other.left;
      await running(0);
      await works();
      await backTo(before, handles);
    });

    test.each([
      ['is not kept', 'fresh', {}],
      ['is asked for anew', 'never', { 'Cache-Control': 'no-cache' }],
    ])('a search whose answer %s is ended when its caller has left', async (_case, resource, headers) => {
      const one = ask(resource, headers);
      await running(1);
      one.leave();
      await one.left;
      await running(0);
      await works();
    });

    test('the search of a tool is ended when its caller has left', async () => {
      const leaves = new AbortController();
      const params = { name: 'search_records', arguments: { resource_id: 'never' } };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      const headers = { Authorization: token, 'Content-Type': 'application/json' };
      const call = fetch(`${gateway.url}/mcp`, { method: 'POST', headers, body, signal: leaves.signal });
      await running(1);
      leaves.abort();
      await expect(call).rejects.toThrow(/abort/);
      await running(0);
      await works();
    });

    test('a client that leaves while it waits for a connection sends no statement when there is one', async () => {
      const holders = [ask('never'), ask('fresh')];
      await running(2);
      const waiting = ask('never', { 'Cache-Control': 'no-cache' });
      await sleep(100);
      waiting.leave();
      await waiting.left;
      for (const holder of holders) holder.leave();
      for (const holder of holders) await holder.left;
      await running(0);
      await works();
    });

    test('a write goes on to its end when its client leaves, as its outcome would be unknown', async () => {
      const holder = await openSession(database);
      try {
        await holder.exec('BEGIN; UPDATE n SET a = 1 WHERE i = 7');
        const leaves = new AbortController();
        const body = JSON.stringify({ resource_id: 'n', records: [{ i: 7, a: 2 }] });
        const headers = { Authorization: token, 'Content-Type': 'application/json' };
        const url = `${gateway.url}/api/3/action/datastore_upsert`;
        const written = fetch(url, { method: 'POST', headers, body, signal: leaves.signal });
        // On MySQL the count includes the holder's own session, except while it is idle.
        await running(1);
        leaves.abort();
        await expect(written).rejects.toThrow(/abort/);
        await holder.exec('COMMIT');
        const stored = async () => (await holder.query('SELECT a FROM n WHERE i = 7'))[0]?.[0];
        await expect.poll(async () => String(await stored()), { timeout: 5000 }).toBe('2');
      } finally {
        await holder.close();
      }
    });
  },
);
