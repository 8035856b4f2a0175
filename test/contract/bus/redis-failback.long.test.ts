/**
 * The bus on Redis where the first server follows the promoted one for a moment, and is the primary again: lines and processes go on,
 * and what was written there meanwhile is lost.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Message } from '../../../src/cache/buses/bus.ts';
import { thisMachine } from '../../support/servers/programs.ts';
import { startRedis, tellRedis } from '../../support/servers/redis.ts';
import { openScope, type Scope } from '../../support/servers/scope.ts';
import { openTap, type Tap } from '../../support/tap.ts';
import { isHeld, join, suspension, written } from './redis-member.ts';

let scope: Scope;
let [first, second] = ['', ''];
/** The line of the second server to the first. */
let link: Tap;
beforeAll(async () => {
  scope = openScope();
  first = await startRedis(scope, thisMachine());
  second = await startRedis(scope, thisMachine());
  for (const url of [first, second]) await tellRedis(url, 'CONFIG SET repl-diskless-sync-delay 0');
});
beforeEach(async () => {
  link = await openTap(first);
  await follows(second, link.url);
});
afterEach(async () => {
  link.thaw();
  link.close();
  for (const url of [second, first]) await tellRedis(url, 'REPLICAOF NO ONE');
});
afterAll(() => scope?.close());

const soon = { interval: 2, timeout: 15_000 };
const follows = async (url: string, primary: string) => {
  await tellRedis(url, `REPLICAOF 127.0.0.1 ${new URL(primary).port}`);
  await expect.poll(() => tellRedis(url, 'INFO replication'), soon).toContain('master_link_status:up');
};
/** What the first server has from now on is lost. */
const split = async () => {
  link.freeze();
  await tellRedis(second, 'REPLICAOF NO ONE');
};
/** @param milliseconds for which it is no primary */
const failback = async (milliseconds = 0) => {
  await follows(first, second);
  await sleep(milliseconds);
  await tellRedis(first, 'REPLICAOF NO ONE');
};
const isOpen = (received: readonly Message[]) =>
  received.findLast((message) => 'id' in message && message.id === 'a')?.type === 'suspend';
const forgotten = (received: readonly Message[]) => received.filter(({ type }) => type === 'forget').length;
const hasForgotten = ({ received }: { readonly received: readonly Message[] }) =>
  expect.poll(() => forgotten(received), soon).toBeGreaterThan(0);

async function members(count: number, aftermath = 60_000) {
  const group = randomUUID();
  const of = () => join(first, group, { aftermath });
  const all = [await of(), await of(), ...(count > 2 ? [await of()] : [])] as const;
  await Promise.all(all.map(({ announcer }) => isHeld(announcer)));
  await sleep(300);
  return all;
}
/** Its line stands still. What others write is on it, so that the server waits for nothing of this member. */
const stall = async ([member, other]: Awaited<ReturnType<typeof members>>) => {
  member.tap.freeze();
  other.bus.publish({ type: 'resume', id: 'of no suspension' }).catch(() => undefined);
  await sleep(20);
};

test('a suspension that is lost while the line of its writer stands still goes on', async () => {
  const both = await members(2);
  const [writer, reader] = both;
  await split();
  const announced = await writer.announcer.announce(suspension('a'));
  await stall(both);
  await failback(200);
  await hasForgotten(reader);
  writer.tap.thaw();
  await isHeld(reader.announcer);
  // Now its line is lost while its COMMIT is under way.
  writer.tap.refuse();
  writer.tap.cut();
  await sleep(1200);
  await announced.end(written);
  expect(isOpen(reader.received)).toBe(true);
});

test('so does one whose writer has sent a renewal that comes late', async () => {
  const [writer, reader] = await members(2);
  await split();
  const announced = await writer.announcer.announce(suspension('a'));
  await new Promise<void>((resolve) => {
    writer.tap.watch((bytes) => {
      if (!bytes.includes('ZADD')) return 'pass';
      writer.tap.refuse();
      resolve();
      return { hangUpAndDeliverAfter: 650 };
    });
  });
  await failback();
  await hasForgotten(reader);
  await expect.poll(() => reader.announcer.isHeld(), soon).toBe(true);
  await sleep(1000);
  await announced.end(written);
  expect([reader.announcer.isHeld(), isOpen(reader.received)]).toEqual([true, true]);
});

test('a suspension whose end is lost ends', async () => {
  const both = await members(2);
  const [writer, reader] = both;
  const announced = await writer.announcer.announce(suspension('a'));
  await sleep(100);
  await split();
  await announced.end(written);
  await expect.poll(() => isOpen(reader.received), soon).toBe(false);
  await stall(both);
  await failback(200);
  await hasForgotten(reader);
  writer.tap.thaw();
  await isHeld(reader.announcer);
  await expect.poll(() => isOpen(reader.received), soon).toBe(false);
});

test('a member that has not heard what the other server was told forgets, although its line goes on', async () => {
  const [late, , other] = await members(3);
  if (other === undefined) throw new Error('no third member');
  late.tap.delay(100);
  await sleep(400);
  await split();
  other.tap.lead(second);
  other.tap.cut();
  await hasForgotten(other);
  await isHeld(other.announcer);
  await (await other.announcer.announce(suspension('z'))).end({ ...written, resource: 'elsewhere' });
  await sleep(100);
  const announced = await late.announcer.announce(suspension('a'));
  await failback();
  other.tap.lead(first);
  other.tap.cut();
  await announced.end(written);
  late.tap.delay(0);
  await hasForgotten(late);
});

test('a suspension that ended while a member was away ends for it, however much later that is back', async () => {
  const [writer, away] = await members(2);
  const announced = await writer.announcer.announce(suspension('a'));
  away.tap.refuse();
  away.tap.cut();
  await expect.poll(() => away.announcer.isHeld(), soon).toBe(false);
  await announced.end(written);
  await tellRedis(first, 'FLUSHALL');
  await hasForgotten(writer);
  await isHeld(writer.announcer);
  await sleep(3500);
  await away.tap.accept();
  await expect.poll(() => away.announcer.isHeld(), soon).toBe(true);
  await expect.poll(() => isOpen(away.received), soon).toBe(false);
});
