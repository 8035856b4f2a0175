import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway } from '../../support/gateway.ts';
import { open } from '../../support/open-database.ts';
import { anyServer, byName, freshDatabase, type ServerEngine } from '../../support/servers/engines.ts';
import { openScope, type Scope } from '../../support/servers/scope.ts';
import { check } from './check.ts';
import { variants } from './variants.ts';

const soak = process.env.SOAK_OPERATIONS;
const all = variants();
const reads = Math.ceil(Number(soak ?? 1200) / all.length / 2);

/** Each statement can change an answer, some of them without changing a row. */
const changesOf = (client: ServerEngine['client']): readonly string[] => [
  'UPDATE t SET n = 1',
  'CREATE VIEW w AS SELECT id FROM t',
  ...(client === 'postgres'
    ? ['ALTER VIEW w RENAME TO x', 'CREATE FUNCTION f() RETURNS integer LANGUAGE sql RETURN 1']
    : ['RENAME TABLE w TO x', 'CREATE FUNCTION f() RETURNS integer DETERMINISTIC RETURN 1']),
  'DROP FUNCTION f',
  'DROP VIEW x',
  'DROP TABLE t',
];

describe.each(all.map((variant) => [variant.name, variant] as const))('on %s', (name, variant) => {
  let scope: Scope;
  let engine: ServerEngine;
  beforeAll(async () => {
    scope = openScope();
    engine = await variant.start(scope);
  });
  afterAll(() => scope?.close());

  test('the best token is chosen; a commit changes it, reading does not', async () => {
    const database = await freshDatabase(engine);
    await database.exec('CREATE TABLE t (id integer PRIMARY KEY, n integer); INSERT INTO t VALUES (1, 0)');
    const opened = await open(database);
    try {
      const source = await opened.commitMarkers();
      if (source === null) {
        expect(variant.commitMarkers).toEqual([]);
        return;
      }
      expect(variant.commitMarkers).toContain(source.name);
      const before = await opened.sample(source);
      // Not on a shared server, where other test files write, too.
      if (variant.isAlone) {
        await database.query('SELECT * FROM t');
        await opened.sql('SELECT * FROM t');
        expect(await opened.sample(source)).toBe(before);
      }
      let last = before;
      for (const statement of changesOf(variant.client)) {
        await database.exec(statement);
        const now = await opened.sample(source);
        expect(now, statement).not.toBe(last);
        last = now;
      }
    } finally {
      await opened.close();
      await database.drop();
    }
  });

  test.skipIf(variant.commitMarkers.length === 0)(
    'a transaction that only inserts is seen, however long it was open',
    async () => {
      const database = await freshDatabase(engine);
      await database.exec('CREATE TABLE t (id integer PRIMARY KEY)');
      const gateway = await startGateway({
        databases: { db: { client: engine.client, connection: database.url, maxStaleness: '50ms' } },
        resources: { t: { database: 'db', table: 't' } },
        cache: { ttl: '1h' },
      });
      const count = async () => (await gateway.result('datastore_search', { resource_id: 't' })).total;
      try {
        for (let n = 1; n <= 3; n++) {
          await database.exec('BEGIN');
          await database.exec(`INSERT INTO t VALUES (${n})`);
          // Longer than the time by which a commit marker may be early.
          for (const until = performance.now() + 400; performance.now() < until; await sleep(10)) await count();
          await database.exec('COMMIT');
          await sleep(60);
          expect(await count()).toBe(n);
        }
      } finally {
        await gateway.close();
        await database.drop();
      }
    },
  );

  test.skipIf(variant.commitMarkers.length === 0).each([{ maxStaleness: '50ms' }, { maxStaleness: 0 }])(
    'no cached answer is older than $maxStaleness after a commit past the gateway',
    async ({ maxStaleness }) => {
      const { hasLog } = variant;
      // A checker without hits would find nothing. But on a shared server other test files invalidate the cache, and with a marker that moves early
      // and a staleness of 0 there are hits only while nobody writes.
      const fewest = Math.ceil(reads / 10);
      const hits = variant.isAlone && maxStaleness !== 0 ? fewest : 0;
      const { stale, ...found } = await check(engine, { maxStaleness, reads, hits, hasLog });
      console.log(`${name} ${maxStaleness} ${JSON.stringify(found)}`);
      expect(stale).toEqual([]);
      expect(found.hits).toBeGreaterThanOrEqual(hits);
      expect(found.misses).toBeGreaterThan(0);
      expect(found.writes).toBeGreaterThan(0);
    },
    60_000 + reads * 60,
  );
});

test.each(byName(anyServer()))('a request that finds a change asks for one token, on %s', async (_, engine) => {
  const database = await freshDatabase(engine);
  await database.exec('CREATE TABLE t (id integer PRIMARY KEY, n integer); INSERT INTO t VALUES (1, 0)');
  const gateway = await startGateway({
    databases: { db: { client: engine.client, connection: database.url, maxStaleness: 0 } },
    resources: { t: { database: 'db', table: 't', access: { read: 'public' } } },
    cache: { ttl: '1h' },
  });
  const read = async () => {
    const { headers } = await fetch(`${gateway.url}/api/3/action/datastore_search?resource_id=t`);
    return headers.get('x-cache');
  };
  const proofs = () => gateway.events.filter(({ on }) => on === 'proved').length;
  try {
    // Other test files write to the same server, so we repeat the read until it hits the fast path.
    await expect.poll(read).toBe('HIT');
    await expect.poll(read).toBe('HIT');
    await database.exec('UPDATE t SET n = 1');
    const before = proofs();
    expect(await read()).toBe('MISS');
    expect(proofs() - before).toBe(1);
  } finally {
    await gateway.close();
    await database.drop();
  }
});
