/** A process is back, and others end at the server what it has published before. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { Membership } from '../../../src/cache/buses/redis/membership.ts';
import { Suspensions } from '../../../src/cache/buses/redis/suspensions.ts';
import { tellRedis } from '../../support/servers/redis.ts';
import { openTap, type Verdict } from '../../support/tap.ts';
import {
  announced,
  areHeld,
  bothGoAway,
  isHeld,
  isLost,
  isOpen,
  join,
  kept,
  serverOfFile,
  written,
} from './redis-member.ts';

const { url } = serverOfFile();

type Member = Awaited<ReturnType<typeof join>>;

async function joinsAgain({ tap, announcer }: Member): Promise<void> {
  tap.cut();
  await isLost(announcer);
  await isHeld(announcer);
}

/** Resolves when a member has sent the removal of a suspension. @param how the tap treats it */
const removalBy = ({ tap }: Member, id: string, how: Verdict): Promise<void> =>
  new Promise((resolve) => {
    tap.watch((bytes) => {
      if (!bytes.includes('HDEL') || !bytes.includes(id)) return 'pass';
      resolve();
      return how;
    });
  });

test.each<[string, Verdict]>([
  ['late', { holdFor: 450 }],
  ['later than a lease', { holdFor: 1300 }],
  ['late by one that has lost its line', { hangUpAndDeliverAfter: 400 }],
])('what it publishes again stays where the removal comes %s', async (_, how) => {
  const [group, id] = [randomUUID(), randomUUID()];
  const of = () => join(url(), group, { aftermath: 1500 });
  const [owner, other, third] = [await of(), await of(), await of()];
  await areHeld(owner, other, third);
  await announced(owner.announcer, id);
  const removed = Promise.all([other, third].map((member) => removalBy(member, id, how)));
  owner.tap.refuse();
  owner.tap.cut();
  await removed;
  await owner.tap.accept();
  const again = await announced(owner.announcer, id);
  // Nothing has to repair it afterwards: one that joins again meanwhile has it.
  for (let nth = 0; nth < 4; nth++) {
    await joinsAgain(third);
    expect([isOpen(third.received), await kept(url(), group)]).toEqual([true, ':1\r\n']);
    await sleep(300);
  }
  const late = await of();
  await areHeld(other, late);
  expect([other, late].map(({ received }) => isOpen(received))).toEqual([true, true]);
  await again.end(written);
  await expect.poll(() => kept(url(), group)).toBe(':0\r\n');
});

/** A suspension, a member that has seen that its process is gone, and was then away itself until the process may long be back. */
async function isAway(group: string, aftermath: number) {
  const of = () => join(url(), group, { aftermath });
  const [owner, away] = [await of(), await of()];
  await areHeld(owner, away);
  await bothGoAway(owner, away);
  return { owner, away };
}

test('a member that was away counts anew at a server that has lost everything', async () => {
  const group = randomUUID();
  const aftermath = 2000;
  const { owner, away } = await isAway(group, aftermath);
  await owner.tap.accept();
  await isHeld(owner.announcer);
  await sleep(aftermath);
  const again = await announced(owner.announcer, 'a');
  await sleep(300);
  owner.tap.freeze();
  await tellRedis(url(), 'FLUSHALL');
  await away.tap.accept();
  // Until then it sends COMMIT, without announcing it again.
  while (again.holds()) await sleep(2);
  await isHeld(away.announcer);
  expect(isOpen(away.received)).toBe(true);
});

test('what a member ends when it joins is not open again', async () => {
  const group = randomUUID();
  const { away } = await isAway(group, 500);
  await sleep(1000);
  await away.tap.accept();
  await isHeld(away.announcer);
  expect(isOpen(away.received)).toBe(false);
  await expect.poll(() => kept(url(), group)).toBe(':0\r\n');
});

test('a write that is announced again is kept once', async () => {
  const group = randomUUID();
  const owner = await join(url(), group, {});
  await announced(owner.announcer, 'a');
  owner.tap.cut();
  await isLost(owner.announcer);
  const again = await announced(owner.announcer, 'a');
  expect(await kept(url(), group)).toBe(':1\r\n');
  await again.end(written);
  await expect.poll(() => kept(url(), group)).toBe(':0\r\n');
});

test('a member whose line is lost while it takes over suspensions has not joined', async () => {
  const group = randomUUID();
  const owner = await join(url(), group, { aftermath: 60_000 });
  for (let nth = 0; nth < 40; nth++) await announced(owner.announcer, `${nth}`);
  const tap = await openTap(url());
  onTestFinished(() => tap.close());
  const no = () => false;
  const own = { has: no, wasNamed: no, isNamed: no, answer: () => undefined };
  const suspensions = new Suspensions(own, () => {
    tap.cut();
    // As on a busy machine: they take several turns of the event loop.
    for (const until = performance.now() + 1; performance.now() < until; );
  });
  const { port } = new URL(tap.url);
  const server = {
    ...{ hosts: [{ host: '127.0.0.1', port: Number(port) }], sentinelName: null, user: null, password: null },
    ...{ database: 0, tls: null },
  };
  const options = { server, group, lease: 1000, suspensions, before: null, namesOf: () => [] };
  await expect(Membership.open(options)).rejects.toThrow();
});
