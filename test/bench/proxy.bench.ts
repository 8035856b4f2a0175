/** Forwarded requests, compared with a hand-written proxy with node:http and a keep-alive agent. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { servers } from '../support/servers/engines.ts';
import { ensureWrk, pinned, program, type Request } from './load.ts';
import { report } from './report.ts';
import { cellsOf, columns, inPairs, type Pair } from './served.ts';

const connections = 32;

const headers = { 'User-Agent': 'bench', Accept: '*/*', Cookie: 'session=0123456789abcdef' };
const requests: readonly (readonly [string, Request])[] = [
  ['GET of 15 kB', { method: 'GET', path: '/dataset/some-page?page=2', headers }],
  [
    'POST of 4 kB',
    {
      method: 'POST',
      path: '/dataset/edit',
      headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' },
      body: `notes=${'x'.repeat(4000)}`,
    },
  ],
];

const measured: (readonly string[])[] = [];

beforeAll(ensureWrk);
afterAll(() => {
  const title = `Forwarded requests, ${connections} connections`;
  report('proxy', title, ['Case', ...columns('proxy by hand')], measured);
});

test.each(requests)('%s', async (name, request) => {
  const compared = await inPairs(() => pair(request), connections);
  measured.push(cellsOf(name, compared));
  // The hand-written proxy neither copies headers, as the proxy library does, nor selects them, as the gateway must.
  expect(compared.ratio).toBeGreaterThanOrEqual(0.5);
});

/** Both proxies in front of the same application. */
async function pair(request: Request): Promise<Pair> {
  const [engine] = servers();
  if (engine === undefined) throw new Error('this benchmark needs a database server');
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  // On the core that generates the load, because the measured process has the first one for itself.
  const behind = await pinned([join(import.meta.dirname, 'application.mjs')], '1');
  const file = join(folder, 'gateway.yaml');
  const table = engine.client === 'postgres' ? 'pg_class, schema: pg_catalog' : 'user';
  writeFileSync(
    file,
    `server: { port: 0 }
upstream: { url: "${behind.url}" }
databases: { db: { client: ${engine.client}, connection: "${engine.url}" } }
resources: { records: { database: db, table: ${table} } }
`,
  );
  const gateway = await pinned([program, 'serve', file]);
  const byHand = await pinned([join(import.meta.dirname, 'hand-written.mjs'), behind.url]);
  return {
    own: { url: gateway.url, request },
    other: { url: byHand.url, request },
    async stop() {
      for (const running of [gateway, byHand, behind]) await running.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
