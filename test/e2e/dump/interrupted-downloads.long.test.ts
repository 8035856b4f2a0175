import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { fetched } from '../../support/fetched.ts';
import { entry, startGateway, type TestGateway, token } from '../../support/gateway.ts';
import { freshDatabase, onePerDriver, openSession, type ServerDatabase } from '../../support/servers/engines.ts';

const tables = {
  postgres: [
    // Two short series: PostgreSQL computes a long one completely before it returns the first row.
    `CREATE VIEW big AS SELECT a + 1000 * b AS n, repeat('x', 500) AS t FROM generate_series(0, 999) a, generate_series(0, 999) b`,
    `CREATE VIEW late AS SELECT 1 AS n, pg_sleep(60)::text AS t`,
    `CREATE TABLE held AS SELECT g AS n, repeat('x', 500) AS t FROM generate_series(1, 60000) g`,
    'ALTER TABLE held ADD PRIMARY KEY (n)',
    `CREATE TABLE long AS SELECT g AS n, repeat('ü,', g * g * g) AS t FROM generate_series(0, 70) g`,
    'ALTER TABLE long ADD PRIMARY KEY (n)',
  ],
  mysql: [
    'CREATE TABLE d (n int PRIMARY KEY) ENGINE=InnoDB',
    'INSERT INTO d VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)',
    `CREATE VIEW big AS SELECT a.n + 10 * b.n AS n, REPEAT('x', 500) AS t FROM d a, d b, d c, d e, d f, d g`,
    'CREATE VIEW late AS SELECT n, SLEEP(60) AS t FROM d',
    'CREATE TABLE held (n int PRIMARY KEY, t text) ENGINE=InnoDB',
    `INSERT INTO held SELECT a.n + 10 * b.n + 100 * c.n + 1000 * e.n + 10000 * f.n, REPEAT('x', 500) FROM d a, d b, d c, d e, d f WHERE f.n < 6`,
    'CREATE TABLE `long` (n int PRIMARY KEY, t mediumtext) ENGINE=InnoDB CHARACTER SET utf8mb4',
    "INSERT INTO `long` SELECT n, REPEAT('ü,', n * n * n) FROM held WHERE n <= 70",
  ],
};
/** Only client sessions: autovacuum may be busy with the tables too. */
const others = `backend_type = 'client backend' AND pid <> pg_backend_pid() AND state <> 'idle'`;
const statements = {
  postgres: `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND ${others}`,
  mysql: `SELECT count(*) FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID() AND command = 'Query'`,
};
const formats = ['csv', 'jsonl', 'xlsx', 'parquet'] as const;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');
/** Bytes in use after garbage collection. */
const retained = () => {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

// How a dump ends depends on the driver, not on the engine.
describe.each(onePerDriver().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  let database: ServerDatabase;
  let gateway: TestGateway;
  const open = new Set<ClientRequest>();
  const configuration = (limits: object) => ({
    databases: { db: { ...entry(database), pool: { acquireTimeout: '500ms' } } },
    resources: Object.fromEntries(
      ['big', 'late', 'held', 'long'].map((table) => [table, { database: 'db', table, access: { read: 'public' } }]),
    ),
    // Without a spool, a download keeps its session while the client lags.
    limits: { dumpsPerDatabase: 1, spoolBytes: 0, ...limits },
  });

  beforeAll(async () => {
    database = await freshDatabase(engine);
    for (const sql of tables[engine.client]) await database.exec(sql);
    gateway = await startGateway(configuration({}));
  });
  afterEach(async () => {
    for (const one of open) one.destroy();
    open.clear();
    await expect.poll(running, { timeout: 5000 }).toBe(0);
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });

  const running = async () => Number((await database.query(statements[engine.client]))[0]?.[0]);
  /** Sends the request without reading the response. */
  const ask = (path: string, url = gateway.url): { sent: ClientRequest; answer: Promise<IncomingMessage> } => {
    const sent = request(`${url}/datastore/dump/${path}`, { headers: { Authorization: token } });
    open.add(sent);
    sent.on('error', () => undefined);
    const answer = new Promise<IncomingMessage>((resolve) => sent.on('response', resolve));
    sent.end();
    return { sent, answer };
  };

  test.each(formats)('a client that leaves in the middle frees its statement and its place: %s', async (format) => {
    const { sent, answer } = ask(`big?format=${format}`);
    await answer;
    expect(await running()).toBe(1);
    sent.destroy();
    await expect.poll(running, { timeout: 5000 }).toBe(0);
    const next = await fetched(`${gateway.url}/datastore/dump/held?limit=1`);
    expect(next.status).toBe(200);
  });

  test('a client that leaves before the first byte ends the statement', async () => {
    const { sent } = ask('late');
    await expect.poll(running, { timeout: 5000 }).toBe(1);
    sent.destroy();
    await expect.poll(running, { timeout: 5000 }).toBe(0);
  });

  test('records of every length arrive as they are, wherever the chunks are cut', async () => {
    for (let time = 0; time < 2; time++) {
      const { body } = await fetched(`${gateway.url}/datastore/dump/long?fields=n,t`);
      const lines = Array.from({ length: 71 }, (_line, n) => `${n},"${'ü,'.repeat(n ** 3)}"\n`);
      expect(body.equals(Buffer.from(`n,t\n${lines.join('')}`))).toBe(true);
    }
  });

  test('more than dumpsPerDatabase is a 503 that says when to try again', async () => {
    await ask('big').answer;
    // Without the token this counts as another client.
    const { status, headers } = await fetched(`${gateway.url}/datastore/dump/held`, { Authorization: '' });
    expect([status, headers['retry-after']]).toEqual([503, '2']);
    expect((await gateway.call('datastore_search', { resource_id: 'held', limit: 1 })).status).toBe(200);
  });

  test.each(formats)('a dump whose session dies does not look whole: %s', async (format) => {
    const { answer } = ask(`big?format=${format}`);
    const response = await answer;
    const other = await openSession(database);
    try {
      const sessions =
        engine.client === 'postgres'
          ? `SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity WHERE datname = current_database() AND ${others}`
          : `SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID() AND command = 'Query'`;
      const found = await other.query(sessions);
      if (engine.client === 'mysql') await other.exec(`KILL ${found[0]?.[0]}`);
    } finally {
      await other.close();
    }
    response.on('error', () => undefined).resume();
    await new Promise((resolve) => response.on('close', resolve));
    expect(response.complete).toBe(false);
    const last = gateway.events.findLast((event) => event.on === 'answered');
    expect(last).toMatchObject({ action: 'datastore_dump', resource: 'big', cause: expect.any(Error) });
  });

  test('records that are inserted, changed and deleted meanwhile are not seen', async () => {
    const { answer } = ask('held?fields=n,t&format=jsonl');
    const response = await answer;
    await database.exec(`UPDATE held SET t = 'changed' WHERE n > 50000`);
    await database.exec('DELETE FROM held WHERE n < 100 OR n BETWEEN 40000 AND 41000');
    await database.exec(`INSERT INTO held VALUES (-1, 'new'), (1000000, 'new')`);
    let text = '';
    for await (const chunk of response) text += chunk;
    const lines = text.trimEnd().split('\n');
    expect([lines.length, lines.filter((line) => !/"x{500}"/.test(line))]).toEqual([60_000, []]);
  });

  test('a dump that takes longer than dumpTimeout is cut, whichever side is slow', async () => {
    const impatient = await startGateway(configuration({ dumpTimeout: '1s' }));
    try {
      const late = await fetched(`${impatient.url}/datastore/dump/late`);
      expect(late.status).toBe(409);
      const { answer } = ask('big?format=csv', impatient.url);
      const response = await answer;
      await expect.poll(running, { timeout: 5000 }).toBe(0);
      response.on('error', () => undefined).resume();
      await new Promise((resolve) => response.on('close', resolve));
      expect(response.complete).toBe(false);
    } finally {
      await impatient.close();
    }
  });

  test('a gateway lets a dump end before it stops', async () => {
    const leaving = await startGateway(configuration({}));
    const { answer } = ask('held?limit=25000', leaving.url);
    const response = await answer;
    const closed = leaving.close(30_000);
    await sleep(50);
    let bytes = 0;
    for await (const chunk of response) bytes += chunk.length;
    expect([response.complete, bytes > 12_000_000]).toEqual([true, true]);
    await closed;
  });

  test('memory does not grow while a slow reader leaves bytes unread', async () => {
    const { answer } = ask('big?format=jsonl');
    const response = await answer;
    await sleep(200);
    const before = retained();
    await sleep(300);
    for (let taken = 0; taken < 50; taken++) {
      response.read();
      await sleep(5);
    }
    await expect.poll(() => retained() - before, { timeout: 5000 }).toBeLessThan(15_000_000);
    expect(await running()).toBe(1);
  });
});
