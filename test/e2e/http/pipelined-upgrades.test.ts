/** An upgrade request detaches the connection from Node's HTTP parser. Earlier requests must still be answered, in order. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { IncomingRequest } from '../../../src/accept/incoming.ts';
import type { Limits } from '../../../src/accept/limits.ts';
import type { GatewayServer } from '../../../src/accept/server.ts';
import type { ServerOptions } from '../../../src/accept/server-options.ts';
import { application, front } from '../../support/forwarding-server.ts';
import { dial, pause, raw, serve, text } from '../../support/http-server.ts';

const running: GatewayServer[] = [];
const warnings: Error[] = [];
const warned = (warning: Error) => void warnings.push(warning);
beforeEach(() => void process.on('warning', warned));
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close(0)));
  process.off('warning', warned);
  expect(warnings.splice(0)).toEqual([]);
});
async function start(answer: ServerOptions['answer'], limits: Partial<Limits> = {}, more: Partial<ServerOptions> = {}) {
  const { server, port } = await serve(answer, limits, more);
  running.push(server);
  return port;
}
const targets: string[] = [];
/** Responds with the target, after the number of milliseconds at the end of the target. */
const echo = async ({ target }: IncomingRequest) => {
  targets.push(target);
  await pause(Number(/\d+$/.exec(target)?.[0] ?? 0));
  return text(`<${target}>`);
};
beforeEach(() => void targets.splice(0));

const head = (method: string, path: string, ...headers: string[]) =>
  [`${method} ${path} HTTP/1.1`, 'Host: h', ...headers, '', ''].join('\r\n');
const h2c = (path: string, ...more: string[]) =>
  head('GET', path, 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk', ...more);
const last = head('GET', '/last', 'Connection: close');
const answers = (all: string) => all.match(/<[^>]*>|HTTP\/1\.1 (?!200)\d+/g);

test('a hundred requests for h2c in one packet are answered in order, with calls before, between and behind them', async () => {
  const port = await start(echo);
  const targets = Array.from({ length: 100 }, (_, nth) => `/${nth}/${nth % 10 === 0 ? 5 : 0}`);
  const bytes = targets.map((target, nth) => (nth % 3 === 0 ? head('GET', target) : h2c(target))).join('') + last;
  expect(answers(await raw(port, bytes))).toEqual([...targets, '/last'].map((target) => `<${target}>`));
});

test('so they are when they come byte by byte while a call is under way, with bodies', async () => {
  const port = await start(async (request) =>
    text(`<${request.target}${await request.body({ bytes: 1000, setting: 'bodyBytes' })}>`),
  );
  const slow = await start(echo);
  const post = h2c('/a', 'Content-Length: 3').replace('GET', 'POST');
  const line = dial(port);
  for (const byte of `${head('GET', '/b')}${post}abc${post}def${last}`) {
    line.write(byte);
    if (byte === '\n') await pause(1);
  }
  expect(answers(await line.closed)).toEqual(['</b>', '</aabc>', '</adef>', '</last>']);
  const other = dial(slow);
  other.write(head('GET', '/100'));
  await pause(20);
  for (const byte of h2c('/0') + last) other.write(byte);
  expect(answers(await other.closed)).toEqual(['</100>', '</0>', '</last>']);
});

test('an answer that is larger than the system takes is sent to its end, before that of a request for h2c', async () => {
  const size = 30_000_000;
  const port = await start(async ({ target }) => {
    async function* pieces() {
      for (let sent = 0; sent < size; sent += 1_000_000) yield 'x'.repeat(1_000_000);
    }
    const body = { pieces: pieces(), broken: new AbortController().signal };
    return target === '/large' ? { ...text(''), body } : text(`<${target}>`);
  });
  const line = dial(port);
  line.socket.pause();
  line.write(head('GET', '/large') + h2c('/next') + last);
  await pause(100);
  line.socket.resume();
  const all = await line.closed;
  expect(all.match(/x{1000,}/g)?.join('')).toHaveLength(size);
  expect(answers(all)).toEqual(['</next>', '</last>']);
});

test('bytes behind answers that wait for one another are not lost', async () => {
  const find: ServerOptions['requestCache']['find'] = ({ target }) =>
    target === '/2' ? { status: 200, head: [], body: Buffer.from(`<${target}>${' '.repeat(200_000)}`) } : null;
  const port = await start(echo, {}, { requestCache: { find, expects: () => false } });
  // Node stops reading while too much output is queued, and continues after it was sent.
  const all = await raw(port, `${head('GET', '/50')}${head('GET', '/2')}${head('GET', '/3')}${h2c('/4')}${last}`);
  expect(answers(all)).toEqual(['</50>', '</2>', '</3>', '</4>', '</last>']);
});

test('an answer that was sent before, without reading the request anew, is waited for too', async () => {
  const find: ServerOptions['requestCache']['find'] = ({ target }) =>
    target.startsWith('/kept') ? { status: 200, head: [], body: Buffer.from(`<${target}>`) } : null;
  const port = await start(echo, {}, { requestCache: { find, expects: () => true } });
  const post = head('POST', '/kept/1', 'Content-Length: 3');
  const all = await raw(port, `${head('GET', '/30')}${post}abc${h2c('/kept/2')}${post}abc\x01garbage\r\n\r\n`);
  expect(answers(all)).toEqual(['</30>', '</kept/1>', '</kept/2>', '</kept/1>', 'HTTP/1.1 400']);
});

test('CONNECT behind a call that takes its time is refused after its answer', async () => {
  const port = await start(echo);
  const all = await raw(
    port,
    `${head('GET', '/50')}${head('GET', '/0')}CONNECT db:5432 HTTP/1.1\r\nHost: h\r\n\r\nmore`,
  );
  expect(answers(all)).toEqual(['</50>', '</0>', 'HTTP/1.1 405']);
});

test('garbage in fifty pieces behind a call is refused once, after its answer', async () => {
  const port = await start(echo);
  const line = dial(port);
  line.write(head('GET', '/300'));
  for (let nth = 0; nth < 50; nth++) {
    line.write('\x01garbage\r\n');
    await pause(2);
  }
  expect(answers(await line.closed)).toEqual(['</300>', 'HTTP/1.1 400']);
});

test('behind a call that ends the connection no request is handled', async () => {
  const port = await start(echo);
  const ambiguous = head('GET', '/ambiguous', 'Host: other');
  for (const hidden of [h2c('/hidden'), head('CONNECT', '/hidden')])
    expect(answers(await raw(port, `${head('GET', '/20')}${ambiguous}${hidden}${last}`))).toEqual([
      '</20>',
      'HTTP/1.1 400',
    ]);
  expect(targets).toEqual(['/20', '/20']);
});

test('a client that resets while requests for h2c wait is forgotten, and one that does not read is let go', async () => {
  const { server, port } = await serve(
    async ({ target }) => {
      await pause(target === '/slow' ? 100 : 0);
      return text('x'.repeat(50_000_000));
    },
    { stalledTimeoutMs: 300 },
  );
  running.push(server);
  for (const path of ['/slow', '/large']) {
    const line = dial(port);
    line.socket.pause();
    line.write(head('GET', path) + h2c('/next') + h2c('/next'));
    await pause(50);
    if (path === '/slow') line.socket.resetAndDestroy();
  }
  await expect.poll(() => server.levels().connections, { timeout: 5000 }).toBe(0);
});

test('a head of the largest size is not too large because it asks for h2c', async () => {
  const port = await start(echo, { headerBytes: 16_384 });
  const many = 'X:1\r\n'.repeat(3000);
  const large = h2c('/0').replace('\r\n\r\n', `\r\n${many}\r\n`);
  expect(large.length).toBeGreaterThan(15_000);
  expect(answers(await raw(port, head('GET', '/20') + large + last))).toEqual(['</20>', '</0>', '</last>']);
});

test('a WebSocket is not opened amid the answer to another request', async () => {
  const { url } = await application(
    (_, res) => void setTimeout(() => res.end('<slow>'), 100),
    (socket) =>
      void socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n<open>'),
  );
  const { port } = await front(url);
  const line = dial(port);
  line.write(head('GET', '/') + head('GET', '/ws', 'Connection: Upgrade', 'Upgrade: websocket'));
  await line.until('<open>');
  expect(line.got()).toMatch(/^HTTP\/1\.1 200 [\s\S]*<slow>HTTP\/1\.1 101 [\s\S]*<open>$/);
  line.socket.destroy();
});
