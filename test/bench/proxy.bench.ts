/** Requests that are passed on to the upstream, compared with a proxy written by hand with node:http and a keep-alive agent. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { servers } from '../support/servers/engines.ts';
import { application, connections, proxy, requests } from './forwarded.ts';
import { ensureWrk, pinned, program, type Request } from './load.ts';
import { report } from './report.ts';
import { cellsOf, columns, inPairs, type Pair } from './served.ts';

const measured: (readonly string[])[] = [];

beforeAll(ensureWrk);
afterAll(() => {
  const title = `Forwarded requests, ${connections} connections`;
  report('proxy', title, ['Case', ...columns('proxy by hand')], measured);
});

test.each(requests)('%s', async (name, request) => {
  const compared = await inPairs(() => pair(request), connections);
  measured.push(cellsOf(name, compared));
  expect(compared.ratio).toBeGreaterThanOrEqual(0.9);
});

/** Two proxies of one application. */
async function pair(request: Request): Promise<Pair> {
  const [engine] = servers();
  if (engine === undefined) throw new Error('this benchmark needs a database server');
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  const behind = await application();
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
  const byHand = await proxy('hand-written', behind.url);
  return {
    own: { url: gateway.url, request },
    other: { url: byHand.url, request },
    async stop() {
      for (const running of [gateway, byHand, behind]) await running.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
