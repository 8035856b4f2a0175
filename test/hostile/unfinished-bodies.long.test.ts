import { createHash, randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, metric } from '../support/admin-port.ts';
import { adminOf, harmless, type WithoutDatabase, withoutDatabase } from './without-database.ts';

let gateways: WithoutDatabase;
beforeAll(() => {
  gateways = withoutDatabase();
});
afterAll(() => gateways?.remove());

test('forty bodies that stop just before their end take no more than limits.incomingBytes', async () => {
  const token = randomUUID();
  const sha256 = createHash('sha256').update(token).digest('hex');
  const gateway = await gateways.serve('bodies', {
    limits: { incomingBytes: '32MB' },
    // Callers without a token are refused by the announced length, before a byte is read.
    tokens: [{ name: 'writer', sha256, write: ['*'] }],
  });
  const measured = async (name: string) => metric((await ask(adminOf(gateway), '/metrics')).text, name) ?? 0;
  const memory = () => measured('process_resident_memory_bytes');
  const before = await memory();
  const body = Buffer.alloc(9_900_000, 'x');
  const head = [
    'POST /api/3/action/datastore_upsert HTTP/1.1',
    'Host: h',
    `Authorization: ${token}`,
    'Content-Type: application/json',
    'Content-Length: 9950000',
    ...['', ''],
  ].join('\r\n');
  const answers: string[] = [];
  const clients = Array.from({ length: 40 }, () => {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1').on('error', () => undefined);
    socket.once('data', (bytes) => answers.push(bytes.toString('latin1')));
    socket.write(head);
    return socket;
  });
  let peakMemory = 0;
  for (const socket of clients) {
    if (!socket.destroyed && !socket.write(body))
      await new Promise((taken) => socket.once('drain', taken).once('close', taken));
    peakMemory = Math.max(peakMemory, (await memory()) - before);
  }
  // All but three were refused with a reason (except connections that were reset while they were still sending).
  await expect.poll(() => clients.filter(({ closed }) => !closed).length, { timeout: 20_000 }).toBe(3);
  expect(answers.length).toBeGreaterThan(0);
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 503 [\s\S]*Retry-After: /);
  expect(await measured('gateway_incoming_bytes')).toBeLessThanOrEqual(32e6);
  expect((await fetch(gateway.url + harmless)).status).toBe(200);
  for (const socket of clients) socket.destroy();
  await expect.poll(() => measured('gateway_incoming_bytes')).toBe(0);
  console.log(
    `${Math.round(peakMemory / 1e6)} MB at most, of ${(clients.length * body.length) / 1e6} MB that were sent`,
  );
  expect(peakMemory).toBeLessThan(250e6);
  expect((await gateway.stop()).code).toBe(0);
});
