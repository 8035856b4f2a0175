import { randomBytes } from 'node:crypto';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GatewayServer } from '../../../src/accept/server.ts';
import { serve, text } from '../../support/http-server.ts';

const limit = 1_000_000;
let server: GatewayServer;
let url: string;
beforeAll(async () => {
  const started = await serve(async (request) =>
    text((await request.content({ bytes: limit, setting: 'bodyBytes' })).toString()),
  );
  server = started.server;
  url = `http://127.0.0.1:${started.port}/`;
});
afterAll(() => server.close(0));

async function post(body: Buffer, encoding: string): Promise<readonly [status: number, body: string]> {
  const answer = await fetch(url, { method: 'POST', headers: { 'Content-Encoding': encoding }, body });
  return [answer.status, await answer.text()];
}

const json = Buffer.from('{"resource_id":"é"}');
test.each([
  ['gzip', gzipSync(json)],
  ['GZip', gzipSync(json)],
  ['x-gzip', gzipSync(json)],
  ['deflate', deflateSync(json)],
  ['br', brotliCompressSync(json)],
  ['identity', json],
  ['gzip', Buffer.concat([gzipSync(json.subarray(0, 3)), gzipSync(json.subarray(3))])],
  ['gzip', Buffer.alloc(0)],
])('a body in %s is decompressed', async (encoding, body) => {
  expect(await post(body, encoding)).toEqual([200, body.length === 0 ? '' : json.toString()]);
});

test.each(['zstd', 'compress', 'gzip, gzip', 'gzip,br', 'aws-chunked', '__proto__', 'x'.repeat(5000)])(
  'the encoding %s is 415',
  async (encoding) => {
    const [status, body] = await post(json, encoding);
    expect([status, body.length < 200]).toEqual([415, true]);
    expect(JSON.parse(body)).toBe(
      `Unsupported Media Type: Content-Encoding must be gzip, deflate or br, got ${encoding.slice(0, 100)}`,
    );
  },
);

test.each([
  ['gzip', json],
  ['gzip', gzipSync(json).subarray(0, -9)],
  ['gzip', deflateSync(json)],
  ['deflate', randomBytes(100)],
  ['br', json],
  ['br', brotliCompressSync(json).subarray(0, 5)],
])('%s that is none is 400', async (encoding, body) => {
  expect(await post(body, encoding)).toEqual([
    400,
    `"Bad request: the body is not ${encoding}, as Content-Encoding says"`,
  ]);
});

/** Random hex digits: they compress only to a bit more than half. */
const ordinary = (bytes: number) => Buffer.from(randomBytes(bytes).toString('hex').slice(0, bytes));

test('the limit holds for the unpacked bytes, to the byte', async () => {
  expect((await post(gzipSync(ordinary(limit)), 'gzip'))[0]).toBe(200);
  expect(await post(gzipSync(ordinary(limit + 1)), 'gzip')).toEqual([
    413,
    `"Request Entity Too Large: more than ${limit} bytes (limits.bodyBytes) when unpacked"`,
  ]);
});

test.each([
  ['gzip', gzipSync(Buffer.alloc(900_000))],
  ['br', brotliCompressSync(Buffer.alloc(900_000))],
  ['deflate', deflateSync(Buffer.alloc(900_000))],
])('%s that grows more than a hundredfold is refused, below the limit too', async (encoding, body) => {
  const [status, text] = await post(body, encoding);
  expect([status, text]).toEqual([
    400,
    `"Bad request: the body unpacks to more than 100 times its ${body.length} bytes: send it without ${encoding}"`,
  ]);
  // The compression ratio of small bodies is not limited.
  expect(await post(brotliCompressSync(Buffer.alloc(65_536, 'x')), 'br')).toEqual([200, 'x'.repeat(65_536)]);
});

test('a hundred bombs of a gigabyte each are refused before they are unpacked', { timeout: 20_000 }, async () => {
  // Gzip members can be concatenated, so that we need not compress a gigabyte.
  const megabytes = gzipSync(Buffer.alloc(10_000_000));
  const bombs = {
    gzip: Buffer.concat(Array.from({ length: 100 }, () => megabytes)),
    br: brotliCompressSync(Buffer.alloc(100_000_000), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  };
  const before = process.memoryUsage().rss;
  let peakMemory = 0;
  const watch = setInterval(() => {
    peakMemory = Math.max(peakMemory, process.memoryUsage().rss - before);
  }, 5);
  const since = performance.now();
  const all = Array.from({ length: 100 }, (_, i) => (i % 2 === 0 ? ('gzip' as const) : ('br' as const)));
  const answers = await Promise.all(all.map(async (encoding) => (await post(bombs[encoding], encoding))[1]));
  clearInterval(watch);
  for (const answer of answers) expect(answer).toMatch(/\(limits.bodyBytes\) when unpacked|more than 100 times/);
  expect(performance.now() - since).toBeLessThan(10_000);
  expect(peakMemory / 1e6).toBeLessThan(400);
});

test('tens of thousands of empty members are one empty body', async () => {
  const empty = gzipSync(Buffer.alloc(0));
  const members = Buffer.concat(Array.from({ length: 45_000 }, () => empty));
  expect(await post(members, 'gzip')).toEqual([200, '']);
});
