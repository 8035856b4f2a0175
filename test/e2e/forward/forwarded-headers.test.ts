import { expect, test } from 'vitest';
import { application, front, rawApplication } from '../../support/forwarding-server.ts';
import { dial, raw } from '../../support/http-server.ts';

/** Responds with the request as it arrived: method, target and headers. */
const mirror = () => application((req, res) => res.end(JSON.stringify([req.method, req.url, req.headers])));
const seenBy = async (port: number, lines: readonly string[]) => {
  const answer = await raw(port, [...lines, 'Connection: close', '', ''].join('\r\n'));
  const [, target, headers]: [string, string, Record<string, string>] = JSON.parse(
    answer.slice(answer.indexOf('[')).split('\r\n')[0] ?? '',
  );
  return { target, headers };
};

test.each([
  ['/a//b/../c/./d/?x=%2F&y=%zz&&=#', '/a//b/../c/./d/?x=%2F&y=%zz&&=#'],
  ['//evil.example/x', '//evil.example/x'],
  ['/%2e%2e/%2F%5c\\x', '/%2e%2e/%2F%5c\\x'],
  ['http://evil.example/x?y', '/x?y'],
  ['http://evil.example', '/'],
  ['HTTPS://user@evil.example:99?x', '/?x'],
  ['*', '*'],
])('%s goes to the application and nowhere else, and goes as it came', async (target, expected) => {
  const { url } = await mirror();
  const { port } = await front(url);
  const seen = await seenBy(port, [`${target === '*' ? 'OPTIONS' : 'GET'} ${target} HTTP/1.1`, 'Host: site.example']);
  expect([seen.target, seen.headers.host]).toEqual([expected, new URL(url).host]);
});

test('an application may be mounted at a path, and may get the name of the site', async () => {
  const { url } = await mirror();
  const { port } = await front(`${url}/app/`, { host: 'site.example' });
  for (const [target, expected] of [
    ['/', '/app/'],
    ['/x', '/app/x'],
    ['//x', '/app//x'],
    ['/../x', '/app/../x'],
    ['http://evil.example', '/app/'],
  ])
    expect(await seenBy(port, [`GET ${target} HTTP/1.1`, 'Host: h'])).toMatchObject({
      target: expected,
      headers: { host: 'site.example', 'x-forwarded-host': 'h' },
    });
});

const claims = [
  ...[
    'X-Forwarded-For: 9.9.9.9',
    'X-Forwarded-Host: evil.example',
    'X-Forwarded-Proto: https',
    'X-Forwarded-Prefix: /evil',
  ],
  ...['Forwarded: for=9.9.9.9', 'X-Real-IP: 9.9.9.9', 'X_Forwarded_For: 9.9.9.9', 'X-Forwarded_Proto: https'],
];

test('forged identity headers do not reach the application, however they are spelled', async () => {
  const { url } = await mirror();
  const { port } = await front(url);
  const { headers } = await seenBy(port, [
    'GET / HTTP/1.1',
    'Host: site.example',
    ...claims,
    'X-Other: 1',
    'X_Other: 2',
  ]);
  const forwardedHeaders = Object.entries(headers).filter(([name]) => /forwarded|real/.test(name));
  expect(Object.fromEntries(forwardedHeaders)).toEqual({
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-host': 'site.example',
    'x-forwarded-proto': 'http',
  });
  expect([headers['x-other'], headers.x_other]).toEqual(['1', '2']);
});

test('a proxy of ours is believed, and added to', async () => {
  const { url } = await mirror();
  const { port } = await front(url, {}, ['127.0.0.0/8']);
  const { headers } = await seenBy(port, ['GET / HTTP/1.1', 'Host: h', ...claims]);
  expect(headers).toMatchObject({
    'x-forwarded-for': '9.9.9.9, 127.0.0.1',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    'x-forwarded-prefix': '/evil',
  });
  expect(headers.x_forwarded_for).toBeUndefined();
});

test('headers of one connection stay behind, in both directions, and so do those that Connection names', async () => {
  const hopByHop = [
    'Keep-Alive: timeout=9',
    'Proxy-Connection: x',
    'TE: trailers',
    'Trailer: X-T',
    'Proxy-Authorization: x',
  ];
  const seen: string[] = [];
  const url = await rawApplication((socket) => {
    socket.on('data', (bytes) => {
      seen.push(bytes.toString('latin1'));
      socket.write(
        [
          'HTTP/1.1 200 Fine Indeed',
          'Connection: keep-alive, x-secret',
          'X-Secret: 1',
          ...hopByHop,
          'X-Own: 2',
          'Set-Cookie: a=1',
          'Set-Cookie: b=2',
          'Location: /elsewhere',
          'Content-Length: 2',
          '',
          'ok',
        ].join('\r\n'),
      );
    });
  });
  const { port } = await front(url);
  const client = dial(port);
  client.write(
    [
      'GET / HTTP/1.1',
      'Host: h',
      'Connection: keep-alive, X-Hop, Content-Length',
      'X-Hop: 1',
      'X-Own: 2',
      ...hopByHop,
      '',
      '',
    ].join('\r\n'),
  );
  const answer = await client.until(/ok$/);
  client.socket.destroy();
  const dropped = /x-secret|x-hop|proxy-|^te:|trailer|timeout=9/im;
  expect(answer).not.toMatch(dropped);
  expect(seen.join('')).not.toMatch(dropped);
  expect(seen.join('')).toMatch(/\r\nx-own: 2\r\n/i);
  expect(answer).toMatch(/^HTTP\/1\.1 200 Fine Indeed\r\n/);
  for (const line of ['X-Own: 2', 'Set-Cookie: a=1', 'Set-Cookie: b=2', 'Location: /elsewhere'])
    expect(answer).toContain(`\r\n${line}\r\n`);
});

test.each([
  [
    'both a length and chunks',
    'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nHTTP/1.1 200 OK\r\n\r\n',
  ],
  ['two lengths', 'Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde'],
  ['a length that is none', 'Content-Length: +4\r\n\r\nabcd'],
  ['a line that is folded', 'X-A: b\r\n c: d\r\nContent-Length : 2\r\n\r\nab'],
  ['a chunk of no size', 'Transfer-Encoding: chunked\r\n\r\nzz\r\n'],
  ['no HTTP', null],
  ['a reason with control characters', ''],
])('an ambiguous answer of the application reaches no client: %s', async (_, rest) => {
  const url = await rawApplication((socket) => {
    const line =
      rest === '' ? 'HTTP/1.1 200 O\x01K\r\nX-A: \x01\r\nContent-Length: 0\r\n\r\n' : `HTTP/1.1 200 OK\r\n${rest}`;
    socket.once('data', () => socket.end(Buffer.from(rest === null ? 'no HTTP at all\r\n\r\n' : line, 'latin1')));
  });
  const { port } = await front(url);
  const answer = await raw(port, 'GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
  expect(answer).toMatch(
    /^HTTP\/1\.1 502 [\s\S]*"Bad Gateway: the application behind the gateway does not speak HTTP"$/,
  );
  expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
});

test.each(['GET', 'DELETE', 'OPTIONS', 'POST', 'PATCH', 'PROPFIND'])(
  'a body in chunks stays one body: %s',
  async (method) => {
    const { url } = await application(async (req, res) => {
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk);
      res.end(`${req.method} ${req.url} <${Buffer.concat(chunks)}>`);
    });
    const { port } = await front(url);
    const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n';
    const size = smuggled.length.toString(16);
    const client = dial(port);
    client.write(
      `${method} / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n${size}\r\n${smuggled}\r\n0\r\n\r\n`,
    );
    await client.until(`${method} / <${smuggled}>`);
    client.write('GET /next HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
    expect((await client.closed).match(/HTTP\/1\.1 200/g)).toHaveLength(2);
  },
);

test('an event is there when it is sent, and the head before the first one', async () => {
  const { url } = await application((_, res) => {
    res.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
    setTimeout(() => res.write('data: 1\n\n'), 100);
  });
  const { port } = await front(url);
  const client = dial(port);
  client.write('GET / HTTP/1.1\r\nHost: h\r\n\r\n');
  expect(await client.until('text/event-stream')).not.toContain('data: 1');
  await client.until('data: 1');
  client.socket.destroy();
});

test('a client that expects 100 Continue gets it, and HEAD is HEAD', async () => {
  const { url } = await application((req, res) =>
    req.resume().on('end', () =>
      res
        .setHeader('X-Method', req.method ?? '')
        .setHeader('Content-Length', 5)
        .end('12345'),
    ),
  );
  const { port } = await front(url);
  const client = dial(port);
  client.write('PUT / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n');
  await client.until('HTTP/1.1 100 Continue');
  client.write('abc');
  await client.until('12345');
  client.write('HEAD / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
  expect(await client.closed).toMatch(/X-Method: HEAD\r\nContent-Length: 5\r\n[\s\S]*\r\n\r\n$/);
});
