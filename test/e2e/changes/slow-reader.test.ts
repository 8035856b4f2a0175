/** A client that stops reading does not use up memory, and gets the last change when it reads again. */
import { createServer, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Notes, Subscription } from '../../../src/notices/subscription.ts';
import { eventStreamHeaders } from '../../../src/reply/event-stream.ts';
import { send } from '../../../src/reply/send.ts';

const state = { epoch: 1 };
const notes: Notes = {
  epochOf: () => state.epoch,
  sealed: (epoch) => `E${epoch}`,
  isPermitted: () => true,
  noticed: () => undefined,
};
const resources = Array.from({ length: 64 }, (_, i): readonly [{ changedAt: number }, readonly string[]] => [
  { changedAt: 1 },
  [`${i} ${'x'.repeat(1000)}`],
]);
const subscription = new Subscription(notes, { notices: 0, sealed: '' }, null, 'to');
subscription.resources = new Map(resources);
let response: ServerResponse | undefined;
const server = createServer((_, res) => {
  response = res;
  const body = { pieces: subscription.text(1000), broken: new AbortController().signal };
  send(res, { status: 200, headers: eventStreamHeaders('Authorization'), body }, { id: 'x', head: false, held: null });
});

let port = 0;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test('what it has missed is one event for each resource', { timeout: 60_000 }, async () => {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (piece: string) => {
    text = (text + piece).slice(-200_000);
  });
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await expect.poll(() => text).toContain('id: 64.E1.to\n');
  socket.pause();
  let peakBytes = 0;
  for (let i = 0; i < 3000; i++) {
    state.epoch++;
    for (const [noted] of resources) noted.changedAt = state.epoch;
    subscription.wake();
    await new Promise((resolve) => setImmediate(resolve));
    peakBytes = Math.max(peakBytes, response?.writableLength ?? 0);
  }
  // 3,000 notices of 70 kB would be 210 MB. The system buffers a few megabytes; beyond that the gateway holds only one notice.
  expect(peakBytes).toBeLessThan(300_000);
  expect(response?.writableNeedDrain).toBe(true);
  socket.resume();
  await expect.poll(() => text, { timeout: 30_000 }).toContain(`.E${state.epoch}.to\n`);
  const versions = [...text.matchAll(/"version":(\d+)/g)].map(([, version]) => Number(version));
  // Far fewer notices than changes.
  expect(versions.at(-1)).toBeLessThan(64 * 1500);
  socket.destroy();
});
