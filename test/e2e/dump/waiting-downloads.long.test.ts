import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { fetched } from '../../support/fetched.ts';
import { entry, startGateway, type TestGateway, token } from '../../support/gateway.ts';
import { freshDatabase, onePerDriver, type ServerDatabase } from '../../support/servers/engines.ts';

const tables = {
  // Two short series: PostgreSQL computes a long one completely before it returns the first row.
  postgres: [
    `CREATE VIEW big AS SELECT a + 1000 * b AS n, repeat('x', 500) AS t FROM generate_series(0, 999) a, generate_series(0, 999) b`,
  ],
  mysql: [
    'CREATE TABLE d (n int PRIMARY KEY) ENGINE=InnoDB',
    'INSERT INTO d VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)',
    `CREATE VIEW big AS SELECT a.n + 10 * b.n AS n, REPEAT('x', 500) AS t FROM d a, d b, d c, d e, d f, d g`,
  ],
};
const [one, neighbour, two, three] = ['2001:db8:1:2::1', '2001:db8:1:2::ffff', '192.0.2.2', '192.0.2.3'];
const from = (address = '', authorization = '') => ({ 'X-Forwarded-For': address, Authorization: authorization });

// How long a download waits for its reader depends on the driver, not on the engine.
describe.each(onePerDriver().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  let database: ServerDatabase;
  let gateway: TestGateway;
  let hasty: TestGateway;
  const open = new Set<ClientRequest>();

  const waits = (acquireTimeout: string) =>
    startGateway({
      server: { trustProxy: true },
      databases: { db: { ...entry(database), pool: { acquireTimeout } } },
      resources: { big: { database: 'db', table: 'big', access: { read: 'public' } } },
      // Without a spool, a download whose client lags keeps its session, until it is cut off after 10 s.
      limits: { spoolBytes: 0 },
    });
  beforeAll(async () => {
    database = await freshDatabase(engine);
    for (const sql of tables[engine.client]) await database.exec(sql);
    [gateway, hasty] = await Promise.all([waits('30s'), waits('2s')]);
  });
  afterEach(async () => {
    const ended = () =>
      [...gateway.events, ...hasty.events].filter((event) => event.on === 'answered' && event.status === 200).length;
    for (const sent of open) sent.destroy();
    await expect.poll(ended, { timeout: 5000 }).toBe(downloads);
    open.clear();
  });
  afterAll(async () => {
    await Promise.all([gateway?.close(), hasty?.close()]);
    await database?.drop();
  });

  let downloads = 0;
  /** Starts a download without reading it. */
  const stand = (headers: Readonly<Record<string, string>>, { url } = gateway): Promise<IncomingMessage> =>
    new Promise((resolve) => {
      const sent = request(`${url}/datastore/dump/big`, { headers });
      open.add(sent);
      downloads++;
      sent.on('error', () => undefined).on('response', resolve);
      sent.end();
    });
  const first = async (headers: Readonly<Record<string, string>>, { url } = gateway) => {
    const answer = await fetched(`${url}/datastore/dump/big?limit=1`, headers);
    if (answer.status === 200) downloads++;
    return answer;
  };

  test('a client has half of the connections, and no other is refused for that', async () => {
    const standing = await stand(from(one), hasty);
    expect(standing.statusCode).toBe(200);
    const refused = await first(from(neighbour), hasty);
    expect([refused.status, refused.headers['retry-after'], String(refused.body)]).toEqual([
      503,
      '2',
      `"Service Unavailable: a client can have 1 of this database's downloads at a time, try again later"`,
    ]);
    expect((await first(from(two), hasty)).status).toBe(200);
    // A token counts as one client, whatever address it comes from.
    await stand(from(one, token), hasty);
    expect((await first(from(three, token), hasty)).status).toBe(503);
  });

  test('a client whose download has ended may begin another one', async () => {
    for (let time = 0; time < 3; time++) expect((await first(from(one))).status).toBe(200);
    const standing = await stand(from(one));
    standing.destroy();
    await expect.poll(async () => (await first(from(neighbour))).status, { timeout: 5000 }).toBe(200);
  });

  test('a reader that stands still is cut when another client waits, one that reads is not', async () => {
    const standing = await stand(from(one));
    const reading = await stand(from(two));
    let bytes = 0;
    const slow = (async () => {
      for await (const chunk of reading) {
        bytes += chunk.length;
        await sleep(5);
      }
    })().catch(() => undefined);
    const waiting = await first(from(three));
    expect([waiting.status, waiting.isWhole]).toEqual([200, true]);
    standing.on('error', () => undefined).resume();
    await new Promise((resolve) => standing.on('close', resolve));
    expect(standing.complete).toBe(false);
    const before = bytes;
    // More than the socket buffers can still deliver of the download that was cut off.
    await expect.poll(() => bytes, { timeout: 20_000 }).toBeGreaterThan(before + 20_000_000);
    reading.destroy();
    await slow;
  });

  test('a client that waits for a download of its own that stands still gets its place', async () => {
    const standing = await stand(from(one));
    standing.on('error', () => undefined);
    expect((await first(from(one))).status).toBe(200);
  });

  test('a client may ask for many downloads at once: they come one after the other', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => first(from(one))));
    expect(all.map(({ status, isWhole }) => [status, isWhole])).toEqual(Array(8).fill([200, true]));
  });

  test('a client that leaves while it waits takes no place', async () => {
    const standing = await stand(from(one));
    const sent = request(`${gateway.url}/datastore/dump/big?limit=1`, { headers: from(neighbour) });
    sent.on('error', () => undefined).end();
    await sleep(200);
    sent.destroy();
    standing.on('error', () => undefined).destroy();
    expect((await first(from(one))).status).toBe(200);
  });

  test('a client whose downloads break off again and again leaves others their places', async () => {
    const quickGateway = await waits('1500ms');
    const until = performance.now() + 3000;
    const breaks = async () => {
      while (performance.now() < until) {
        const sent = request(`${quickGateway.url}/datastore/dump/big`, { headers: from(one) });
        const closed = new Promise((resolve) => sent.on('close', resolve));
        sent.on('error', () => undefined).end();
        await sleep(3);
        sent.destroy();
        await closed;
      }
    };
    const others = async () => {
      const seen = new Set<number>();
      while (performance.now() < until)
        seen.add((await fetched(`${quickGateway.url}/datastore/dump/big?limit=1`, from(two))).status);
      return [...seen];
    };
    try {
      const [seen] = await Promise.all([others(), ...Array.from({ length: 20 }, breaks)]);
      expect(seen).toEqual([200]);
    } finally {
      await quickGateway.close();
    }
  });

  test('a download that waits while its resource is hidden from it is refused', async () => {
    const standing = await stand(from(one));
    const waiting = fetched(`${gateway.url}/datastore/dump/big?limit=1`, from(one));
    await sleep(200);
    const hidden = { database: 'db', table: 'big', access: { read: 'token' } };
    const databases = { db: { ...entry(database), pool: { acquireTimeout: '30s' } } };
    expect(
      await gateway.reload({
        server: { trustProxy: true },
        databases,
        resources: { big: hidden },
        limits: { spoolBytes: 0 },
      }),
    ).toEqual([]);
    standing.on('error', () => undefined).destroy();
    const { status, body } = await waiting;
    expect([status, String(body)]).toEqual([
      503,
      expect.stringContaining('another configuration was taken over while this download waited'),
    ]);
  });
});
