/** What the bus on Redis promises beyond the contract: leases, and announcements of writes. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { tellRedis } from '../../support/servers/redis.ts';
import { isHeld, isLost, join as joinAt, serverOfFile, suspension, written } from './redis-member.ts';

const { url } = serverOfFile();

const join = (group: string, more: Parameters<typeof joinAt>[2] = {}) => joinAt(url(), group, more);

test('a member that was cut off has its lease again at once, without what it had, where the server is the same', async () => {
  const { announcer, received, tap } = await join(randomUUID(), { lease: 2000 });
  await isHeld(announcer);
  tap.cut();
  await isLost(announcer);
  // It waits for the length of its lease only after its first start.
  await isHeld(announcer);
  expect(received).toEqual([{ type: 'forget' }]);
});

test('an announced write suspends before, and ends with what it has written', async () => {
  const group = randomUUID();
  const [writer, other] = [await join(group), await join(group)];
  await isHeld(writer.announcer);
  const announced = await writer.announcer.announce(suspension('a'));
  expect(other.received).toEqual([suspension('a')]);
  expect(announced.holds()).toBe(true);
  await announced.end(written);
  await expect.poll(() => other.received).toEqual([suspension('a'), written, { type: 'resume', id: 'a' }]);
});

test('a write whose suspension may have ended waits until the others have heard of it', async () => {
  const group = randomUUID();
  const [writer, other] = [await join(group), await join(group)];
  await isHeld(writer.announcer);
  const announced = await writer.announcer.announce(suspension('a'));
  writer.tap.freeze();
  await expect.poll(() => other.received, { interval: 5 }).toEqual([suspension('a'), { type: 'resume', id: 'a' }]);
  expect(announced.holds()).toBe(false);
  writer.tap.thaw();
  await announced.end(written);
  expect(other.received).toContainEqual(written);
});

test('a write that cannot be announced is refused where it must be, and makes the others forget where it need not', async () => {
  const group = randomUUID();
  const lease = 2000;
  const [bound, other] = [await join(group, { lease }), await join(group, { lease })];
  const free = await join(group, { lease, required: false });
  for (const { announcer } of [bound, free, other]) await isHeld(announcer);
  for (const { tap, announcer } of [bound, free]) {
    tap.freeze();
    await isLost(announcer);
  }
  await expect(bound.announcer.announce(suspension('a'))).rejects.toThrow();
  const announced = await free.announcer.announce(suspension('b'));
  await announced.end(written);
  expect(other.received).toEqual([]);
  free.tap.thaw();
  await expect.poll(() => other.received).toContainEqual({ type: 'forget' });
});

test('a write that need not be announced waits for a silent server only once, and until the others have no lease', async () => {
  const [group, lease] = [randomUUID(), 2000];
  const [free, other] = [await join(group, { required: false, lease }), await join(group, { lease })];
  for (const { announcer } of [free, other]) await isHeld(announcer);
  for (const { tap } of [free, other]) tap.freeze();
  const began = performance.now();
  const announced = await free.announcer.announce(suspension('a'));
  expect(announced.holds()).toBe(false);
  await announced.end(written);
  expect(other.announcer.isHeld()).toBe(false);
  // A lease and a third; twice as long for two waits.
  expect(performance.now() - began).toBeLessThan(1.8 * lease);
  // The next one does not wait before its statements.
  const next = performance.now();
  await free.announcer.announce(suspension('b'));
  expect(performance.now() - next).toBeLessThan(0.2 * lease);
});

test.each([
  'FLUSHALL',
  'CLIENT KILL TYPE normal',
  'DEL datastore-gateway:{GROUP}:news',
  'XADD datastore-gateway:{GROUP}:news * a b',
])('after %s a member forgets, and hears again', async (command) => {
  const group = randomUUID();
  const [writer, other] = [await join(group), await join(group)];
  await isHeld(other.announcer);
  await (await writer.announcer.announce(suspension('a'))).end(written);
  await tellRedis(url(), command.replace('GROUP', group));
  await expect.poll(() => other.received).toContainEqual({ type: 'forget' });
  await isHeld(other.announcer);
  await isHeld(writer.announcer);
  await writer.announcer.announce(suspension('b'));
  expect(other.received).toContainEqual(suspension('b'));
});

test('a write that could not be announced is heard when the others have heard of it, or have no lease', async () => {
  const group = randomUUID();
  const [writer, other] = [await join(group, { required: false }), await join(group)];
  await isHeld(writer.announcer);
  await isHeld(other.announcer);
  writer.tap.freeze();
  const announced = await writer.announcer.announce(suspension('a'));
  let isOver = false;
  const ended = announced.end(written).then(() => {
    isOver = true;
  });
  await writer.bus.heard?.();
  await sleep(0);
  expect(isOver).toBe(true);
  await ended;
});

test('of members that die one after the other no write waits much longer than for one', async () => {
  const [group, lease] = [randomUUID(), 2000];
  const [writer, first, second] = [
    await join(group, { lease }),
    await join(group, { lease }),
    await join(group, { lease }),
  ];
  for (const { announcer } of [writer, first, second]) await isHeld(announcer);
  const took = async (id: string) => {
    const began = performance.now();
    await writer.announcer.announce(suspension(id));
    return performance.now() - began;
  };
  first.tap.freeze();
  const writes = [took('a')];
  await sleep(0.3 * lease);
  second.tap.freeze();
  writes.push(took('b'));
  // Where a round waits for the last one, the second write takes 1.7 leases.
  expect(Math.max(...(await Promise.all(writes)))).toBeLessThan(1.4 * lease);
});
