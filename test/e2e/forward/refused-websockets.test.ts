/** WebSocket handshakes that the application, or the gateway itself, refuses. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { after, application, front, rawApplication } from '../../support/forwarding-server.ts';
import { dial, pause, raw } from '../../support/http-server.ts';

const head = (path: string, ...headers: string[]) =>
  [`GET ${path} HTTP/1.1`, 'Host: h', ...headers, '', ''].join('\r\n');
const webSocket = head('/ws', 'Connection: Upgrade', 'Upgrade: websocket');
const switched = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n';

/** A client that requests a WebSocket and never closes its side of the connection. */
async function stubborn(port: number, path = '/ws') {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => undefined);
  after(() => socket.destroy());
  let got = '';
  socket.setEncoding('latin1').on('data', (bytes) => {
    got += bytes;
  });
  socket.write(webSocket.replace('/ws', path));
  await Promise.race([once(socket, 'end'), once(socket, 'close')]);
  return { socket, got };
}

test.each([
  ['with a length', 'HTTP/1.1 404 No\r\nContent-Length: 5\r\n\r\nno ws'],
  ['in chunks', 'HTTP/1.1 403 No\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nno ws\r\n0\r\n\r\n'],
  ['without a body', 'HTTP/1.1 204 No\r\n\r\n'],
  ['up to its end', 'HTTP/1.1 200 Yes\r\n\r\nno ws'],
  ['as 426', 'HTTP/1.1 426 No\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nContent-Length: 5\r\n\r\nno ws'],
  ['never', ''],
])(
  'a refused handshake takes no place any more when it is answered, whatever its client does: %s',
  async (_, answer) => {
    const url = await rawApplication((socket) => {
      socket.once('data', () => (answer.startsWith('HTTP/1.1 200') ? socket.end(answer) : socket.write(answer)));
      if (answer === '') socket.resetAndDestroy();
    });
    const { port, server } = await front(url, { maxRequests: 2 }, false, { lingerMs: 60_000 });
    const status = answer === '' ? '502' : answer.slice(9, 12);
    for (let nth = 0; nth < 10; nth++) expect((await stubborn(port)).got).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(server.levels().connections).toBe(10);
  },
);

test('nor does one that the gateway refuses, and its connection is closed after a while', async () => {
  const { url } = await application((req, res) => void (req.url === '/held' || res.end('well')));
  const { port, server } = await front(url, { maxRequests: 1 }, false, { lingerMs: 200 });
  const heldConnection = dial(port);
  heldConnection.write(head('/held'));
  await pause(50);
  for (let nth = 0; nth < 5; nth++) expect((await stubborn(port)).got).toMatch(/^HTTP\/1\.1 503 [\s\S]*is busy"$/);
  heldConnection.socket.destroy();
  await expect.poll(() => raw(port, head('/', 'Connection: close'))).toMatch(/well$/);
  await expect.poll(() => server.levels().connections).toBe(0);
});

test('a client whose handshake was refused, and that goes on talking, is closed after a while', async () => {
  const { url, server: behind } = await application((_, res) => res.writeHead(404).end());
  behind.removeAllListeners('upgrade');
  const { port, server } = await front(url, {}, false, { lingerMs: 200 });
  const { socket } = await stubborn(port);
  const talk = setInterval(() => socket.write('more'), 10);
  await expect.poll(() => server.levels().connections).toBe(0);
  clearInterval(talk);
});

test('a client that does not read why its handshake was refused, or what the application says, is closed, also when it talks', async () => {
  const large = 'x'.repeat(20_000_000);
  const { url, server: behind } = await application((_, res) => res.writeHead(404).end());
  behind.removeAllListeners('upgrade').on('upgrade', (req, socket) => {
    socket.on('error', () => undefined);
    if (req.url === '/ws') socket.write(switched + large);
    else socket.end(`HTTP/1.1 404 No\r\nContent-Length: ${large.length}\r\n\r\n${large}`);
  });
  const { port, server } = await front(url, { maxRequests: 1, idleTimeout: 2000 });
  for (const path of ['/refused', '/ws']) {
    const { socket } = dial(port);
    socket.pause();
    socket.write(webSocket.replace('/ws', path));
    await expect.poll(() => socket.readableLength).toBeGreaterThan(0);
    const talk = setInterval(() => socket.write('more'), 10);
    expect(await raw(port, head('/', 'Connection: close'))).toMatch(/^HTTP\/1\.1 503/);
    await expect.poll(() => server.levels().connections, { timeout: 15_000 }).toBe(0);
    clearInterval(talk);
    socket.destroy();
  }
  expect(await raw(port, head('/', 'Connection: close'))).toMatch(/^HTTP\/1\.1 404/);
});

test('a connection to the application that has answered a handshake is not used again', async () => {
  const targets: string[] = [];
  const { url, server } = await application((req, res) => {
    targets.push(`${req.socket.remotePort}`);
    res.end('well');
  });
  server.removeAllListeners('upgrade');
  const { port } = await front(url);
  for (const bytes of [webSocket, webSocket, head('/', 'Connection: close')]) await raw(port, bytes);
  expect(new Set(targets).size).toBe(3);
});

test('a handshake with two hosts is refused as any other request is', async () => {
  const { url, sockets } = await application(
    () => undefined,
    (socket) => void socket.write(switched),
  );
  const { port } = await front(url);
  expect(await raw(port, webSocket.replace('Host: h', 'Host: h\r\nHost: other'))).toMatch(/^HTTP\/1\.1 400 /);
  expect(sockets.size).toBe(0);
});

test('101 to no protocol is a clear answer', async () => {
  const url = await rawApplication((socket) => {
    socket.on('data', () => socket.write('HTTP/1.1 101 Switching Protocols\r\nContent-Length: 0\r\n\r\n'));
  });
  const { port } = await front(url);
  expect((await stubborn(port)).got).toMatch(/^HTTP\/1\.1 502 [\s\S]*does not speak HTTP"$/);
});
