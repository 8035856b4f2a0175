import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Engine, engines, freshDatabase, type ServerDatabase, type ServerEngine } from '../servers/engines.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { openTap, type Tap } from '../support/tap.ts';

const isServer = (engine: Engine): engine is ServerEngine => engine.client !== 'pglite';

describe.each(
  engines()
    .filter(isServer)
    .map((engine) => [engine.name, engine] as const),
)('on %s', (_, engine) => {
  let fresh: ServerDatabase;
  let tap: Tap;
  let gateway: TestGateway;
  beforeAll(async () => {
    fresh = await freshDatabase(engine);
    await fresh.exec(`CREATE TABLE t (id int PRIMARY KEY, n int); INSERT INTO t VALUES (1, 0)`);
    tap = await openTap(fresh.url);
    gateway = await startGateway({
      databases: { db: { client: engine.client, connection: tap.url } },
      resources: { t: { database: 'db', table: 't', access: { read: 'token', write: 'token' } } },
      cache: { ttl: '1h' },
    });
  });
  afterAll(async () => {
    await gateway?.close();
    tap?.close();
    await fresh?.drop();
  });

  const search = async () => {
    const answer = await gateway.call('datastore_search', { resource_id: 't', fields: 'n' });
    const { result }: { result: { records: { n: number }[] } } = JSON.parse(answer.text);
    return { n: result.records[0]?.n, verdict: answer.headers.get('x-cache') };
  };

  test('a commit that comes after its client was told that nobody knows is seen as soon as it is there', async () => {
    await search();
    expect((await search()).verdict).toBe('HIT');
    tap.watch((bytes) => (bytes.includes('COMMIT') ? { hangUpAndDeliverAfter: 500 } : 'pass'));
    const written = await gateway.call('datastore_upsert', { resource_id: 't', records: [{ id: 1, n: 7 }] });
    tap.watch(() => 'pass');
    expect([written.status, written.text]).toEqual([503, expect.stringContaining('may or may not have been written')]);

    // It is still to come: what is read now may be old soon, and is not kept.
    const before = await search();
    expect(before).toEqual({ n: 0, verdict: null });

    const until = performance.now() + 10_000;
    for (;;) {
      const inDatabase = JSON.stringify(await fresh.query('SELECT n FROM t')).includes('7');
      const { n } = await search();
      // Looked at first, so the search may be the newer one, never the older.
      if (inDatabase) {
        expect(n).toBe(7);
        break;
      }
      if (performance.now() > until) throw new Error('the commit never came');
      await sleep(10);
    }
    // And when the session is gone, answers are kept again.
    while ((await search()).verdict !== 'HIT') {
      if (performance.now() > until) throw new Error('nothing is kept any more');
      await sleep(20);
    }
    expect((await search()).n).toBe(7);
  });
});
