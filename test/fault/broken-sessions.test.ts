import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { type Answered, entry, startGateway, type TestGateway } from '../support/gateway.ts';
import { type FreshDatabase, freshDatabase, openSession } from '../support/servers/engines.ts';
import type { Session } from '../support/servers/sessions.ts';

const access = { read: 'token', write: 'token', deleteAll: true };

async function until<T>(look: () => Promise<T | null>): Promise<T> {
  for (let attempt = 0; attempt < 1000; attempt++) {
    const seen = await look();
    if (seen !== null) return seen;
    await sleep(10);
  }
  throw new Error('it has not come in ten seconds');
}

// Without PGlite: it has a single session, so no other session can kill it or hold a lock.
describe.runIf(inject('engines').length > 0).each(inject('engines').map((engine) => [engine.name, engine] as const))(
  'on %s',
  (_, engine) => {
    let database: FreshDatabase;
    let gateway: TestGateway;
    let admin: Session;
    let holder: Session;
    let holderId: number;
    let name: string;
    const kill = (id: string) =>
      admin
        .query(engine.client === 'postgres' ? `SELECT pg_terminate_backend(${id})::text` : `KILL ${id}`)
        .catch(() => []);

    beforeEach(async () => {
      database = await freshDatabase(engine);
      name = new URL(database.url ?? '').pathname.slice(1);
      await database.exec(`CREATE TABLE t (k int PRIMARY KEY, a int); INSERT INTO t VALUES (1, 1), (2, 2), (3, 3)`);
      admin = await openSession(engine);
      holder = await openSession({ client: engine.client, url: database.url ?? '' });
      const ownSessionId = engine.client === 'postgres' ? 'pg_backend_pid()' : 'CONNECTION_ID()';
      holderId = Number((await holder.query(`SELECT ${ownSessionId}`))[0]?.[0]);
      gateway = await startGateway({
        databases: { db: { ...entry(database), pool: { max: 2 }, statementTimeout: '20s' } },
        resources: { t: { database: 'db', table: 't', access } },
      });
    });
    afterEach(async () => {
      await gateway?.close();
      await holder?.close().catch(() => undefined);
      await admin?.close();
      await database?.drop();
    });

    const upsert = (records: readonly object[]) => gateway.call('datastore_upsert', { resource_id: 't', records });
    const stored = async () => (await gateway.result('datastore_search', { resource_id: 't', fields: 'k,a' })).records;
    const untouched = [
      { k: 1, a: 1 },
      { k: 2, a: 2 },
      { k: 3, a: 3 },
    ];
    /** Locks one record, so that a call that writes it stops halfway. */
    const hold = (k: number) => holder.exec(`BEGIN; UPDATE t SET a = -1 WHERE k = ${k}`);
    /** The sessions that wait for the locked record, once there are this many. */
    const waiting = (count: number) =>
      until(async () => {
        // The server may list a statement for a moment after its answer.
        const rows = await admin.query(
          engine.client === 'postgres'
            ? `SELECT pid::text FROM pg_stat_activity WHERE datname = '${name}' AND wait_event_type = 'Lock'`
            : `SELECT id FROM information_schema.processlist WHERE db = '${name}' AND id <> ${holderId} AND (info LIKE '%FOR UPDATE' OR info LIKE 'DELETE%' OR info LIKE 'UPDATE%' OR info LIKE 'INSERT%')`,
        );
        return rows.length >= count ? rows.map(([id]) => id ?? '') : null;
      });
    const is503 = ({ status, text, headers }: Answered, message: RegExp) => {
      expect([status, JSON.parse(text).error]).toEqual([
        503,
        { __type: 'Service Unavailable', message: expect.stringMatching(message) },
      ]);
      expect(headers.get('retry-after')).toMatch(/^\d+$/);
    };

    test('a session killed in the middle of a write: 503, nothing written, and the next call works', async () => {
      await hold(3);
      const call = upsert([
        { k: 1, a: 10 },
        { k: 3, a: 30 },
        { k: 9, a: 90 },
      ]);
      for (const id of await waiting(1)) await kill(id);
      is503(await call, /cannot be reached/);
      await holder.exec('ROLLBACK');
      expect(await stored()).toEqual(untouched);
      expect(
        (
          await upsert([
            { k: 1, a: 10 },
            { k: 9, a: 90 },
          ])
        ).status,
      ).toBe(200);
      expect(await stored()).toEqual([
        { k: 1, a: 10 },
        { k: 2, a: 2 },
        { k: 3, a: 3 },
        { k: 9, a: 90 },
      ]);
    });

    test.runIf(engine.client === 'postgres')(
      'a session killed while it commits: 503, and the outcome is not claimed',
      async () => {
        // A deferred trigger runs during COMMIT, where it waits for our lock.
        await database.exec(`
      CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_advisory_xact_lock(4711); RETURN NULL; END';
      CREATE CONSTRAINT TRIGGER late AFTER UPDATE ON t DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION stop();`);
        await holder.exec('SELECT pg_advisory_lock(4711)');
        const call = upsert([
          { k: 1, a: 10 },
          { k: 2, a: 20 },
        ]);
        for (const id of await waiting(1)) await kill(id);
        const { status, text } = await call;
        expect([status, JSON.parse(text).error.__type]).toEqual([
          503,
          expect.toBeOneOf(['Unknown Outcome', 'Service Unavailable']),
        ]);
        expect(await stored()).toEqual(untouched);
      },
    );

    test('a killed delete deletes nothing', async () => {
      await hold(3);
      const call = gateway.call('datastore_records_delete', { resource_id: 't', filters: { k: [1, 2, 3] } });
      for (const id of await waiting(1)) await kill(id);
      is503(await call, /cannot be reached/);
      await holder.exec('ROLLBACK');
      expect(await stored()).toEqual(untouched);
    });

    test('idle sessions killed behind its back cost at most one answer each, never a wrong one', async () => {
      await Promise.all([stored(), stored(), stored()]);
      const ids = await admin.query(
        engine.client === 'postgres'
          ? `SELECT pid::text FROM pg_stat_activity WHERE datname = '${name}' AND application_name = 'datastore-gateway'`
          : `SELECT p.id FROM information_schema.processlist p WHERE p.db = '${name}' AND p.command = 'Sleep'`,
      );
      // Among the idle sessions of MySQL are two of this test; they reconnect when they are needed.
      for (const [id] of ids) await kill(id ?? '');
      const answers: number[] = [];
      for (let nth = 0; nth < 6; nth++)
        answers.push((await gateway.call('datastore_search', { resource_id: 't' })).status);
      expect(answers.slice(-3)).toEqual([200, 200, 200]);
      expect(answers.filter((status) => status !== 200 && status !== 503)).toEqual([]);
      expect(await stored()).toEqual(untouched);
    });

    test('where all sessions are busy, a call is refused soon, and a later one is answered', async () => {
      await hold(3);
      const busy = [upsert([{ k: 3, a: 31 }]), upsert([{ k: 3, a: 32 }])];
      await waiting(2);
      const pendingCalls = [gateway.call('datastore_search', { resource_id: 't' }), upsert([{ k: 1, a: 1 }])];
      for (const answer of await Promise.all(pendingCalls)) is503(answer, /busy/);
      await holder.exec('ROLLBACK');
      expect((await Promise.all(busy)).map(({ status }) => status)).toEqual([200, 200]);
      expect(await stored()).toEqual([...untouched.slice(0, 2), { k: 3, a: expect.toBeOneOf([31, 32]) }]);
    });

    test('a caller that leaves does not take the write of another with him', async () => {
      await hold(3);
      const disconnect = new AbortController();
      const abandonedCall = fetch(`${gateway.url}/api/3/action/datastore_upsert`, {
        ...{
          method: 'POST',
          signal: disconnect.signal,
          headers: { 'Content-Type': 'application/json', Authorization: 'test-token' },
        },
        body: JSON.stringify({
          resource_id: 't',
          records: [
            { k: 1, a: 100 },
            { k: 3, a: 100 },
          ],
        }),
      }).catch(() => null);
      await waiting(1);
      disconnect.abort();
      expect(await abandonedCall).toBeNull();
      const other = upsert([{ k: 3, a: 300 }]);
      await waiting(2);
      await holder.exec('ROLLBACK');
      expect((await other).status).toBe(200);
      // The abandoned call may have been written, before or after the other one, or not; but never in part.
      const ends = [
        '[{"k":1,"a":1},{"k":2,"a":2},{"k":3,"a":300}]',
        '[{"k":1,"a":100},{"k":2,"a":2},{"k":3,"a":300}]',
        '[{"k":1,"a":100},{"k":2,"a":2},{"k":3,"a":100}]',
      ];
      const records = await until(async () => {
        const found = JSON.stringify(await stored());
        return ends.includes(found) ? found : null;
      });
      expect(records).toBeTruthy();
    });
  },
);
