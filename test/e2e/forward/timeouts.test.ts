import { expect, test } from 'vitest';
import { application, front, rawApplication } from '../../support/forwarding-server.ts';
import { dial, pause } from '../../support/http-server.ts';

const limits = { headersTimeoutMs: 100, requestTimeoutMs: 150 };
const post = (...headers: string[]) => ['POST / HTTP/1.1', 'Host: h', ...headers, '', ''].join('\r\n');
/** An application that responds with the number of bytes it received. */
const counting = () =>
  application((req, res) => {
    let length = 0;
    req.on('data', (chunk) => {
      length += chunk.length;
    });
    req.on('end', () => res.end(`<${length}>`));
  });

test.each([
  ['of a known length', 'Content-Length: 30', 'x', ''],
  ['in chunks', 'Transfer-Encoding: chunked', '1\r\nx\r\n', '0\r\n\r\n'],
])(
  'an upload %s is not cut off while bytes flow, but the head of the next request has its time',
  async (_, framing, piece, end) => {
    const { url } = await counting();
    const { port } = await front(url, {}, false, limits);
    const client = dial(port);
    client.write(post(framing));
    for (let n = 0; n < 30; n++) {
      await pause(20);
      client.write(piece);
    }
    client.write(end);
    await client.until('<30>');
    client.write('GET / HTTP/1.1\r\n');
    const timer = setInterval(() => client.write('X-A: b\r\n'), 20);
    expect((await client.closed).split('<30>')[1]).toMatch(/HTTP\/1\.1 408 /);
    clearInterval(timer);
  },
);

test('the head behind an upload that was not read has its time, and no more', async () => {
  const url = await rawApplication((socket) => void socket.once('data', () => socket.destroy()));
  const { port } = await front(url, {}, false, limits);
  const client = dial(port);
  client.write(`${post('Content-Length: 1')}x`);
  await client.until('Bad Gateway');
  client.write('GET / HTTP/1.1\r\n');
  const timer = setInterval(() => client.write('X-A: b\r\n'), 20);
  expect((await client.closed).split('Bad Gateway').at(-1)).toMatch(/HTTP\/1\.1 408 /);
  clearInterval(timer);
});

test('an upload that stands still is let go, and leaves nothing behind', async () => {
  const { url, sockets } = await counting();
  const { port } = await front(url, {}, false, { ...limits, stalledTimeoutMs: 300 });
  const client = dial(port);
  const started = performance.now();
  client.write(`${post('Content-Length: 30')}x`);
  await expect.poll(() => sockets.size).toBe(1);
  await client.closed;
  expect(performance.now() - started).toBeGreaterThan(290);
  await expect.poll(() => sockets.size).toBe(0);
});

test('a client that goes on sending after its answer is read for a while, then closed', async () => {
  const { url } = await application((_, res) => res.writeHead(413).end('too much'));
  const { port } = await front(url, {}, false, { lingerMs: 200 });
  const patient = dial(port);
  patient.write(`${post('Content-Length: 2000000')}x`);
  await patient.until('too much');
  patient.write(`${'x'.repeat(1_999_999)}${post('Content-Length: 0')}`);
  await patient.until(/too much[\s\S]*too much/);
  patient.socket.destroy();
  const endless = dial(port);
  endless.write(post('Content-Length: 2000000'));
  const timer = setInterval(() => endless.write('x'), 10);
  await endless.closed;
  clearInterval(timer);
  expect(endless.got()).toContain('too much');
});

test('an application may be as slow as it is allowed to be, whatever the client has to be', async () => {
  const { url } = await application((_, res) => void setTimeout(() => res.end('late'), 400));
  const { port } = await front(url, {}, false, { stalledTimeoutMs: 200 });
  const client = dial(port);
  client.write('GET / HTTP/1.1\r\nHost: h\r\n\r\n');
  await client.until('late');
  client.socket.destroy();
});
