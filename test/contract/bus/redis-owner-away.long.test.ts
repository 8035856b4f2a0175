/** A suspension goes on for as long as statements of its process may, where that loses its line, and has it again. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { tellRedis } from '../../support/servers/redis.ts';
import {
  areHeld,
  bothGoAway,
  isHeld,
  isLost,
  isOpen,
  join,
  kept,
  serverOfFile,
  suspension,
  written,
} from './redis-member.ts';

const { url } = serverOfFile();

test('a member that was away for longer does not end it under the name that it had before', async () => {
  const group = randomUUID();
  const aftermath = 2000;
  const of = () => join(url(), group, { aftermath });
  const [owner, away, third] = [await of(), await of(), await of()];
  await areHeld(owner, away, third);
  await bothGoAway(owner, away);
  await owner.tap.accept();
  await isHeld(owner.announcer);
  await sleep(aftermath);
  const again = await owner.announcer.announce(suspension('a'));
  await away.tap.accept();
  await isHeld(away.announcer);
  expect(await kept(url(), group)).toBe(':1\r\n');
  // A member that has lost its line for a moment ends what the server does not list.
  third.tap.cut();
  await isLost(third.announcer);
  await isHeld(third.announcer);
  const late = await of();
  await isHeld(late.announcer);
  expect(again.holds()).toBe(true);
  expect([away, third, late].map(({ received }) => isOpen(received))).toEqual([true, true, true]);
  await again.end(written);
  await expect.poll(() => isOpen(late.received)).toBe(false);
});

test('at a server that has lost everything it lasts from the end of the lease on, which its process has still', async () => {
  const group = randomUUID();
  const aftermath = 2000;
  const [owner, other] = [await join(url(), group, { aftermath }), await join(url(), group, { aftermath })];
  await areHeld(owner, other);
  const announced = await owner.announcer.announce(suspension('a'));
  owner.tap.freeze();
  await tellRedis(url(), 'FLUSHALL');
  // Until then it sends COMMIT without announcing it again.
  while (announced.holds()) await sleep(2);
  const commit = performance.now() + aftermath - 100;
  await isHeld(other.announcer);
  while (performance.now() < commit) {
    expect(isOpen(other.received)).toBe(true);
    await sleep(20);
  }
  await expect.poll(() => isOpen(other.received), { timeout: 5000 }).toBe(false);
});
