import { afterEach, expect, test } from 'vitest';
import { ClientGone } from '../../../src/accept/body.ts';
import { clientOf, trusting } from '../../../src/accept/client.ts';
import type { IncomingRequest } from '../../../src/accept/incoming.ts';
import type { Limits } from '../../../src/accept/limits.ts';
import type { GatewayServer } from '../../../src/accept/server.ts';
import type { ServerOptions } from '../../../src/accept/server-options.ts';
import { send } from '../../../src/reply/send.ts';
import { dial, pause, raw, serve, text } from '../../support/http-server.ts';

const running: GatewayServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close(0)));
});
async function start(answer: ServerOptions['answer'], limits: Partial<Limits> = {}, more: Partial<ServerOptions> = {}) {
  const { server, port } = await serve(answer, limits, more);
  running.push(server);
  return { server, port };
}
const echo = async (request: IncomingRequest) =>
  text(
    JSON.stringify([
      request.method,
      request.target,
      (await request.body({ bytes: 10, setting: 'bodyBytes' })).toString(),
    ]),
  );
const ok = async () => text('"ok"');

const head = (method: string, path = '/x', ...headers: string[]) =>
  [`${method} ${path} HTTP/1.1`, 'Host: h', ...headers, '', ''].join('\r\n');
const last = 'Connection: close';
const bodyOf = (answer: string) => answer.slice(answer.indexOf('\r\n\r\n') + 4);

test('a call comes back with the headers every answer has', async () => {
  const { port } = await start(echo);
  const answer = await raw(port, `${head('POST', '/x?y', 'Content-Length: 3', last)}abc`);
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(answer).toContain('\r\nContent-Type: application/json;charset=utf-8\r\n');
  expect(answer).toContain('\r\nX-Content-Type-Options: nosniff\r\n');
  expect(bodyOf(answer)).toBe('["POST","/x?y","abc"]');
});

test('HEAD is GET without the body but with its length', async () => {
  const { port } = await start(async () => text('"é"'));
  const answer = await raw(port, head('HEAD', '/x', last));
  expect(answer).toContain('Content-Length: 4\r\n');
  expect(bodyOf(answer)).toBe('');
});

test('whatever is thrown becomes a reply, and the connection lives on', async () => {
  const { port } = await start(({ target }) => {
    if (target === '/sync') throw new Error('sync');
    return target === '/async' ? Promise.reject('not even an error') : ok();
  });
  const answer = await raw(port, head('GET', '/sync') + head('GET', '/async') + head('GET', '/x', last));
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 500', 'HTTP/1.1 500', 'HTTP/1.1 200']);
});

test('even a broken refusal ends the call', async () => {
  const broken = () => {
    throw new Error('refuse is broken');
  };
  const { port } = await start(broken, {}, { refuse: broken });
  const answer = await raw(port, head('GET', '/x', last));
  expect(answer).toMatch(/^HTTP\/1\.1 500 /);
  expect(answer).toContain('"Internal Server Error"');
});

test('a send that writes after the end does not end the process', async () => {
  const { port } = await start(ok, {}, { send: (res) => void res.end('"ok"').write('more') });
  expect(await raw(port, head('GET', '/x', last))).toContain('"ok"');
});

test('a header that cannot be sent ends the call', async () => {
  const { port } = await start(async () => ({ status: 200, headers: { 'X-A': 'a\r\nb' }, body: '' }));
  expect(await raw(port, head('GET', '/x', last))).toMatch(/^HTTP\/1\.1 500 /);
});

test('a declared body over the limit is refused at once', async () => {
  const { port } = await start(echo);
  const line = dial(port);
  line.write(head('POST', '/x', 'Content-Length: 11'));
  await line.until('Request Entity Too Large: more than 10 bytes (limits.bodyBytes), 11 were announced');
  expect(line.got()).toMatch(/^HTTP\/1\.1 413 /);
  expect(line.got()).toContain('Connection: close\r\n');
  await line.closed;
});

test('a body of exactly the limit passes', async () => {
  const { port } = await start(echo);
  expect(await raw(port, `${head('POST', '/x', 'Content-Length: 10', last)}0123456789`)).toContain('0123456789');
});

test('a chunked body over the limit is refused on the way', async () => {
  const { port } = await start(echo);
  const line = dial(port);
  line.write(`${head('POST', '/x', 'Transfer-Encoding: chunked')}8\r\n01234567\r\n`);
  await pause(20);
  expect(line.got()).toBe('');
  line.write('8\r\n01234567\r\n');
  await line.until('HTTP/1.1 413 ');
  await line.closed;
});

test('a client that sends all before it reads still sees why', async () => {
  const { port } = await start(echo, { lingerMs: 5000 });
  const size = 20_000_000;
  const line = dial(port);
  line.socket.pause();
  line.write(head('POST', '/x', `Content-Length: ${size}`));
  await new Promise((resolve) => line.socket.write('x'.repeat(size), resolve));
  await pause(50);
  line.socket.resume();
  expect(await line.closed).toMatch(/^HTTP\/1\.1 413 .*bodyBytes/s);
});

test('a client that never stops sending is cut off', async () => {
  const { port } = await start(echo, { lingerMs: 100 });
  const line = dial(port);
  line.write(head('POST', '/x', 'Transfer-Encoding: chunked'));
  const timer = setInterval(() => line.write('a\r\n0123456789\r\n'), 5);
  expect(await line.closed).toMatch(/^HTTP\/1\.1 413 /);
  clearInterval(timer);
});

test('ten thousand chunks of one byte are one body', async () => {
  const { port } = await start(async (request) =>
    text(String((await request.body({ bytes: 10_000, setting: 'bodyBytes' })).length)),
  );
  const answer = await raw(
    port,
    `${head('POST', '/x', 'Transfer-Encoding: chunked', last)}${'1\r\nx\r\n'.repeat(10_000)}0\r\n\r\n`,
  );
  expect(bodyOf(answer)).toBe('10000');
});

test('Expect: 100-continue is answered before the body is sent', async () => {
  const { port } = await start(echo);
  const line = dial(port);
  line.write(head('POST', '/x', 'Expect: 100-continue', 'Content-Length: 3', last));
  await line.until('HTTP/1.1 100 Continue\r\n\r\n');
  line.write('abc');
  expect(await line.closed).toContain('["POST","/x","abc"]');
});

test('Expect: 100-continue with too much to come is 413 instead', async () => {
  const { port } = await start(echo);
  const answer = await raw(port, head('POST', '/x', 'Expect: 100-continue', 'Content-Length: 11'));
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  expect(answer).not.toContain('100 Continue');
});

test('an action that does not read the body sends no 100 Continue', async () => {
  const { port } = await start(ok);
  const answer = await raw(port, head('POST', '/x', 'Expect: 100-continue', 'Content-Length: 3'));
  expect(answer).toMatch(/^HTTP\/1\.1 200 .*Connection: close/s);
});

test('a client that leaves amid its body disturbs no other', async () => {
  const errors: unknown[] = [];
  const answer = async (request: IncomingRequest) => {
    if (request.method === 'GET') return text('"ok"');
    return echo(request).catch((error) => {
      errors.push(error);
      throw error;
    });
  };
  const { port } = await start(answer, {}, { refuse: () => text('"refused"', 500) });
  for (const leave of ['destroy', 'resetAndDestroy'] as const) {
    const line = dial(port);
    line.write(`${head('POST', '/x', 'Content-Length: 10')}abc`);
    await pause(30);
    line.socket[leave]();
  }
  await pause(50);
  expect(errors.map((error) => error instanceof ClientGone)).toEqual([true, true]);
  expect(await raw(port, head('GET', '/x', last))).toContain('"ok"');
});

test('a body that is read after the client has left rejects, too', async () => {
  let outcome: unknown = 'hangs';
  const { port } = await start(async (request) => {
    await pause(60);
    outcome = await request.body({ bytes: 10, setting: 'bodyBytes' }).catch((error) => error);
    return text('"late"');
  });
  const line = dial(port);
  line.write(`${head('POST', '/x', 'Content-Length: 10')}abc`);
  await pause(20);
  line.socket.destroy();
  await pause(100);
  expect(outcome).toBeInstanceOf(ClientGone);
});

test('a client that leaves before its answer disturbs no other', async () => {
  const { port } = await start(async () => {
    await pause(50);
    return text('x'.repeat(1_000_000));
  });
  const line = dial(port);
  line.write(head('GET') + head('GET') + head('GET'));
  await pause(10);
  line.socket.resetAndDestroy();
  await pause(150);
  expect(await raw(port, head('HEAD', '/x', last))).toMatch(/^HTTP\/1\.1 200 /);
});

test('pipelined calls are answered in order', async () => {
  const { port } = await start(async (request) => {
    await pause(request.target === '/1' ? 50 : 0);
    return echo(request);
  });
  const answer = await raw(
    port,
    `${head('POST', '/1', 'Content-Length: 1')}a${head('GET', '/2')}${head('GET', '/3', last)}`,
  );
  expect(answer.match(/\["[^\]]*\]/g)).toEqual(['["POST","/1","a"]', '["GET","/2",""]', '["GET","/3",""]']);
});

test('calls that the request cache may answer are answered in order, too', async () => {
  const recall = { find: () => null, expects: () => true };
  const { port } = await start(echo, {}, { requestCache: recall });
  // The second request is parsed before the end of the first one's body has been reported.
  const answer = await raw(
    port,
    `${head('POST', '/1', 'Content-Length: 1')}a${head('GET', '/2')}${head('POST', '/3', 'Content-Length: 1', last)}b`,
  );
  expect(answer.match(/\["[^\]]*\]/g)).toEqual(['["POST","/1","a"]', '["GET","/2",""]', '["POST","/3","b"]']);
});

test('garbage behind a pipelined call does not answer that call', async () => {
  const { port } = await start(async () => {
    await pause(50);
    return text('"slow"');
  });
  const answer = await raw(port, `${head('GET', '/1')}\x01garbage\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 200 .*"slow"HTTP\/1\.1 400 /s);
});

test('a body in broken chunks is 400, once', async () => {
  const { port } = await start(echo);
  const answer = await raw(port, `${head('POST', '/x', 'Transfer-Encoding: chunked')}zz\r\nabc`);
  expect(answer).toMatch(/^HTTP\/1\.1 400 .*"Bad request: this is not HTTP"$/s);
});

test.each([
  ['garbage', 'what is this\r\n\r\n', 400],
  ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
  ['CONNECT', 'CONNECT db:5432 HTTP/1.1\r\nHost: h\r\n\r\n', 405],
  ['a header over the limit', head('GET', '/x', `X-A: ${'a'.repeat(70_000)}`), 431],
  ['a URL over the limit', head('GET', `/${'a'.repeat(70_000)}`), 431],
  [
    'megabytes of headers',
    head('GET', '/x', ...Array.from({ length: 3000 }, (_, i) => `X-${i}: ${'a'.repeat(1000)}`)),
    431,
  ],
])('%s is refused as JSON, and the connection closed', async (_, bytes, status) => {
  const { port } = await start(ok);
  const answer = await raw(port, bytes);
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(answer).toContain('Content-Type: application/json;charset=utf-8');
  expect(answer).toContain('Connection: close');
  // Without this header, a page could not see the status, only that the request failed.
  if (status === 431) expect(answer).toContain('\r\nAccess-Control-Allow-Origin: *\r\n');
  expect(JSON.parse(bodyOf(answer))).toMatch(
    status === 431 ? /more than 65536 bytes together \(limits\.headerBytes\)/ : /^(Bad request|Method Not Allowed): /,
  );
});

test('the two-thousandth header counts like the first', async () => {
  const { port } = await start(async ({ headers }) => text(`"${headers.authorization}"`));
  const many = Array.from({ length: 3000 }, (_, i) => `X-${i}: a`);
  expect(bodyOf(await raw(port, head('GET', '/x', ...many, 'Authorization: me', last)))).toBe('"me"');
});

test('a request for an unknown protocol or expectation is answered all the same', async () => {
  const { port } = await start(echo, {}, { upgrade: null });
  const h2c = ['Connection: Upgrade, HTTP2-Settings, close', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'];
  expect(bodyOf(await raw(port, head('GET', '/x', ...h2c)))).toBe('["GET","/x",""]');
  const posted = await raw(port, `${head('POST', '/x', 'Upgrade: h2c', 'Content-Length: 3', ...h2c)}abc`);
  expect(bodyOf(posted)).toBe('["POST","/x","abc"]');
  expect(await raw(port, head('GET', '/x', 'Expect: miracles', last))).toMatch(/^HTTP\/1\.1 200 /);
});

test('a filter of fifty kilobytes travels in a URL', async () => {
  const { port } = await start(ok);
  expect(await raw(port, head('GET', `/${'a'.repeat(50_000)}`, last))).toMatch(/^HTTP\/1\.1 200 /);
});

test('HTTP/1.0 needs no Host', async () => {
  const { port } = await start(ok);
  expect(await raw(port, 'GET /x HTTP/1.0\r\n\r\n')).toContain('"ok"');
});

test('a client that sends its headers too slowly gets 408', async () => {
  const { port } = await start(ok, { headersTimeoutMs: 100 });
  const line = dial(port);
  line.write('GET /x HTTP/1.1\r\n');
  const timer = setInterval(() => line.write('X-A: b\r\n'), 20);
  expect(await line.closed).toMatch(/^HTTP\/1\.1 408 .*"Request Timeout/s);
  clearInterval(timer);
});

test('a client that sends its body too slowly gets 408', async () => {
  const { port } = await start(echo, { headersTimeoutMs: 100, requestTimeoutMs: 150 });
  const line = dial(port);
  line.write(head('POST', '/x', 'Content-Length: 10'));
  const timer = setInterval(() => line.write('x'), 50);
  expect(await line.closed).toMatch(/^HTTP\/1\.1 408 /);
  clearInterval(timer);
});

test('a client that does not read its answer is let go', async () => {
  let letGo: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const { port } = await start(
    async () => text('x'.repeat(50_000_000)),
    { stalledTimeoutMs: 100 },
    {
      send(res, reply, how) {
        res.on('close', letGo);
        send(res, reply, how);
      },
    },
  );
  const line = dial(port);
  line.socket.pause();
  line.write(head('GET'));
  await released;
  line.socket.resume();
  expect((await line.closed).length).toBeLessThan(50_000_000);
});

test('an idle connection is closed, a used one stays', async () => {
  const { port } = await start(ok, { keepAliveTimeoutMs: 60 });
  const line = dial(port);
  line.write(head('GET'));
  await line.until('"ok"');
  line.write(head('GET'));
  expect((await line.closed).match(/"ok"/g)).toHaveLength(2);
});

test('closing lets running calls finish and ends the rest', async () => {
  const { server, port } = await start(async () => {
    await pause(100);
    return text('"done"');
  });
  const [fresh, idle, busy] = [dial(port), dial(port), dial(port)];
  idle.write(head('GET'));
  await idle.until('"done"');
  busy.write(head('GET'));
  await pause(30);
  // Longer than the timeout of the test: nothing here may wait for the grace period.
  await server.close(60_000);
  expect(await busy.closed).toMatch(/^HTTP\/1\.1 200 .*Connection: close.*"done"/s);
  expect(await fresh.closed).toBe('');
  await idle.closed;
  await expect(raw(port, head('GET'))).resolves.toBe('');
});

test('closing does not wait for a connection whose answer had begun, once the answer has ended', async () => {
  async function* pieces() {
    yield 'first ';
    await pause(100);
    yield 'last';
  }
  const { server, port } = await start(async () => ({
    ...text(''),
    body: { pieces: pieces(), broken: new AbortController().signal },
  }));
  const line = dial(port);
  line.write(head('GET'));
  await line.until('first ');
  await server.close(60_000);
  expect(await line.closed).toMatch(/last/);
});

test('closing does not wait for a call for ever', async () => {
  const { server, port } = await start(() => new Promise(() => {}));
  const line = dial(port);
  line.write(head('GET'));
  await pause(30);
  await server.close(50);
  expect(await line.closed).toBe('');
  await server.close(50);
});

test('a port that is taken is an error, not a crash', async () => {
  const { port } = await start(ok);
  const { server } = await serve(ok);
  running.push(server);
  await server.close(0);
  await expect(server.listen(port, '127.0.0.1')).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('a bug on the fast path or in an upgrade is an answer, and the next request is served', async () => {
  const bug = () => {
    throw new Error('a bug');
  };
  const known = await start(echo, {}, { requestCache: { find: bug, expects: () => true }, upgrade: bug });
  const { port } = await start(echo, {}, { forwardedByTarget: bug });
  const asked = [
    [known.port, head('GET', '/x', last)],
    [known.port, `${head('POST', '/x', 'Content-Length: 1', last)}x`],
    [known.port, head('GET', '/x', 'Connection: Upgrade', 'Upgrade: websocket')],
    [port, head('GET', '/page', last)],
  ] as const;
  for (let times = 0; times < 2; times++)
    for (const [to, bytes] of asked) expect(await raw(to, bytes)).toMatch(/^HTTP\/1.1 500 /);
});

test('a bug in passing a request on is an answer, on either path, and the next request is served', async () => {
  const passed = {
    to: 'upstream' as const,
    body: null,
    tokens: [],
    client: clientOf('', {}, trusting(false)),
    instead: null,
  };
  const pass = () => {
    throw new Error('a bug');
  };
  for (const elsewhere of [null, () => passed]) {
    const { port } = await start(async () => passed, {}, { forward: pass, forwardedByTarget: elsewhere });
    const answer = await raw(port, `${head('GET', '/1')}${head('POST', '/2', 'Content-Length: 1', last)}x`);
    expect(answer.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 500', 'HTTP/1.1 500']);
  }
});
