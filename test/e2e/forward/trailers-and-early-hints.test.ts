import { expect, test } from 'vitest';
import { application, front, rawApplication } from '../../support/forwarding-server.ts';
import { dial, raw } from '../../support/http-server.ts';

const get = (...headers: string[]) =>
  ['GET / HTTP/1.1', 'Host: h', ...headers, 'Connection: close', '', ''].join('\r\n');
const withTrailers = ['TE: trailers', 'Connection: TE'];

test('trailers reach a client that accepts them, and no other', async () => {
  const asked: unknown[] = [];
  const { url } = await application((req, res) => {
    asked.push(req.headers.te);
    res.writeHead(200, { Trailer: 'X-Sum, X-Count' }).write('body');
    res.addTrailers([
      ['X-Sum', '1'],
      ['X-Count', '2'],
      ['X_Real_IP', '9.9.9.9'],
      ['Set-Cookie', 'a=1'],
    ]);
    res.end();
  });
  const { port } = await front(url);
  expect(await raw(port, get(...withTrailers))).toMatch(
    /Trailer: X-Sum, X-Count\r\n[\s\S]*body\r\n0\r\nX-Sum: 1\r\nX-Count: 2\r\n\r\n$/,
  );
  for (const headers of [[], ['TE: trailers'], ['Connection: TE']]) {
    const answer = await raw(port, get(...headers));
    expect(answer).toMatch(/\r\n\r\n4\r\nbody\r\n0\r\n\r\n$/);
    expect(answer).not.toMatch(/Trailer/i);
  }
  expect(asked).toEqual(['trailers', undefined, undefined, undefined]);
});

test('trailers of a request reach the application, but none that names the caller', async () => {
  const { url } = await application((req, res) =>
    req.resume().on('end', () => res.end(JSON.stringify(req.rawTrailers))),
  );
  const { port } = await front(url);
  const trailers = ['X-Sum: 1', 'X-Forwarded-For: 9.9.9.9', 'Authorization: token', 'Host: evil.example', 'X-Sum: 2'];
  const answer = await raw(
    port,
    [
      'POST / HTTP/1.1',
      'Host: h',
      'Transfer-Encoding: chunked',
      'Connection: close',
      '',
      '1',
      'x',
      '0',
      ...trailers,
      '',
      '',
    ].join('\r\n'),
  );
  expect(answer).toContain('["X-Sum","1","X-Sum","2"]');
});

test('headers behind a body that Node would not write end the answer, and nothing else', async () => {
  const url = await rawApplication((socket) => {
    const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n';
    socket.on('data', () => socket.write(Buffer.from(`${head}X-A: \x01\r\n\r\n`, 'latin1')));
  });
  const { port } = await front(url);
  for (let nth = 0; nth < 2; nth++) expect(await raw(port, get(...withTrailers))).not.toMatch(/\r\n0\r\n/);
});

test('early hints are sent before the answer, where the protocol allows it', async () => {
  const links = ['<a.css>; rel=preload; as=style', '<b.js>; rel=preload'];
  let hinted = () => {};
  const isHinted = new Promise<void>((resolve) => {
    hinted = resolve;
  });
  const { url } = await application(async (req, res) => {
    if (req.url === '/odd')
      Reflect.apply(Reflect.get(res, '_writeRaw'), res, ['HTTP/1.1 103 Early\r\nLink: odd\r\n\r\n']);
    else res.writeEarlyHints({ link: links, 'X-Other': '1' });
    res.writeProcessing();
    await isHinted;
    res.end('page');
  });
  const { port } = await front(url);
  const client = dial(port);
  client.write(get());
  const early = `HTTP/1.1 103 Early Hints\r\nLink: ${links.join(', ')}\r\n\r\n`;
  expect(await client.until('\r\n\r\n')).toBe(early);
  hinted();
  expect(await client.closed).toMatch(/\r\n\r\nHTTP\/1\.1 200 OK\r\n[\s\S]*page/);
  expect(await raw(port, get().replace('HTTP/1.1', 'HTTP/1.0'))).toMatch(/^HTTP\/1\.1 200 OK/);
  expect(await raw(port, get().replace('/ ', '/odd '))).toMatch(/^HTTP\/1\.1 200 OK/);
});

test.each([
  [
    '204',
    'HTTP/1.1 204 No Content\r\n\r\n',
    /^HTTP\/1\.1 204 No Content\r\n(?![\s\S]*(Content-Length|Transfer-Encoding))[\s\S]*\r\n\r\n$/,
  ],
  [
    '304 with a length',
    'HTTP/1.1 304 Not Modified\r\nContent-Length: 99\r\nETag: "a"\r\n\r\n',
    /^HTTP\/1\.1 304 Not Modified\r\n[\s\S]*ETag: "a"\r\n[\s\S]*\r\n\r\n$/,
  ],
  [
    '100 without a request for it',
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
    /^HTTP\/1\.1 200 OK\r\n[\s\S]*ok$/,
  ],
  [
    'body that ends with the connection',
    'HTTP/1.1 200 OK\r\n\r\nall of it',
    /^HTTP\/1\.1 200 OK\r\n[\s\S]*all of it\r\n0\r\n\r\n$/,
  ],
  [
    'body in chunks that came with its head',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nall \r\n5\r\nof it\r\n0\r\n\r\n',
    /^HTTP\/1\.1 200 OK\r\n[\s\S]*Transfer-Encoding: chunked\r\n[\s\S]*\r\n4\r\nall \r\n5\r\nof it\r\n0\r\n\r\n$/,
  ],
  [
    'header in latin1',
    'HTTP/1.1 200 Sch\xf6n\r\nX-A: \xe9\r\nContent-Length: 0\r\n\r\n',
    /^HTTP\/1\.1 200 Sch\xf6n\r\n[\s\S]*X-A: \xe9\r\n/,
  ],
  ['status of its own', 'HTTP/1.1 799 Mine\r\nContent-Length: 0\r\n\r\n', /^HTTP\/1\.1 799 Mine\r\n/],
])('an answer is passed on unchanged: %s', async (_, answer, expected) => {
  const url = await rawApplication((socket) => {
    socket.once('data', () => socket.end(Buffer.from(answer, 'latin1')));
  });
  const { port } = await front(url);
  expect(await raw(port, get())).toMatch(expected);
});

test('a body in chunks goes on as it comes', async () => {
  const { url } = await application((_, res) => {
    res.write('half');
    setTimeout(() => res.end('rest'), 50);
  });
  const { port } = await front(url);
  const client = dial(port);
  client.write(get());
  const first = await client.until('half\r\n');
  expect(first).toContain('\r\nTransfer-Encoding: chunked\r\n');
  expect(first).toMatch(/\r\n\r\n4\r\nhalf\r\n$/);
  expect(await client.closed).toMatch(/\r\n4\r\nrest\r\n0\r\n\r\n$/);
});

test('a switch to a protocol that was not requested is a clear answer', async () => {
  const url = await rawApplication((socket) => {
    socket.on('data', () =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
    );
  });
  const { port } = await front(url);
  expect(await raw(port, get())).toMatch(/^HTTP\/1\.1 502 /);
});

test('a head of the application that is too large is a clear answer', async () => {
  const url = await rawApplication((socket) => {
    socket.on('data', () => socket.write(`HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(100_000)}\r\n\r\n`));
  });
  const { port } = await front(url);
  expect(await raw(port, get())).toMatch(/^HTTP\/1\.1 502 /);
});

test.each([
  ['POST', []],
  ['POST', ['Content-Length: 0']],
  ['PURGE', []],
  ['M-SEARCH', []],
  ['DELETE', []],
  ['QUERY', ['Content-Length: 0']],
])('a request without a body stays one: %s %j', async (method, headers) => {
  const { url } = await application((req, res) => {
    const { 'content-length': length, 'transfer-encoding': coding } = req.headers;
    res.end(JSON.stringify([req.method, length ?? '0', coding ?? 'none']));
  });
  const { port } = await front(url);
  expect(await raw(port, get(...headers).replace('GET', method))).toContain(JSON.stringify([method, '0', 'none']));
});

test('bytes that are no ASCII are not changed, in either direction, also in a head whose body is long in coming', async () => {
  let asked = '';
  const url = await rawApplication((socket) => {
    socket.on('data', (bytes) => {
      asked += bytes.toString('latin1');
      socket.write(Buffer.from('HTTP/1.1 200 Sch\xf6n\r\nX-A: \xe9\r\nContent-Length: 2\r\n\r\n', 'latin1'));
      setTimeout(() => socket.write('ok'), 50);
    });
  });
  const { port } = await front(url);
  const client = dial(port);
  client.write(get('X-B: \xe8'));
  expect(await client.until('\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 Sch\xf6n\r\n[\s\S]*X-A: \xe9\r\n/);
  expect(await client.closed).toMatch(/ok$/);
  expect(asked).toMatch(/^GET \/ HTTP\/1\.1\r\n[\s\S]*x-b: \xe8\r\n/);
});
