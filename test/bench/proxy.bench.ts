/** What is passed on to the application behind, beside a proxy written by hand with node:http and a keep-alive agent. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { servers } from '../servers/engines.ts';
import { ensureWrk, pinned, program, type Request, wrk } from './load.ts';
import { median, report } from './report.ts';

const rounds = Number(process.env.ROUNDS ?? 20);
const seconds = Number(process.env.SECONDS_EACH ?? 1);
const connections = 32;
type Running = Awaited<ReturnType<typeof pinned>>;

let folder = '';
let application: Running;
let gateway: Running;
let byHand: Running;
const measured: (readonly string[])[] = [];

const headers = { 'User-Agent': 'bench', Accept: '*/*', Cookie: 'session=0123456789abcdef' };
const get: Request = { method: 'GET', path: '/dataset/some-page?page=2', headers };
const post: Request = {
  method: 'POST',
  path: '/dataset/edit',
  headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' },
  body: `notes=${'x'.repeat(4000)}`,
};

beforeAll(async () => {
  await ensureWrk();
  const [engine] = servers();
  if (engine === undefined) throw new Error('this benchmark needs a database server');
  folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  application = await pinned([join(import.meta.dirname, 'application.mjs')], 1);
  const file = join(folder, 'gateway.yaml');
  writeFileSync(
    file,
    `server: { port: 0 }
upstream: { url: "${application.url}" }
databases: { db: { client: ${engine.client}, connection: "${engine.url}" } }
resources: { records: { database: db, table: ${engine.client === 'postgres' ? 'pg_class, schema: pg_catalog' : 'user'} } }
`,
  );
  gateway = await pinned([...program, 'serve', file]);
  byHand = await pinned([join(import.meta.dirname, 'hand-written.mjs'), application.url]);
});
afterAll(async () => {
  report(
    'proxy',
    `Passed on to the application behind, ${connections} connections`,
    ['Case', 'Gateway (1/s)', 'By hand (1/s)', 'Ratio', 'p99 (ms)', 'p99 by hand (ms)'],
    measured,
  );
  await gateway?.stop();
  await byHand?.stop();
  await application?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test.each([
  ['GET of 15 kB', get],
  ['POST of 4 kB', post],
])('%s', async (name, request) => {
  const runs: { readonly own: number; readonly other: number; readonly p99: number; readonly otherP99: number }[] = [];
  for (const { url } of [gateway, byHand]) await wrk(url, request, connections, 2);
  for (let round = 0; round < rounds; round++) {
    const own = await wrk(gateway.url, request, connections, seconds);
    const other = await wrk(byHand.url, request, connections, seconds);
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
  expect(ratio).toBeGreaterThanOrEqual(0.9);
});
