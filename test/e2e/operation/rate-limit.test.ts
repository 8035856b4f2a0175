import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { networkOf } from '../../../src/accept/network.ts';
import { shareOf } from '../../../src/config/share.ts';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { minimalYaml, settings } from '../../support/loading.ts';
import { anyEngine, type FreshDatabase, freshDatabase } from '../../support/servers/engines.ts';

const [engine] = anyEngine();
let database: FreshDatabase;
let gateway: TestGateway;
const configuration = (rateLimit: unknown) => ({
  databases: { db: entry(database) },
  resources: { t: { database: 'db', table: 't', access: { read: 'public', write: 'token' } } },
  cache: { ttl: '1h' },
  // One token per test, so that each starts with a full allowance.
  tokens: ['one', 'two', 'three', 'four'].map((name) => ({
    name,
    sha256: createHash('sha256').update(name).digest('hex'),
  })),
  rateLimit,
});
beforeAll(async () => {
  if (engine === undefined) return;
  database = await freshDatabase(engine);
  await database.exec('CREATE TABLE t (k int PRIMARY KEY); INSERT INTO t VALUES (1)');
  gateway = await startGateway(configuration({ perToken: 5, perAddress: 3, every: '1h' }));
});
afterAll(async () => {
  await gateway?.close();
  await database?.drop();
});

const get = async (as: string | null, path = '/api/action/datastore_search?resource_id=t') => {
  const answer = await fetch(`${gateway.url}${path}`, { headers: as === null ? {} : { Authorization: as } });
  const { error }: { error?: unknown } = JSON.parse(await answer.text());
  return { status: answer.status, error, wait: answer.headers.get('retry-after'), kept: answer.headers.get('x-cache') };
};
const refused = {
  status: 429,
  error: { __type: 'Too Many Requests', message: 'too many calls, try again in 3600 s' },
  wait: '3600',
};
/** Calls in sequence. Some are answered from the cache, which has a code path of its own. */
const many = async (count: number, as: string | null) => {
  const answers = [];
  for (let nth = 0; nth < count; nth++) answers.push(await get(as));
  return answers;
};

test.skipIf(engine === undefined)(
  'each has so many calls, also where they are answered from the cache, and no more',
  async () => {
    const answers = await many(7, 'one');
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 429]);
    expect(answers.slice(1, 5).map(({ kept }) => kept)).toEqual(Array(4).fill('HIT'));
    expect(answers[6]).toMatchObject(refused);
    // The limit of this caller does not affect others. An unknown token does not count as another caller.
    expect((await many(4, null)).map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(await get('no such token')).toMatchObject(refused);
    expect(await get(null, '/api/action/status_show')).toMatchObject(refused);
    expect(await get(null, '/datastore/dump/t')).toMatchObject(refused);
  },
);

test.skipIf(engine === undefined)(
  'a client that sends all calls at once gets no more answers than one that sends them one by one',
  async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => get('two')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(35);
  },
);

test.skipIf(engine === undefined)(
  'a reload changes the limits, and one that does not change them forgets nothing',
  async () => {
    expect((await many(5, 'three')).at(-1)?.status).toBe(200);
    expect(
      await gateway.reload({
        ...configuration({ perToken: 5, perAddress: 3, every: '1h' }),
        cors: { origins: 'none' },
      }),
    ).toEqual([]);
    expect((await get('three')).status).toBe(429);
    expect(await gateway.reload(configuration('none'))).toEqual([]);
    expect((await many(12, 'three')).filter(({ status }) => status !== 200)).toEqual([]);
    expect(await gateway.reload(configuration({ perAddress: 1 }))).toEqual([]);
    expect((await many(12, 'three')).filter(({ status }) => status !== 200)).toEqual([]);
    expect((await many(2, null)).map(({ status }) => status)).toEqual([200, 429]);
  },
);

test.skipIf(engine === undefined)('when the period is over, all have theirs again', async () => {
  expect(await gateway.reload(configuration({ perToken: 1, every: '300ms' }))).toEqual([]);
  await get('four');
  await expect.poll(async () => (await get('four')).status, { timeout: 5000, interval: 5 }).toBe(429);
  await expect.poll(async () => (await get('four')).status, { timeout: 5000, interval: 50 }).toBe(200);
});

test('several workers have no more than one', () => {
  const one = settings(`${minimalYaml}rateLimit: { perToken: 600, every: 1m }`);
  expect(shareOf(one, 4).rateLimit).toEqual({ perToken: 150, perAddress: null, every: 60_000 });
});

test.each([
  ['10.0.0.1', '10.0.0.1'],
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['::ffff:a01:b', '10.1.0.11'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002:ffff::', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['', ''],
])('a client with many addresses of one network is one: %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
