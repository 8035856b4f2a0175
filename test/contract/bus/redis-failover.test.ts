/** The bus on Redis where another server takes over, and where the first one comes back. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Message } from '../../../src/cache/buses/bus.ts';
import { has, thisMachine } from '../../support/servers/programs.ts';
import { startRedis, tellRedis } from '../../support/servers/redis.ts';
import { openScope, type Scope } from '../../support/servers/scope.ts';
import { openTap } from '../../support/tap.ts';
import { isHeld, join, suspension, written } from './redis-member.ts';

let scope: Scope;
let [first, second] = ['', ''];
beforeAll(async () => {
  scope = openScope();
  first = await startRedis(scope, thisMachine());
  second = await startRedis(scope, thisMachine());
  for (const url of [first, second]) await tellRedis(url, 'CONFIG SET repl-diskless-sync-delay 0');
});
afterAll(() => scope?.close());

const withRedis = test.runIf(has('redis'));
const portOf = (url: string) => new URL(url).port;
const soon = { interval: 5, timeout: 15_000 };
const follows = async (url: string, port: string) => {
  await tellRedis(url, `REPLICAOF 127.0.0.1 ${port}`);
  await expect.poll(() => tellRedis(url, 'INFO replication'), soon).toContain('master_link_status:up');
};
/** Whether the suspension goes on for a member that has received these messages. */
const isOpen = (received: readonly Message[]) =>
  received.findLast((message) => 'id' in message && message.id === 'a')?.type === 'suspend';
const forgotten = (received: readonly Message[]) => received.filter(({ type }) => type === 'forget').length;

async function writerAndReader() {
  const group = randomUUID();
  const options = { aftermath: 60_000 };
  const [writer, reader] = [await join(first, group, options), await join(first, group, options)];
  await Promise.all([isHeld(writer.announcer), isHeld(reader.announcer)]);
  return { writer, reader };
}

withRedis('a suspension goes on at a primary that has followed its promoted replica, which lacked it', async () => {
  const link = await openTap(first);
  try {
    await follows(second, portOf(link.url));
    const { writer, reader } = await writerAndReader();
    await sleep(200);
    link.freeze();
    const announced = await writer.announcer.announce(suspension('a'));
    writer.tap.freeze();
    await tellRedis(second, 'REPLICAOF NO ONE');
    await follows(first, portOf(second));
    await tellRedis(first, 'REPLICAOF NO ONE');
    await expect.poll(() => forgotten(reader.received), soon).toBe(1);
    await expect.poll(() => reader.announcer.isHeld(), soon).toBe(true);
    // Its write is answered now.
    await announced.end(written);
    expect(isOpen(reader.received)).toBe(true);
    writer.tap.thaw();
    await expect.poll(() => isOpen(reader.received), soon).toBe(false);
  } finally {
    link.thaw();
    link.close();
    await tellRedis(second, 'REPLICAOF NO ONE');
  }
});

withRedis(
  'a suspension that ends while a member is at another server ends there too, when the member is back',
  async () => {
    const { writer, reader } = await writerAndReader();
    const announced = await writer.announcer.announce(suspension('a'));
    for (const [nth, url] of [second, first].entries()) {
      reader.tap.lead(url);
      reader.tap.cut();
      await expect.poll(() => forgotten(reader.received), soon).toBe(nth + 1);
      if (url === first) continue;
      expect(isOpen(reader.received)).toBe(true);
      await announced.end(written);
    }
    await expect.poll(() => isOpen(reader.received), soon).toBe(false);
  },
);
