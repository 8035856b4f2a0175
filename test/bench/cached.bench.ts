/** A cached search, compared with a bare node:http server that reads the same body and sends the same bytes. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { servers } from '../support/servers/engines.ts';
import { ensureWrk, pinned, type Request } from './load.ts';
import { report } from './report.ts';
import { cellsOf, columns, headers, inPairs, type Pair, postHeaders, served, token } from './served.ts';

const connections = 32;
const measured: (readonly string[])[] = [];

const path = '/api/3/action/datastore_search';
const get: Request = { method: 'GET', path: `${path}?resource_id=records&limit=100`, headers };
const body = JSON.stringify({ resource_id: 'records', limit: 100 });
const post: Request = { method: 'POST', path, headers: postHeaders, body };
const unchanged = (etag: string): Request => ({ ...get, headers: { ...headers, 'If-None-Match': etag } });

beforeAll(ensureWrk);
afterAll(() => {
  const title = `A cached search of 100 records (14 kB), ${connections} connections, one process`;
  report('cached', title, ['Case', ...columns('bare node:http')], measured);
});

test.each([
  ['GET', () => get],
  ['POST', () => post],
  ['304', unchanged],
] as const)('%s', async (name, asks) => {
  const compared = await inPairs(() => pair(asks), connections);
  measured.push(cellsOf(name, compared));
  expect(compared.ratio).toBeGreaterThan(0.85);
});

/** A gateway with the cached answer, and a server that only has that answer. */
async function pair(asks: (etag: string) => Request): Promise<Pair> {
  const [engine] = servers();
  if (engine === undefined) throw new Error('this benchmark needs a database server');
  const gateway = await served(engine, '{ ttl: 1h }');
  // The second call is a cache hit, as it is in the comparison.
  await fetchWithHead(gateway.url, {});
  const whole = await fetchWithHead(gateway.url, {});
  const { etag } = whole;
  const answers = join(gateway.folder, 'answers');
  writeFileSync(
    answers,
    JSON.stringify({ whole, unchanged: await fetchWithHead(gateway.url, { 'If-None-Match': etag }), etag }),
  );
  const bare = await pinned([join(import.meta.dirname, 'bare.mjs'), answers]);
  const sent = asks(etag);
  return {
    own: { url: gateway.url, request: sent },
    other: { url: bare.url, request: sent },
    async stop() {
      await bare.stop();
      await gateway.stop();
    },
  };
}

/** An answer with its headers as they were sent (names and values in turn), without those that Node adds by itself. */
async function fetchWithHead(url: string, more: Readonly<Record<string, string>>) {
  const call = request(`${url}${get.path}`, { headers: { Authorization: token, ...more } }).end();
  const [answer]: IncomingMessage[] = await once(call, 'response');
  if (answer === undefined) throw new Error(`no answer of ${url}`);
  const { rawHeaders, headers } = answer;
  const ofNode = ['date', 'connection', 'keep-alive'];
  const head: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (!ofNode.includes(rawHeaders[i]?.toLowerCase() ?? '')) head.push(...rawHeaders.slice(i, i + 2));
  return { etag: headers.etag ?? '', head, body: await text(answer) };
}
