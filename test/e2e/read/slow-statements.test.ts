import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entry, startGateway, type TestGateway, token } from '../../support/gateway.ts';
import { post } from '../../support/post.ts';
import { engines, type FreshDatabase, freshDatabase, openSession } from '../../support/servers/engines.ts';

const side = 300;
/** Counting this many times `side` squared takes a quarter of a second: longer than a busy process usually stalls. */
const countableFactor = 40;
/**
 * `many`: the first page is fast, but there are billions of records to count (fewer on PGlite, which cannot be interrupted).
 * `vague`: as many, but PostgreSQL's planner expects none, and MySQL shows no estimate to users who may only read the views.
 * `never`: scans as many without a match. It computes instead of sleeping, because some servers cut a sleep short and report success.
 */
const ddl = (client: string) => `
  CREATE TABLE n (i int PRIMARY KEY, t varchar(20));
  INSERT INTO n VALUES ${Array.from({ length: side }, (_, i) => `(${i}, 'text ${i}')`).join(', ')};
  CREATE TABLE held (k int PRIMARY KEY, a int);
  INSERT INTO held VALUES (1, 1);
  ${client === 'mysql' ? '' : 'ANALYZE n;'}
  CREATE VIEW many AS SELECT a.i AS a, b.i AS b, a.t AS t FROM n a, n b${client === 'pglite' ? '' : ', n c, n d WHERE a.i + b.i + c.i + d.i >= 0'};
  CREATE VIEW vague AS SELECT a.i AS a, b.i AS b FROM n a, n b, n c, n d
    WHERE ${['a', 'b', 'c', 'd'].flatMap((t) => [5, 7].map((by) => `${t}.i % ${by} = (${t}.i + ${by}) % ${by}`)).join(' AND ')};
  CREATE VIEW over_vague AS SELECT a, b FROM vague;
  CREATE VIEW seen AS SELECT i, t FROM n;
  CREATE VIEW few AS SELECT a.i AS a, b.i AS b FROM n a, n b, n c WHERE c.i < ${countableFactor} AND a.i + b.i + c.i >= 0;
  CREATE VIEW slow AS SELECT a.i AS a, b.i AS b FROM n a, n b, n c WHERE c.i < ${4 * countableFactor} AND a.i + b.i + c.i >= 0;
  CREATE VIEW never AS SELECT a.i AS a, b.i AS b FROM n a, n b, n c, n d WHERE a.i * b.i + c.i * d.i = -1;`;

describe.each(engines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  const access = { read: 'token', write: 'token' };
  const resources = Object.fromEntries(
    ['n', 'many', 'few', 'slow', 'never', 'held'].map((table) => [table, { database: 'db', table, access }]),
  );
  let database: FreshDatabase;
  let gateway: TestGateway;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    await database.exec(ddl(engine.client));
    const bounds =
      engine.client === 'pglite' ? {} : { statementTimeout: '300ms', pool: { max: 1, acquireTimeout: '10s' } };
    gateway = await startGateway({
      databases: { db: { ...entry(database), ...bounds } },
      resources,
      limits: { totalBudget: '100ms' },
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });
  const search = (params: object) => gateway.call('datastore_search', params);
  /** A gateway that caches for long, but can count `few` only in the background. */
  const patient = async (bounds: object = {}) => {
    const { url, close } = await startGateway({
      databases: { db: { ...entry(database), ...bounds } },
      resources,
      limits: { totalBudget: '20ms' },
      cache: { ttl: '1h' },
    });
    const agent = new Agent();
    const page = async (limit: number, more: object = {}, headers: Readonly<Record<string, string>> = {}) => {
      const sent = { Authorization: token, 'Content-Type': 'application/json', ...headers };
      const body = JSON.stringify({ resource_id: 'few', limit, ...more });
      const answer = await post(agent, `${url}/api/3/action/datastore_search`, sent, body);
      const { result }: { result: { records: unknown[]; total: number; total_was_estimated?: boolean } } = JSON.parse(
        answer.text,
      );
      const isHit = answer.headers.get('x-cache') === 'HIT';
      return { isHit, isEstimated: result.total_was_estimated === true, ...result };
    };
    return { page, close };
  };

  test('a total that takes too long is estimated and says so, on the only session of a pool too', async () => {
    for (const more of [{ limit: 2 }, { limit: 0 }, { limit: 1, filters: { t: ['text 1', 'text 2'] } }]) {
      const { status, text } = await search({ resource_id: 'many', ...more });
      expect([status, JSON.parse(text)]).toEqual([200, expect.objectContaining({ success: true })]);
      const { result } = JSON.parse(text);
      expect(result.records).toHaveLength(more.limit);
      if (engine.client === 'pglite') expect(result).not.toHaveProperty('total_was_estimated');
      else expect(result).toMatchObject({ total: expect.any(Number), total_was_estimated: true });
      expect(Number.isInteger(result.total) && result.total > 0).toBe(true);
    }
    const exact = await gateway.result('datastore_search', { resource_id: 'n', limit: 2 });
    expect([exact.total, 'total_was_estimated' in exact]).toEqual([side, false]);
    const without = await gateway.result('datastore_search', { resource_id: 'many', limit: 2, include_total: false });
    expect('total' in without || 'total_was_estimated' in without).toBe(false);
  });

  test.skipIf(engine.client === 'pglite')(
    'without an estimate a total is at least one more than a full page shows, and groups are counted',
    async () => {
      const databaseUrl = new URL(database.url ?? '');
      if (engine.client === 'mysql') {
        const user = databaseUrl.pathname.slice(1, 17);
        await database.exec(
          `CREATE USER ${user}; GRANT SELECT ON vague TO ${user}; GRANT SELECT ON over_vague TO ${user}; GRANT SELECT ON seen TO ${user};`,
        );
        databaseUrl.username = user;
        databaseUrl.password = '';
      }
      const bounded = await startGateway({
        databases: { db: { client: engine.client, connection: databaseUrl.href, statementTimeout: '300ms' } },
        resources: Object.fromEntries(
          ['vague', 'over_vague', 'seen'].map((table) => [table, { database: 'db', table, access }]),
        ),
        limits: { totalBudget: '20ms' },
      });
      try {
        for (const resource_id of ['vague', 'over_vague']) {
          const total = async (params: object) => {
            const { records, ...result } = await bounded.result('datastore_search', { resource_id, ...params });
            expect(result).toMatchObject({ total_was_estimated: true, total_at_least: true });
            return [(records as unknown[]).length, result.total];
          };
          expect(await total({ limit: 5, offset: 10 })).toEqual([5, 16]);
          const page = await bounded.result('datastore_search', { resource_id, limit: 4, include_total: false });
          expect(page.order_is_total).toBe(false);
          expect(await total({ limit: 5 })).toEqual([5, 6]);
          expect(await total({ limit: 0 })).toEqual([0, 1]);
          expect(await total({ limit: 3, filters: { a: [0, 1] } })).toEqual([3, 4]);
          const { meta } = await bounded.result('datastore_info', { id: resource_id });
          expect(meta).toMatchObject({ count: 1, count_was_estimated: true, count_at_least: true });
        }
        const groups = await bounded.result('datastore_aggregate', { resource_id: 'seen', by: 't' });
        expect(groups).toMatchObject({ total: side, sampled: null });
      } finally {
        await bounded.close();
        if (engine.client === 'mysql') await database.exec(`DROP USER ${databaseUrl.username}`);
      }
    },
  );

  test.skipIf(engine.client === 'pglite')(
    'a total that was quick may take too long when the table has grown',
    async () => {
      await database.exec(
        `CREATE TABLE grows (k int PRIMARY KEY); INSERT INTO grows SELECT i FROM n WHERE i < 5;
       CREATE VIEW grown AS SELECT a.k AS a, b.k AS b FROM grows a, grows b, grows c, grows d WHERE a.k + b.k + c.k + d.k >= 0;`,
      );
      const growing = await startGateway({
        databases: { db: { ...entry(database), statementTimeout: '300ms' } },
        resources: { grown: { database: 'db', table: 'grown', access, cache: { ttl: '0s' } } },
        // Longer than a busy machine takes for the few records.
        limits: { totalBudget: '10s' },
      });
      try {
        const total = async (limit: number) => {
          const { status, text } = await growing.call('datastore_search', { resource_id: 'grown', limit });
          const { records, total, total_was_estimated = false } = JSON.parse(text).result ?? {};
          return { status, shown: records?.length, total, total_was_estimated };
        };
        for (const limit of [1, 2, 3])
          expect(await total(limit)).toEqual({ status: 200, shown: limit, total: 625, total_was_estimated: false });
        await database.exec('INSERT INTO grows SELECT i FROM n WHERE i >= 5;');
        for (const limit of [1, 2])
          expect(await total(limit)).toMatchObject({ status: 200, shown: limit, total_was_estimated: true });
      } finally {
        await growing.close();
      }
    },
  );

  test.skipIf(engine.client === 'pglite')(
    'a total that takes too long is estimated once, and counted while nobody waits for it',
    async () => {
      const { page, close } = await patient();
      try {
        expect(await page(1)).toMatchObject({ isHit: false, isEstimated: true });
        expect(await page(1)).toMatchObject({ isHit: true, isEstimated: true });
        // Another page each time, so that none comes from the cache.
        let limit = 1;
        await expect.poll(async () => (await page(++limit)).isEstimated).toBe(false);
        expect(await page(++limit)).toMatchObject({ total: countableFactor * side * side, isEstimated: false });
      } finally {
        await close();
      }
    },
  );

  test.skipIf(engine.client === 'pglite')(
    'an offset behind the last record is no lower bound of the total, on its own page or on others',
    async () => {
      const { page, close } = await patient();
      try {
        const behind = 900_000_000;
        expect(await page(1, { offset: behind })).toMatchObject({ records: [], isEstimated: true });
        for (const [limit, more] of [
          [1, { offset: behind }],
          [2, {}],
          [3, { offset: behind }],
        ] as const)
          expect((await page(limit, more)).total).toBeLessThan(behind);
      } finally {
        await close();
      }
    },
  );

  test.skipIf(engine.client === 'pglite')(
    'a client that accepts no cached answer gets an estimate, and leaves others their exact total',
    async () => {
      const { page, close } = await patient();
      try {
        let limit = 0;
        await expect.poll(async () => (await page(++limit)).isEstimated).toBe(false);
        const exact = { total: countableFactor * side * side, isEstimated: false };
        for (const own of [limit, ++limit])
          expect(await page(own, {}, { 'Cache-Control': 'no-cache' })).toMatchObject({ isEstimated: true });
        for (const other of [limit, limit - 1, limit + 1]) expect(await page(other)).toMatchObject(exact);
      } finally {
        await close();
      }
    },
  );

  test.skipIf(engine.client === 'pglite')(
    'a count in the background that fails is begun again by the next page, unless it took too long',
    async () => {
      const isPostgres = engine.client === 'postgres';
      const admin = await openSession({ client: isPostgres ? 'postgres' : 'mysql', url: database.url ?? '' });
      const counts = async (): Promise<string[]> => {
        const found = await admin.query(
          isPostgres
            ? `SELECT pid FROM pg_stat_activity WHERE state = 'active' AND datname = current_database()
                 AND backend_type = 'client backend' AND query LIKE 'select count%'`
            : `SELECT id FROM information_schema.processlist WHERE db = database() AND info LIKE 'select count%'`,
        );
        return found.map(([id]) => String(id));
      };
      const patientGateway = await patient();
      const bounded = await patient({ statementTimeout: '300ms' });
      try {
        // The count takes a second: a process may be late on a busy machine.
        const slow = (limit: number) => patientGateway.page(limit, { resource_id: 'slow' });
        expect((await slow(1)).isEstimated).toBe(true);
        let killed = 0;
        // The client's own statement may still be running, too.
        for (let nth = 0; nth < 20; nth++) {
          for (const id of await counts()) {
            await admin.exec(isPostgres ? `SELECT pg_terminate_backend(${id})` : `KILL ${id}`).catch(() => undefined);
            killed++;
          }
          await sleep(5);
        }
        expect(killed).toBeGreaterThan(0);
        let limit = 1;
        await expect.poll(async () => (await slow(++limit)).isEstimated, { timeout: 20_000 }).toBe(false);

        const many = (limit: number) => bounded.page(limit, { resource_id: 'many' });
        expect((await many(1)).isEstimated).toBe(true);
        // The background count starts on a separate connection and is ended after 300 ms.
        await sleep(1000);
        for (const limit of [2, 3]) expect((await many(limit)).isEstimated).toBe(true);
        // Longer than the pause after a count.
        for (let nth = 0; nth < 32; nth++) {
          expect(await counts()).toEqual([]);
          await sleep(100);
        }
      } finally {
        await Promise.all([patientGateway.close(), bounded.close()]);
        await admin.close();
      }
    },
  );

  // PGlite runs in this process, so no timer can fire while it is busy.
  test.skipIf(engine.client === 'pglite')(
    'a search over its time gets an error, and its statement is gone from the server',
    async () => {
      const admin = await openSession({
        client: engine.client === 'postgres' ? 'postgres' : 'mysql',
        url: database.url ?? '',
      });
      try {
        for (const params of [
          { resource_id: 'never', sort: 'b desc' },
          { resource_id: 'never', q: '1' },
        ]) {
          const { status, text } = await search(params);
          expect([status, JSON.parse(text).error]).toEqual([
            409,
            { query: ['Search took too long'], __type: 'Validation Error' },
          ]);
          const runningStatements = () =>
            admin.query(
              engine.client === 'postgres'
                ? `SELECT query FROM pg_stat_activity WHERE state = 'active' AND datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%never%'`
                : `SELECT info FROM information_schema.processlist WHERE db = database() AND id <> connection_id() AND info LIKE '%FROM \`never\`%'`,
            );
          // The cancellation is sent before we answer, but the statement may take a moment to end.
          for (let attempt = 0; attempt < 500 && (await runningStatements()).length > 0; attempt++) await sleep(10);
          expect(await runningStatements()).toEqual([]);
          expect((await search({ resource_id: 'n', limit: 1 })).status).toBe(200);
        }
      } finally {
        await admin.close();
      }
    },
  );

  test.skipIf(engine.client === 'pglite')(
    'a write that waits too long ends with an error, and leaves nothing',
    { timeout: 60_000 },
    async () => {
      const holder = await openSession({
        client: engine.client === 'postgres' ? 'postgres' : 'mysql',
        url: database.url ?? '',
      });
      try {
        await holder.exec('BEGIN; UPDATE held SET a = 2 WHERE k = 1');
        const { status, text } = await gateway.call('datastore_upsert', {
          resource_id: 'held',
          records: [
            { k: 2, a: 2 },
            { k: 1, a: 3 },
          ],
        });
        expect([status, JSON.parse(text).error]).toEqual([
          409,
          { query: ['Query took too long'], __type: 'Validation Error' },
        ]);
        await holder.exec('ROLLBACK');
        expect((await gateway.result('datastore_search', { resource_id: 'held' })).records).toEqual([
          { _id: 1, k: 1, a: 1 },
        ]);
      } finally {
        await holder.close();
      }
    },
  );
});
