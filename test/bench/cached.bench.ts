/** A cached search beside a bare node:http server that reads the same body and sends the same bytes. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Engine, engines, freshDatabase, type ServerDatabase, type ServerEngine } from '../servers/engines.ts';
import { ensureWrk, pinned, type Request, wrk } from './load.ts';
import { median, report } from './report.ts';

const root = resolve(import.meta.dirname, '../..');
const rounds = Number(process.env.ROUNDS ?? 6);
const seconds = Number(process.env.SECONDS_EACH ?? 4);
const connections = 32;
const token = 'a-token-of-the-benchmark';
const isServer = (engine: Engine): engine is ServerEngine => engine.client === 'postgres';

let fresh: ServerDatabase;
let folder = '';
let gateway: Awaited<ReturnType<typeof pinned>>;
let bare: Awaited<ReturnType<typeof pinned>>;
let etag = '';
const measured: (readonly string[])[] = [];

const search = { resource_id: 'records', limit: 100 };
const headers = { Authorization: token, 'User-Agent': 'bench', Accept: '*/*' };
const get: Request = { method: 'GET', path: '/api/3/action/datastore_search?resource_id=records&limit=100', headers };
const post: Request = {
  method: 'POST',
  path: '/api/3/action/datastore_search',
  headers: { ...headers, 'Content-Type': 'application/json' },
  body: JSON.stringify(search),
};

beforeAll(async () => {
  await ensureWrk();
  const [engine] = engines().filter(isServer);
  if (engine === undefined) throw new Error('this benchmark needs PostgreSQL');
  fresh = await freshDatabase(engine);
  await fresh.exec(`CREATE TABLE records (id serial PRIMARY KEY, name text, note text, price numeric(10,2), day date);
    INSERT INTO records (name, note, price, day) SELECT 'record number ' || n, repeat('abcdefg ', 6), n * 1.25, date '2020-01-01' + n FROM generate_series(1, 1000) n`);
  folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  const file = join(folder, 'gateway.yaml');
  const sha256 = createHash('sha256').update(token).digest('hex');
  writeFileSync(
    file,
    `server: { port: 0 }
databases: { db: { client: postgres, connection: "${fresh.url}" } }
resources: { records: { database: db, table: records, access: { read: token }, cache: { ttl: 1h } } }
tokens: [{ name: bench, sha256: "${sha256}", read: ["*"] }]
`,
  );
  gateway = await pinned([join(root, 'dist/main.js'), 'serve', file]);
  const answer = await fetch(`${gateway.url}${get.path}`, { headers: { Authorization: token } });
  etag = answer.headers.get('etag') ?? '';
  const body = await answer.text();
  console.log(`${body.length} bytes`);
  writeFileSync(join(folder, 'body'), body);
  bare = await pinned([join(import.meta.dirname, 'bare.mjs'), join(folder, 'body')]);
});
afterAll(async () => {
  report(
    'cached',
    `A cached search of 100 records, ${connections} connections`,
    ['Case', 'Gateway (1/s)', 'Bare node:http (1/s)', 'Ratio', 'p99 (ms)', 'p99 bare (ms)'],
    measured,
  );
  await bare?.stop();
  await gateway?.stop();
  await fresh?.drop();
  rmSync(folder, { recursive: true, force: true });
});

const unchanged = (etag: string): Request => ({ ...get, headers: { ...headers, 'If-None-Match': etag } });

test.each([
  ['GET', () => get, () => get, 0.85],
  ['POST', () => post, () => post, 0.85],
  ['304', () => unchanged(etag), () => unchanged('"the-only-one"'), 0.85],
] as const)('%s', async (name, ours, theirs, least) => {
  const runs: { readonly own: number; readonly other: number; readonly p99: number; readonly otherP99: number }[] = [];
  await wrk(gateway.url, ours(), connections, 2);
  await wrk(bare.url, theirs(), connections, 2);
  for (let round = 0; round < rounds; round++) {
    const own = await wrk(gateway.url, ours(), connections, seconds);
    const other = await wrk(bare.url, theirs(), connections, seconds);
    runs.push({ own: own.perSecond, other: other.perSecond, p99: own.p99, otherP99: other.p99 });
  }
  const ratio = median(runs.map(({ own, other }) => own / other));
  const of = (of: (run: (typeof runs)[number]) => number, digits: number) => median(runs.map(of)).toFixed(digits);
  measured.push([
    name,
    of(({ own }) => own, 0),
    of(({ other }) => other, 0),
    ratio.toFixed(2),
    of(({ p99 }) => p99, 1),
    of(({ otherP99 }) => otherP99, 1),
  ]);
  expect(ratio).toBeGreaterThan(least);
});
