import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RequestHead } from '../../../src/accept/request-head.ts';
import type { GatewayServer } from '../../../src/accept/server.ts';
import { dial, serve } from '../../support/http-server.ts';

/** More bytes than the system's socket buffers hold. */
const large = 16_000_000;
const cachedBody = Buffer.alloc(large);
const text = cachedBody.toString('latin1');
let server: GatewayServer;
let port: number;
beforeEach(async () => {
  const answer = async ({ target }: { readonly target: string }) => {
    const body = target === '/kept' ? cachedBody : target === '/small' ? 'small' : text;
    return { status: 200, headers: {}, body };
  };
  // A limit for two large responses, but not for three.
  const fromCache = (request: RequestHead) =>
    request.target === '/known' ? { status: 200, head: [], body: Buffer.from(cachedBody) } : null;
  const recall = { find: fromCache, expects: () => false };
  ({ server, port } = await serve(answer, { unsentBytes: 2.5 * large }, { requestCache: recall }));
});
afterEach(() => server.close(0));

/** A client that sends a request and does not read the response. */
async function deaf(path: string) {
  const client = dial(port);
  client.socket.pause();
  let isCut = false;
  client.socket.once('close', () => {
    isCut = true;
  });
  client.write(`GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`);
  // The response has started.
  await expect.poll(() => client.socket.readableLength).toBeGreaterThan(0);
  return { ...client, isCut: () => isCut };
}
/** A client must read its buffered bytes before it sees that the connection was closed. */
async function cut(clients: readonly Awaited<ReturnType<typeof deaf>>[]) {
  for (const { socket } of clients) socket.resume();
  await expect
    .poll(() => clients.every(({ got, isCut }) => isCut() || got().length > large), { timeout: 5000 })
    .toBe(true);
  return clients.map(({ isCut }) => isCut());
}

test.each([
  ['', '/made'],
  [', of known requests', '/known'],
])(
  'of clients that do not read%s, the one that stood still longest is cut off; one that reads gets all of it',
  async (_, path) => {
    const clients = [await deaf(path), await deaf(path), await deaf(path)];
    const reader = dial(port);
    reader.write(`GET ${path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`);
    expect((await reader.closed).length).toBeGreaterThan(large);
    // The second connection reached the limit while its response was being sent.
    expect(await cut(clients)).toEqual([true, true, false]);
  },
);

test('cached bytes are counted once, however many clients do not read them', async () => {
  const clients = await Promise.all(Array.from({ length: 5 }, () => deaf('/kept')));
  expect(await cut(clients)).toEqual([false, false, false, false, false]);
});

test('a client that has left is no longer counted', async () => {
  for (const path of ['/a', '/b', '/c', '/d']) {
    const client = await deaf(path);
    client.socket.destroy();
    await client.closed;
  }
  expect(await cut([await deaf('/e'), await deaf('/f')])).toEqual([false, false]);
});
