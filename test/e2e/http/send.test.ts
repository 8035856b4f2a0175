import { createServer, type ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import type { Reply } from '../../../src/model/http.ts';
import { type SendOptions, send } from '../../../src/reply/send.ts';

const now: SendOptions = { id: 'x', head: false, held: null };

async function sent(reply: Reply, how: SendOptions, method = 'GET'): Promise<Response> {
  const server = createServer((_, res) => send(res, reply, how)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  try {
    const response = await fetch(`http://127.0.0.1:${port}/`, { method, headers: { connection: 'close' } });
    return new Response(response.status === 304 ? null : await response.arrayBuffer(), response);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test('length is counted in bytes, of text and of bytes', async () => {
  for (const body of ['"é€😀"', Buffer.from('"é€😀"')]) {
    const response = await sent({ status: 200, headers: {}, body }, now);
    expect(response.headers.get('content-length')).toBe('11');
    expect(await response.text()).toBe('"é€😀"');
  }
});

test('headers of the reply win', async () => {
  const response = await sent(
    { status: 404, headers: { 'Content-Type': 'text/csv', 'X-Cache': 'HIT' }, body: '' },
    now,
  );
  expect(response.status).toBe(404);
  expect(response.headers.get('content-type')).toBe('text/csv');
  expect(response.headers.get('x-cache')).toBe('HIT');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
});

test('HEAD keeps the length and sends no body', async () => {
  for (const held of [null, Promise.resolve()]) {
    const response = await sent({ status: 200, headers: {}, body: '"body"' }, { id: 'x', head: true, held }, 'HEAD');
    expect(response.headers.get('content-length')).toBe('6');
    expect(await response.text()).toBe('');
  }
});

test('304 says no length', async () => {
  const response = await sent({ status: 304, headers: { ETag: '"x"' }, body: '' }, now);
  expect(response.headers.get('content-length')).toBeNull();
  expect(response.headers.get('etag')).toBe('"x"');
});

test('a held reply is whole before it is ended', async () => {
  let release = () => {};
  const pendingWrite = new Promise<void>((resolve) => {
    release = resolve;
  });
  expect(
    await (
      await sent({ status: 413, headers: {}, body: '"why"' }, { id: 'x', head: false, held: pendingWrite })
    ).text(),
  ).toBe('"why"');
  release();
});

test('a client that has left is left alone', () => {
  const closedResponse: Partial<ServerResponse> = {
    destroyed: true,
    writeHead: () => {
      throw new Error('written to nobody');
    },
  };
  expect(() =>
    send(Object.assign(Object.create(null), closedResponse), { status: 200, headers: {}, body: '' }, now),
  ).not.toThrow();
});
