import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { application, front } from '../../support/forwarding-server.ts';
import { dial, pause } from '../../support/http-server.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

test('a large body is never held whole, on its way there or back', async () => {
  const megabytes = Number(process.env.PASS_MEGABYTES ?? 120);
  const piece = randomBytes(1e6);
  const whole = createHash('sha256');
  for (let n = 0; n < megabytes; n++) whole.update(piece);
  const expected = whole.digest('hex');
  const { url } = await application((req, res) => void req.pipe(res));
  const { port } = await front(url);
  collect();
  const before = process.memoryUsage().arrayBuffers;
  let peakMemory = 0;
  let received = 0;
  let next = 8e6;
  const req = request({ port, host: '127.0.0.1', method: 'POST' });
  const answered = once(req, 'response');
  const send = async () => {
    for (let n = 0; n < megabytes; n++) if (!req.write(piece)) await once(req, 'drain');
    req.end();
  };
  const sent = send();
  const [res]: IncomingMessage[] = await answered;
  if (res === undefined) throw new Error('no answer');
  const hash = createHash('sha256');
  for await (const chunk of res) {
    hash.update(chunk);
    received += chunk.length;
    if (received < next) continue;
    next += 8e6;
    collect();
    peakMemory = Math.max(peakMemory, process.memoryUsage().arrayBuffers - before);
  }
  await sent;
  expect(hash.digest('hex')).toBe(expected);
  // Both directions buffer up to 60 MB in streams; Node 24 has larger buffers.
  expect(peakMemory).toBeLessThan(90e6);
});

test('a client that does not read holds back the application', async () => {
  let sent = 0;
  const { url } = await application((_, res) => {
    const piece = Buffer.alloc(100_000);
    const more = () => {
      while (!res.destroyed && res.write(piece)) sent += piece.length;
      sent += piece.length;
    };
    res.on('drain', more);
    more();
  });
  const { port } = await front(url);
  const client = dial(port);
  client.socket.pause();
  client.write('GET / HTTP/1.1\r\nHost: h\r\n\r\n');
  let before = -1;
  while (before < sent) {
    before = sent;
    await pause(200);
  }
  // The system's buffers for two connections.
  expect(sent).toBeLessThan(30e6);
  client.socket.destroy();
});
