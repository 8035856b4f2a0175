import { once } from 'node:events';
import { request, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { openUnresponsivePort } from '../../support/deaf.ts';
import { after, application, front, rawApplication } from '../../support/forwarding-server.ts';
import { dial, pause, raw } from '../../support/http-server.ts';
import { openTap } from '../../support/tap.ts';

const head = (path: string, ...headers: string[]) =>
  [`GET ${path} HTTP/1.1`, 'Host: h', ...headers, '', ''].join('\r\n');
const webSocket = head('/ws', 'Connection: Upgrade', 'Upgrade: websocket');
const endless = (res: ServerResponse) => {
  const timer = setInterval(() => res.write('x'.repeat(10_000)), 5);
  res.on('close', () => clearInterval(timer));
};

test('clients that leave in the midst of an answer leave nothing behind', async () => {
  const { url, sockets } = await application((_, res) => endless(res));
  const { port } = await front(url);
  const clients = Array.from({ length: 100 }, () => dial(port));
  for (const client of clients) client.write(head('/'));
  for (const client of clients) await client.until('xxxx');
  expect(sockets.size).toBe(100);
  for (const [at, { socket }] of clients.entries()) at % 2 === 0 ? socket.destroy() : socket.resetAndDestroy();
  await expect.poll(() => sockets.size).toBe(0);
});

test('clients that leave before there is an answer, or while they send, leave nothing behind', async () => {
  const { url, sockets } = await application(() => undefined);
  const { port } = await front(url);
  const clients = Array.from({ length: 20 }, () => dial(port));
  for (const [at, client] of clients.entries())
    client.write(at % 2 === 0 ? head('/') : 'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 99\r\n\r\nabc');
  await expect.poll(() => sockets.size).toBe(20);
  for (const { socket } of clients) socket.resetAndDestroy();
  await expect.poll(() => sockets.size).toBe(0);
});

test.each([
  ['says nothing more', 'Content-Length: 1000', (res: ServerResponse) => res.destroy()],
  ['resets', 'Content-Length: 1000', (res: ServerResponse) => res.socket?.resetAndDestroy()],
  ['ends no chunk', 'Transfer-Encoding: chunked', (res: ServerResponse) => res.destroy()],
])('an application that dies within an answer ends it within a second: it %s', async (_, framing, die) => {
  const [name = '', value = ''] = framing.split(': ');
  const { url } = await application((_, res) => {
    res.writeHead(200, { [name]: value }).write('half');
    setTimeout(die, 50, res);
  });
  const { port } = await front(url);
  const client = dial(port);
  client.write(head('/'));
  await client.until('half');
  const started = performance.now();
  const all = await client.closed;
  expect(performance.now() - started).toBeLessThan(1000);
  // The last chunk is missing, and there are fewer bytes than announced, so clients notice that it is incomplete.
  expect(all).not.toMatch(/\r\n0\r\n\r\n$/);
});

test('an application that dies while it is sent a body is a clear answer', async () => {
  const { url } = await application((req) => req.once('data', () => req.socket.resetAndDestroy()));
  const { port } = await front(url);
  const answer = await raw(port, `POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 99999\r\n\r\n${'x'.repeat(5000)}`);
  expect(answer).toMatch(/^HTTP\/1\.1 502 [\s\S]*"Bad Gateway: the application behind the gateway broke off/);
});

test('an application that answers before it has all of the body is heard', async () => {
  const { url } = await application((_, res) => res.writeHead(413, { Connection: 'close' }).end('too much'));
  const { port } = await front(url);
  const client = dial(port);
  client.write('POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10000000\r\n\r\n');
  const timer = setInterval(() => client.write('x'.repeat(10_000)), 1);
  const answer = await client.until('too much').finally(() => clearInterval(timer));
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  client.socket.destroy();
});

test('a WebSocket that is reset before it is answered ends nothing else', async () => {
  const { url, sockets } = await application(
    (_, res) => res.end('well'),
    () => undefined,
  );
  const { port } = await front(url);
  const clients = Array.from({ length: 20 }, () => dial(port));
  for (const client of clients) client.write(webSocket);
  await expect.poll(() => sockets.size).toBe(20);
  for (const { socket } of clients) socket.resetAndDestroy();
  await expect.poll(() => sockets.size).toBe(0);
  const early = connect(port, '127.0.0.1');
  early.on('error', () => undefined).write(webSocket, () => early.resetAndDestroy());
  await once(early, 'close');
  expect(await raw(port, head('/', 'Connection: close'))).toMatch(/well/);
});

const switched = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n';

test('a WebSocket ends on both sides, whichever side ends it and however', async () => {
  const { url, sockets } = await application(
    () => undefined,
    (socket) => void socket.write(`${switched}hello`),
  );
  const { port } = await front(url);
  for (const end of ['destroy', 'resetAndDestroy'] as const) {
    const client = dial(port);
    client.write(webSocket);
    await client.until('hello');
    client.socket[end]();
    await expect.poll(() => sockets.size).toBe(0);
    const other = dial(port);
    other.write(webSocket);
    await other.until('hello');
    for (const socket of sockets) socket[end]();
    expect(await other.closed).toContain('hello');
  }
});

test('an application that does not want a WebSocket is heard, and so is its absence', async () => {
  const { url, server } = await application((_, res) => res.writeHead(418, { 'X-Why': 'tea' }).end('no sockets here'));
  server.removeAllListeners('upgrade');
  const { port } = await front(url);
  expect(await raw(port, webSocket)).toMatch(/^HTTP\/1\.1 418 [\s\S]*x-why: tea[\s\S]*no sockets here/i);
  const nobody = await front('http://127.0.0.1:9');
  expect(await raw(nobody.port, webSocket)).toMatch(/^HTTP\/1\.1 502 [\s\S]*"Bad Gateway: [\s\S]*cannot be reached"$/);
  const silent = await front(await rawApplication(() => undefined), { idleTimeout: 200 });
  expect(await raw(silent.port, webSocket)).toMatch(
    /^HTTP\/1\.1 504 [\s\S]*"Gateway Timeout: [\s\S]*did not answer in time"$/,
  );
});

test('an application that hangs is a 504, and nothing waits on after it', async () => {
  const { url, sockets } = await application(() => undefined);
  const { port } = await front(url, { idleTimeout: 200 });
  const answer = await raw(port, head('/', 'Connection: close'));
  expect(answer).toMatch(
    /^HTTP\/1\.1 504 [\s\S]*"Gateway Timeout: the application behind the gateway did not answer in time"$/,
  );
  await expect.poll(() => sockets.size).toBe(0);
});

test('an application that stops within an answer breaks it off', async () => {
  const { url } = await application((_, res) => void res.writeHead(200, { 'Content-Length': '1000' }).write('half'));
  const { port } = await front(url, { idleTimeout: 200 });
  expect(await raw(port, head('/'))).toMatch(/half$/);
});

test('an application that takes no connection is a 504 in time', async () => {
  const deaf = await openUnresponsivePort();
  after(deaf.close);
  const { port } = await front(`http://127.0.0.1:${deaf.port}`, { connectTimeout: 200 });
  const late =
    /^HTTP\/1\.1 504 [\s\S]*"Gateway Timeout: the application behind the gateway took no connection in time"$/;
  expect(await raw(port, head('/', 'Connection: close'))).toMatch(late);
  expect(await raw(port, webSocket)).toMatch(late);
});

test('more requests than the application is to have at once are a 503, until there are fewer', async () => {
  const waiting: ServerResponse[] = [];
  const { url } = await application((req, res) => void (req.url === '/quick' ? res.end('well') : waiting.push(res)));
  const { port } = await front(url, { maxRequests: 2 });
  const clients = [dial(port), dial(port)];
  for (const client of clients) client.write(head('/'));
  await expect.poll(() => waiting.length).toBe(2);
  expect(await raw(port, head('/', 'Connection: close'))).toMatch(/^HTTP\/1\.1 503 [\s\S]*is busy"$/);
  expect(await raw(port, webSocket)).toMatch(/^HTTP\/1\.1 503 [\s\S]*is busy"$/);
  for (const { socket } of clients) socket.destroy();
  await expect.poll(() => raw(port, head('/quick', 'Connection: close'))).toMatch(/well/);
});

test('an application that was restarted is called again within two seconds, whatever connections it had', async () => {
  const { url } = await application((_, res) => res.end('well'));
  const tap = await openTap(url);
  after(() => tap.close());
  const { port } = await front(tap.url, { connectTimeout: 500, idleTimeout: 1000 });
  const ask = () => raw(port, head('/', 'Connection: close')).then((answer) => answer.slice(9, 12));
  const faults: readonly (readonly [readonly (() => unknown)[], RegExp, () => unknown])[] = [
    [[tap.refuse, tap.cut], /502/, tap.accept],
    [[tap.freeze], /504/, tap.thaw],
  ];
  for (const [faulty, expected, mend] of faults) {
    expect(await ask()).toBe('200');
    for (const fail of faulty) fail();
    expect(await ask()).toMatch(expected);
    await mend();
    const started = performance.now();
    await expect.poll(ask).toBe('200');
    expect(performance.now() - started).toBeLessThan(2000);
  }
});

test('a connection that the application closes just as it is used again costs no answer', async () => {
  let taken = 0;
  const url = await rawApplication((socket) => {
    taken += 1;
    let requests = 0;
    // The application answers one request per connection, and resets the connection on the second.
    socket.on('data', () => {
      requests += 1;
      if (requests === 1) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nwell');
      else socket.resetAndDestroy();
    });
  });
  const { url: mine } = await front(url);
  for (let nth = 0; nth < 6; nth++) expect(await (await fetch(mine)).text()).toBe('well');
  expect(taken).toBe(6);
  // A POST must never be sent twice.
  const answers: number[] = [];
  for (let nth = 0; nth < 2; nth++) answers.push((await fetch(mine, { method: 'POST', body: 'x' })).status);
  expect(answers).toContain(502);
});

test('a connection is kept for the next request, but not for long', async () => {
  const { url, sockets } = await application((req, res) => res.end(String(req.socket.remotePort)));
  const { url: mine } = await front(url);
  const ports = new Set<string>();
  for (let nth = 0; nth < 5; nth++) ports.add(await (await fetch(mine)).text());
  expect(ports.size).toBe(1);
  expect(sockets.size).toBe(1);
  await pause(1500);
  expect(sockets.size).toBe(0);
});

test('a connection is not kept for longer because the gateway stood still meanwhile', async () => {
  const { url } = await application((req, res) => res.end(String(req.socket.remotePort)));
  const { url: mine } = await front(url);
  const first = await (await fetch(mine)).text();
  // Busy waiting, as long as the application may take to close the connection, so that the gateway cannot have read that close yet.
  for (const since = performance.now(); performance.now() - since < 1500; );
  expect(await (await fetch(mine)).text()).not.toBe(first);
});

test('a gateway that stops keeps none', async () => {
  const { url, sockets } = await application((_, res) => res.end());
  const { url: mine, close } = await front(url);
  await fetch(mine);
  expect(sockets.size).toBe(1);
  await close();
  await expect.poll(() => sockets.size).toBe(0);
});

test('a connection is kept however an answer comes: in pieces, of a length or none, large; and a request in chunks', async () => {
  const ports = new Set<number | undefined>();
  const { url } = await application((req, res) => {
    ports.add(req.socket.remotePort);
    const [, how = '', bytes = ''] = req.url?.split('/') ?? [];
    const piece = Buffer.alloc(Number(bytes) / 2);
    if (how === 'length') res.setHeader('Content-Length', piece.length * 2);
    res.write(piece);
    setTimeout(() => res.end(piece), 20);
  });
  const { url: mine } = await front(url);
  for (let nth = 0; nth < 3; nth++)
    for (const path of ['length/10', 'length/3000000', 'chunks/10', 'chunks/3000000'])
      expect((await (await fetch(`${mine}/${path}`)).arrayBuffer()).byteLength).toBe(Number(path.split('/')[1]));
  const chunks = new Blob(['in chunks']).stream();
  await (await fetch(`${mine}/length/10`, { method: 'POST', body: chunks, duplex: 'half' })).arrayBuffer();
  await (await fetch(`${mine}/length/10`)).arrayBuffer();
  expect(ports.size).toBe(1);
});

test('a connection on which the application sent more than one answer is not used again', async () => {
  let taken = 0;
  const url = await rawApplication((socket) => {
    taken += 1;
    socket.on('data', () => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nwell');
      setTimeout(() => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil'), 20);
    });
  });
  const { url: mine } = await front(url);
  for (let nth = 0; nth < 4; nth++) {
    expect(await (await fetch(mine)).text()).toBe('well');
    await pause(60);
  }
  expect(taken).toBe(4);
});

test('a client is not cut off because the last connection to the application was short-lived', async () => {
  // The application announces a timeout for idle connections. It must not apply to slow answers.
  const { url, server } = await application(
    (req, res) => void setTimeout(() => res.end('late'), req.url === '/slow' ? 1500 : 0),
  );
  server.keepAliveTimeout = 2000;
  const { url: mine } = await front(url);
  expect(await (await fetch(`${mine}/`)).text()).toBe('late');
  expect(await (await fetch(`${mine}/slow`)).text()).toBe('late');
});

test('an agent of Java, which offers h2c with every request, is answered as anybody else', async () => {
  const { url } = await application(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    res.end(
      `${req.method} ${req.url} ${Buffer.concat(chunks)} ${req.headers.upgrade} ${req.headers['http2-settings']}`,
    );
  });
  const { port } = await front(url);
  const upgrade = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAEAA'];
  const lines = (first: string, ...more: string[]) => [first, 'Host: h', ...upgrade, ...more, '', ''].join('\r\n');
  const client = dial(port);
  client.write(lines('GET /a HTTP/1.1'));
  await client.until('GET /a  undefined undefined');
  client.write(`${lines('POST /b HTTP/1.1', 'Content-Length: 6')}abc`);
  await pause(50);
  client.write('def');
  await client.until('POST /b abcdef undefined undefined');
  client.socket.destroy();
});

test('a gateway that stops does not wait for an answer that the application never ends', async () => {
  const { url, sockets } = await application((_, res) => endless(res));
  const { port, close } = await front(url);
  const client = dial(port);
  client.write(head('/'));
  await client.until('xxxx');
  await close();
  await client.closed;
  await expect.poll(() => sockets.size).toBe(0);
  const refused = request({ port, host: '127.0.0.1' }).end();
  await expect(once(refused, 'response')).rejects.toThrow('ECONNREFUSED');
});
