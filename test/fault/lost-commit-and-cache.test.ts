import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { anyServer, freshDatabase, type ServerDatabase, servers } from '../support/servers/engines.ts';
import { openTap, type Tap } from '../support/tap.ts';

// Only a MySQL server: PostgreSQL can report the outcome of a lost commit, and PGlite has no connection to lose. One is enough, because they share a
// driver and the cache does not depend on the engine.
const forgetful = anyServer(servers().filter(({ client }) => client === 'mysql'));

describe.runIf(forgetful.length > 0).each(forgetful.map((engine) => [engine.name, engine] as const))(
  'on %s',
  (_, engine) => {
    let fresh: ServerDatabase;
    let tap: Tap;
    let gateway: TestGateway;
    const configuration = (pool: number) => ({
      databases: { db: { client: engine.client, connection: tap.url, pool: { max: pool } } },
      resources: {
        t: { database: 'db', table: 't', access: { read: 'token', write: 'token' } },
        bare: { database: 'db', table: 'bare', access: { read: 'token', write: 'token' } },
      },
      cache: { ttl: '1h' },
    });
    beforeAll(async () => {
      fresh = await freshDatabase(engine);
      await fresh.exec(`CREATE TABLE t (id int PRIMARY KEY, n int); INSERT INTO t VALUES (1, 0);
      CREATE TABLE bare (id int PRIMARY KEY, n int) ENGINE = MyISAM; INSERT INTO bare VALUES (1, 0)`);
      tap = await openTap(fresh.url);
      gateway = await startGateway(configuration(4));
    });
    afterAll(async () => {
      await gateway?.close();
      tap?.close();
      await fresh?.drop();
    });

    const search = async (id = 't') => {
      const answer = await gateway.call('datastore_search', { resource_id: id, fields: 'n' });
      const { result }: { result: { records: { n: number }[] } } = JSON.parse(answer.text);
      return { n: result.records[0]?.n, verdict: answer.headers.get('x-cache') };
    };

    /** Reads the database before the gateway, so that the gateway's answer can only be newer, never older. */
    const becomes = async (value: number, table: string) => {
      const until = performance.now() + 10_000;
      for (;;) {
        const isThere = JSON.stringify(await fresh.query(`SELECT n FROM ${table}`)).includes(String(value));
        const { n } = await search(table);
        if (isThere) {
          expect(n).toBe(value);
          return;
        }
        if (performance.now() > until) throw new Error('the write never came');
        await sleep(10);
      }
    };

    test('a commit that comes after the client got an unknown outcome is seen as soon as it is there', async () => {
      await search();
      expect((await search()).verdict).toBe('HIT');
      tap.watch((bytes) => (/COMMIT(?!TED)/.test(bytes.toString('latin1')) ? { hangUpAndDeliverAfter: 500 } : 'pass'));
      const written = await gateway.call('datastore_upsert', {
        resource_id: 't',
        records: [
          { id: 1, n: 7 },
          { id: 2, n: 7 },
        ],
      });
      tap.watch(() => 'pass');
      expect([written.status, written.text]).toEqual([
        503,
        expect.stringContaining('may or may not have been written'),
      ]);

      // The commit has not arrived yet: an answer read now may soon be stale, so it is not cached.
      const before = await search();
      expect(before).toEqual({ n: 0, verdict: null });

      await becomes(7, 't');
      // After the session has ended, answers are cached again.
      await vi.waitFor(async () => expect(await search()).toEqual({ n: 7, verdict: 'HIT' }), { timeout: 10_000 });
    });

    test('a reload that drops the connections of such a commit does not end the doubt', async () => {
      // A delay that is long enough for the reload on a busy machine.
      tap.watch((bytes) => (/COMMIT(?!TED)/.test(bytes.toString('latin1')) ? { hangUpAndDeliverAfter: 3000 } : 'pass'));
      const written = await gateway.call('datastore_upsert', {
        resource_id: 't',
        records: [
          { id: 1, n: 8 },
          { id: 2, n: 8 },
        ],
      });
      tap.watch(() => 'pass');
      expect(written.status).toBe(503);
      expect(await gateway.reload(configuration(5))).toEqual([]);
      await sleep(400);
      expect(await search()).toEqual({ n: 7, verdict: null });
      await becomes(8, 't');
    });

    // A single record in a transactional table is written by one autocommitted statement.
    test.each([
      ['t', 8],
      ['bare', 0],
    ])('a statement that %s is still to get is in doubt as a commit is', async (table, before) => {
      await search(table);
      tap.watch((bytes) =>
        /^.{5,7}update /is.test(bytes.toString('latin1')) ? { hangUpAndDeliverAfter: 500 } : 'pass',
      );
      const written = await gateway.call('datastore_upsert', { resource_id: table, records: [{ id: 1, n: 9 }] });
      tap.watch(() => 'pass');
      expect([written.status, written.text]).toEqual([
        503,
        expect.stringContaining('may or may not have been written'),
      ]);
      expect(await search(table)).toEqual({ n: before, verdict: null });
      await becomes(9, table);
    });
  },
);
