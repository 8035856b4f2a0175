import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { harmless, outputBesideLog, type WithoutDatabase, withoutDatabase } from './without-database.ts';

let gateways: WithoutDatabase;
let upstream: Server;
beforeAll(async () => {
  gateways = withoutDatabase();
  upstream = createServer((req, res) => req.url !== '/held' && res.writeHead(404).end()).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
});
afterAll(() => {
  gateways?.remove();
  upstream?.closeAllConnections();
  upstream?.close();
});

const head = (method: string, target: string, ...headers: string[]) =>
  [`${method} ${target} HTTP/1.1`, 'Host: h', ...headers, '', ''].join('\r\n');
const webSocket = ['Connection: Upgrade', 'Upgrade: websocket'];
const h2c = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'];

const sent: Readonly<Record<string, string>> = {
  CONNECT: 'CONNECT a:1 HTTP/1.1\r\nHost: h\r\n\r\n',
  'CONNECT behind a call': `${head('GET', '/api/3')}CONNECT a:1 HTTP/1.1\r\nHost: h\r\n\r\n`,
  'a WebSocket for the application': head('GET', '/ws', ...webSocket),
  'a WebSocket for us': head('GET', '/api/3', ...webSocket),
  'a WebSocket behind a call': head('GET', '/api/3') + head('GET', '/ws', ...webSocket),
  'an offer of h2c': head('GET', '/api/3', ...h2c),
  'many offers of h2c': head('GET', '/api/3', ...h2c).repeat(20),
  'an offer of h2c with a body': `${head('POST', '/api/3/action/datastore_search', ...h2c, 'Content-Length: 5')}ab`,
  'another protocol': head('GET', '/api/3', 'Connection: Upgrade', 'Upgrade: foo/1'),
  'a TLS hello': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'half a head': 'GET /api/3 HTTP/1.1\r\nX-A',
  'half a body': `${head('POST', '/api/3/action/datastore_search', 'Content-Length: 50')}{"a"`,
  'half an upload': `${head('POST', '/upload', 'Content-Length: 50')}abc`,
};

/** Sends bytes and resets the connection: immediately, after a moment, or when the first answer arrives. */
async function reset(url: string, bytes: string, when: 'at once' | 'soon' | 'answered'): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const closed = new Promise((resolve) => socket.on('error', () => undefined).once('close', resolve));
  await new Promise<void>((written) => socket.write(bytes, 'latin1', () => written()));
  if (when === 'soon') await sleep(10);
  if (when === 'answered') await Promise.race([once(socket, 'data'), closed, sleep(50)]);
  socket.resetAndDestroy();
  await closed;
}

test.each([
  ['alone', () => ({})],
  ['before an application', () => ({ upstream: { url: addressOf(upstream) } })],
  ['before an application that is busy', () => ({ upstream: { url: addressOf(upstream), maxRequests: 1 } })],
  ['before an application that is away', () => ({ upstream: { url: 'http://127.0.0.1:1' } })],
])('no reset ends the process, %s', async (name, more) => {
  const gateway = await gateways.serve(name, more());
  const openConnection = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  openConnection.write(head('GET', '/held'));
  for (const when of ['at once', 'soon', 'answered'] as const)
    for (const bytes of Object.values(sent)) await Promise.all([0, 1, 2].map(() => reset(gateway.url, bytes, when)));
  expect((await fetch(gateway.url + harmless)).status).toBe(200);
  openConnection.destroy();
  const ended = await gateway.stop();
  expect(ended.code).toBe(0);
  expect(outputBesideLog(ended.stderr)).toEqual([]);
});

function addressOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it does not listen');
  return `http://127.0.0.1:${address.port}`;
}
