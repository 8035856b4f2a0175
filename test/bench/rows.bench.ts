/** Calls for the rows inside a filter, compared with the same calls without a filter, on one table whose rows are all inside. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { byName, freshDatabase, type ServerEngine, servers } from '../support/servers/engines.ts';
import { ensureWrk, pinned, program, type Request } from './load.ts';
import { median, ratioOf, report } from './report.ts';
import { headers, inTurn, postHeaders, rounds, token } from './served.ts';

const rows = Number(process.env.DUMP_ROWS ?? 1_000_000);
const count = 10_000;
const measured: (readonly string[])[] = [];
// No index on the filter's column: MySQL would use it although all rows match, and take three times as long for the same SQL by hand.
const tables = {
  postgres: [
    "CREATE TABLE records (id int PRIMARY KEY, region varchar(20) NOT NULL DEFAULT 'north', name text, price numeric(10,2), day date)",
    `INSERT INTO records SELECT n, 'north', 'record number ' || n, n * 1.25, date '2020-01-01' + n % 1000 FROM generate_series(1, ${rows}) n`,
    'ANALYZE records',
  ],
  mysql: [
    "CREATE TABLE records (id int PRIMARY KEY, region varchar(20) NOT NULL DEFAULT 'north', name text, price numeric(10,2), day date) ENGINE=InnoDB",
    'CREATE TABLE d (n int PRIMARY KEY) ENGINE=InnoDB',
    'INSERT INTO d VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)',
    `INSERT INTO records SELECT n, 'north', CONCAT('record number ', n), n * 1.25, DATE '2020-01-01' + INTERVAL n % 1000 DAY FROM (SELECT 1 + a.n + 10 * b.n + 100 * c.n + 1000 * d.n + 10000 * e.n + 100000 * f.n AS n FROM d a, d b, d c, d d, d e, d f) numbers WHERE n <= ${rows} ORDER BY n`,
  ],
};

beforeAll(ensureWrk);
afterAll(() => {
  const title = `Calls with a filter of rows, compared with calls without, on ${rows.toLocaleString('en')} rows`;
  report('rows', title, ['Case', 'With', 'Without', 'Ratio'], measured);
});

test.each(byName(servers()))('%s', async (name, engine) => {
  const { url, stop } = await opened(engine);
  try {
    const search = (resource: string): Request => ({
      ...{ method: 'GET', path: `/api/3/action/datastore_search?resource_id=${resource}&limit=100`, headers },
    });
    const update = (resource: string): Request => ({
      ...{ method: 'POST', path: '/api/3/action/datastore_upsert', headers: postHeaders, cycle: 1000 },
      body: `{"resource_id":"${resource}","method":"update","records":[{"id":{n},"name":"written {n}"}]}`,
    });
    for (const [what, request, connections, least] of [
      ['a cached search of 100 records (1/s)', search, 32, 0.95],
      ['an update of one record (1/s)', update, 8, 1 / 1.5],
    ] as const) {
      const compared = await inTurn({ url, request: request('inside') }, { url, request: request('all') }, connections);
      const rates = [compared.own.perSecond.toFixed(0), compared.other.perSecond.toFixed(0)] as const;
      measured.push([`${name}, ${what}`, ...rates, ratioOf(...rates)]);
      expect.soft(compared.ratio).toBeGreaterThan(least);
    }
    let first = rows + 1;
    const upserted = (resource: string) => {
      first += count;
      return timed(() => upsert(url, resource, first));
    };
    const upsertTimes = await inAlternation(upserted, rounds);
    measured.push([`${name}, an upsert of ${count} new records (ms)`, ...cells(upsertTimes)]);
    expect.soft(upsertTimes.inside / upsertTimes.all).toBeLessThan(3);
    const dumpTimes = await inAlternation((resource) => timed(() => download(url, resource)), Math.min(rounds, 7));
    measured.push([`${name}, a download as CSV (ms)`, ...cells(dumpTimes)]);
    expect.soft(dumpTimes.all / dumpTimes.inside).toBeGreaterThan(0.9);
  } finally {
    await stop();
  }
});

/** A gateway that shows one table twice: all of it, and inside a filter. */
async function opened(engine: ServerEngine) {
  const database = await freshDatabase(engine);
  for (const sql of tables[engine.client]) await database.exec(sql);
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  const file = join(folder, 'gateway.yaml');
  const access = { read: 'token', write: 'token' };
  const all = { database: 'db', table: 'records', access, cache: { ttl: '1h' } };
  const configuration = {
    server: { port: 0 },
    databases: { db: { client: engine.client, connection: database.url } },
    resources: { all, inside: { ...all, where: { region: 'north' } } },
    tokens: [{ name: 'bench', sha256: createHash('sha256').update(token).digest('hex'), read: ['*'], write: ['*'] }],
  };
  writeFileSync(file, JSON.stringify(configuration));
  const gateway = await pinned([program, 'serve', file]);
  return {
    url: gateway.url,
    async stop() {
      await gateway.stop();
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function upsert(url: string, resource: string, first: number): Promise<void> {
  const records = Array.from({ length: count }, (_, nth) => ({ id: first + nth, name: `new ${nth}`, price: nth / 4 }));
  const body = JSON.stringify({ resource_id: resource, method: 'upsert', records });
  const answer = await fetch(`${url}/api/3/action/datastore_upsert`, { method: 'POST', headers: postHeaders, body });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(text);
}

async function download(url: string, resource: string): Promise<void> {
  const answer = await fetch(`${url}/datastore/dump/${resource}?limit=${rows}`, { headers });
  if (answer.status !== 200 || answer.body === null) throw new Error(await answer.text());
  await answer.body.pipeTo(new WritableStream());
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** The median times of both resources, which take turns. The first round does not count, because code is still being compiled. */
async function inAlternation(time: (resource: 'inside' | 'all') => Promise<number>, many: number) {
  const times = { inside: [0], all: [0] };
  for (let round = 0; round <= many; round++)
    for (const resource of ['inside', 'all'] as const) times[resource][Math.max(0, round - 1)] = await time(resource);
  return { inside: median(times.inside), all: median(times.all) };
}

const cells = ({ inside, all }: { readonly inside: number; readonly all: number }) => {
  const times = [inside.toFixed(0), all.toFixed(0)] as const;
  return [...times, ratioOf(...times)];
};
