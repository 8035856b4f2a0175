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
  // The second time it is a hit, and so is what is compared.
  await asked({});
  const whole = await asked({});
  etag = whole.etag;
  const answers = join(gateway.folder, 'answers');
  writeFileSync(answers, JSON.stringify({ whole, unchanged: await asked({ 'If-None-Match': etag }), etag }));
  bare = await pinned([join(import.meta.dirname, 'bare.mjs'), answers]);
});
afterAll(async () => {
  const title = `A cached search of 100 records (14 kB), ${connections} connections, one process`;
  report('cached', title, ['Case', ...columns('bare node:http')], measured);
  await bare?.stop();
  await gateway?.stop();
});

/** An answer with what Node does not say by itself of its head: names and values in turn. */
async function asked(more: Readonly<Record<string, string>>) {
  const asks = { Authorization: token, 'Accept-Encoding': 'identity', ...more };
  const answer = await fetch(`${gateway.url}${get.path}`, { headers: asks });
  const ofNode = ['date', 'connection', 'keep-alive'];
  const head = [...answer.headers].filter(([name]) => !ofNode.includes(name)).flat();
  return { etag: answer.headers.get('etag') ?? '', head, body: await answer.text() };
}

const unchanged = (etag: string): Request => ({ ...get, headers: { ...headers, 'If-None-Match': etag } });

test.each([
  ['GET', () => get, () => get],
  ['POST', () => post, () => post],
  ['304', () => unchanged(etag), () => unchanged(etag)],
] as const)('%s', async (name, ours, theirs) => {
  const compared = await inTurn(
    { url: gateway.url, request: ours() },
    { url: bare.url, request: theirs() },
    connections,
  );
  measured.push(cellsOf(name, compared));
  expect(compared.ratio).toBeGreaterThan(0.85);
});
