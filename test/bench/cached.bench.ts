/** A cached search beside a bare node:http server that reads the same body and sends the same bytes. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { servers } from '../servers/engines.ts';
import { ensureWrk, pinned, type Request } from './load.ts';
import { report } from './report.ts';
import { cellsOf, columns, headers, inTurn, postHeaders, served, token } from './served.ts';

const connections = 32;
let gateway: Awaited<ReturnType<typeof served>>;
let bare: Awaited<ReturnType<typeof pinned>>;
let etag = '';
const measured: (readonly string[])[] = [];

const path = '/api/3/action/datastore_search';
const get: Request = { method: 'GET', path: `${path}?resource_id=records&limit=100`, headers };
const body = JSON.stringify({ resource_id: 'records', limit: 100 });
const post: Request = { method: 'POST', path, headers: postHeaders, body };

beforeAll(async () => {
  await ensureWrk();
  const [engine] = servers();
  if (engine === undefined) throw new Error('this benchmark needs a database server');
  gateway = await served(engine, '{ ttl: 1h }');
  const answer = await fetch(`${gateway.url}${get.path}`, { headers: { Authorization: token } });
  etag = answer.headers.get('etag') ?? '';
  writeFileSync(join(gateway.folder, 'body'), await answer.text());
  bare = await pinned([join(import.meta.dirname, 'bare.mjs'), join(gateway.folder, 'body')]);
});
afterAll(async () => {
  const title = `A cached search of 100 records (14 kB), ${connections} connections, one process`;
  report('cached', title, ['Case', ...columns('bare node:http')], measured);
  await bare?.stop();
  await gateway?.stop();
});

const unchanged = (etag: string): Request => ({ ...get, headers: { ...headers, 'If-None-Match': etag } });

test.each([
  ['GET', () => get, () => get],
  ['POST', () => post, () => post],
  ['304', () => unchanged(etag), () => unchanged('"the-only-one"')],
] as const)('%s', async (name, ours, theirs) => {
  const compared = await inTurn(
    { url: gateway.url, request: ours() },
    { url: bare.url, request: theirs() },
    connections,
  );
  measured.push(cellsOf(name, compared));
  expect(compared.ratio).toBeGreaterThan(0.85);
});
