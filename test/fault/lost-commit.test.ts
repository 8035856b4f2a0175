import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Answered, entry, startGateway, type TestGateway } from '../support/gateway.ts';
import { freshDatabase, type ServerDatabase } from '../support/servers/engines.ts';
import { openTap, type Tap, type Verdict } from '../support/tap.ts';

// Without PGlite, which has no connection to lose.
describe.runIf(inject('engines').length > 0).each(inject('engines').map((engine) => [engine.name, engine] as const))(
  'on %s',
  (_, engine) => {
    let database: ServerDatabase;
    let tap: Tap;
    let gateway: TestGateway;
    beforeAll(async () => {
      database = await freshDatabase(engine);
      await database.exec('CREATE TABLE t (k int PRIMARY KEY, a int)');
      tap = await openTap(database.url);
      const pool = { max: 2, acquireTimeout: '500ms' };
      gateway = await startGateway({
        databases: { db: { ...entry(database), connection: tap.url, pool } },
        resources: { t: { database: 'db', table: 't', access: { read: 'token', write: 'token', deleteAll: true } } },
        cache: { ttl: '1h' },
      });
    });
    afterEach(async () => {
      tap.watch(() => 'pass');
      await database.exec('DELETE FROM t');
      // Start each test with an empty table and no write of unknown outcome.
      await expect.poll(stored, { timeout: 5000 }).toEqual([]);
    });
    afterAll(async () => {
      await gateway?.close();
      tap?.close();
      await database?.drop();
    });

    const tells = engine.client === 'postgres';
    const rows = async () => (await database.query('SELECT k, a FROM t ORDER BY k')).map((row) => row.map(Number));
    const stored = async () => {
      const { records } = await gateway.result('datastore_search', {
        resource_id: 't',
        fields: 'k,a',
        sort: `k ${unique()}`,
      });
      return records;
    };
    let searches = 0;
    /** Alternates the sort, so that the answer is not cached. */
    const unique = () => (searches++ % 2 === 0 ? 'asc' : 'desc');
    const onCommit = (verdict: () => Verdict) =>
      tap.watch((bytes) => (/COMMIT(?!TED)/.test(bytes.toString('latin1')) ? verdict() : 'pass'));
    const insert = (more = {}) => {
      const records = [1, 2, 3].map((k) => ({ k, a: k }));
      return gateway.call('datastore_upsert', { resource_id: 't', method: 'insert', records, ...more });
    };
    const all = [
      [1, 1],
      [2, 2],
      [3, 3],
    ];
    const saying = ({ status, text }: Answered) => [status, JSON.parse(text).error?.__type ?? JSON.parse(text).success];
    const unknown = [503, 'Unknown Outcome'];

    test('a committed write is reported as committed, where the server can say so', async () => {
      onCommit(() => 'lose the answer');
      const answer = await insert({ include_records: true });
      expect(saying(answer)).toEqual(tells ? [200, true] : unknown);
      expect(await rows()).toEqual(all);
      if (tells) expect(JSON.parse(answer.text).result.records).toHaveLength(3);
      expect(saying(await gateway.call('datastore_records_delete', { resource_id: 't', filters: { k: 1 } }))).toEqual(
        tells ? [200, true] : unknown,
      );
      expect(await rows()).toEqual(all.slice(1));
    });

    test('a statement that never reached the server is reported as not written, where the server can say so', async () => {
      onCommit(() => ({ hangUpAndDeliverAfter: null }));
      expect(saying(await insert())).toEqual(tells ? [503, 'Service Unavailable'] : unknown);
      expect(await rows()).toEqual([]);
      tap.watch(() => 'pass');
      expect(saying(await insert())).toEqual([200, true]);
    });

    test('a statement still on its way is ended before its outcome is reported', async () => {
      onCommit(() => ({ hangUpAndDeliverAfter: 300 }));
      const answer = await insert();
      tap.watch(() => 'pass');
      if (tells) {
        expect(saying(answer)).toEqual([503, 'Service Unavailable']);
        expect(saying(await insert())).toEqual([200, true]);
      } else expect(saying(answer)).toEqual(unknown);
      await expect.poll(rows, { timeout: 5000 }).toEqual(all);
    });

    test('a record that is written by one statement may or may not be, and no answer of before it is kept', async () => {
      await insert();
      expect(await stored()).toHaveLength(3);
      tap.watch((bytes) => (/update .* set/i.test(bytes.toString('latin1')) ? { hangUpAndDeliverAfter: 300 } : 'pass'));
      expect(saying(await gateway.call('datastore_upsert', { resource_id: 't', records: [{ k: 2, a: 7 }] }))).toEqual(
        unknown,
      );
      tap.watch(() => 'pass');
      await expect.poll(rows, { timeout: 5000 }).toEqual([all[0], [2, 7], all[2]]);
    });

    test('where the server cannot be queried, the outcome is reported as unknown', async () => {
      onCommit(() => {
        tap.refuse();
        setTimeout(() => tap.cut(), 50);
        return 'lose the answer';
      });
      const answer = await insert();
      await tap.accept();
      expect(saying(answer)).toEqual(unknown);
      expect(await rows()).toEqual(all);
      await expect.poll(async () => (await gateway.call('datastore_search', { resource_id: 't' })).status).toBe(200);
    });
  },
);
