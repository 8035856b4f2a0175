/** Promises of the bus on Redis, each with a mistake that breaks it: the checker of coherence finds those only after many operations. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { redis } from '../../../src/cache/buses/redis.ts';
import { type Mistake, openProgram, type Program } from '../../support/program.ts';
import { thisMachine } from '../../support/servers/programs.ts';
import { startRedis, tellRedis } from '../../support/servers/redis.ts';
import { openScope, type Scope } from '../../support/servers/scope.ts';
import { isHeld, join, suspension, written } from './redis-member.ts';

type Bus = typeof redis;
interface Promised extends Mistake {
  holds(by: Bus): Promise<boolean>;
}

const lease = 1000;
/** A write that would be refused after a moment on a busy machine shows nothing. */
const free = { lease, required: false };
let scope: Scope;
let program: Program;
let url: string;
beforeAll(async () => {
  scope = openScope();
  program = openProgram();
  url = await startRedis(scope, thisMachine());
});
afterAll(async () => {
  program?.remove();
  await scope?.close();
});

/** Whether that becomes true within twice the length of a lease. */
async function soon(is: () => boolean): Promise<boolean> {
  for (const due = performance.now() + 2 * lease; !is(); await sleep(5)) if (performance.now() > due) return false;
  return true;
}

/** Two members that use their caches. The first is right, so that only the other can be wrong. */
async function two(by: Bus) {
  const group = randomUUID();
  const [right, other] = [await join(url, group, free), await join(url, group, { ...free, by })];
  await Promise.all([isHeld(right.announcer), isHeld(other.announcer)]);
  return { group, right, other };
}

const promises: Readonly<Record<string, Promised>> = {
  'a member that hears nothing has no lease soon': {
    ...{ file: 'cache/buses/redis/lease.js', right: 'return now < this.#until &&', wrong: 'return now < Infinity ||' },
    async holds(by) {
      const { other } = await two(by);
      other.tap.freeze();
      return soon(() => !other.announcer.isHeld());
    },
  },
  'a member that misses an entry begins anew': {
    ...{ file: 'cache/buses/redis/news.js', right: 'nth !== before + 1', wrong: 'false' },
    async holds(by) {
      const { group, right, other } = await two(by);
      await (await right.announcer.announce(suspension('a'))).end(written);
      await soon(() => other.received.length === 3);
      const news = `datastore-gateway:{${group}}:news`;
      const [name] =
        /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/.exec(await tellRedis(url, `XREVRANGE ${news} + - COUNT 1`)) ?? [];
      await tellRedis(url, `XADD ${news} * from ${name} nth 99 awaited 0 messages []`);
      return soon(() => other.received.some(({ type }) => type === 'forget'));
    },
  },
  'a member that joins again begins with nothing': {
    ...{ file: 'cache/buses/redis/memberships.js', right: 'if (before !== null)', wrong: 'if (false)' },
    async holds(by) {
      const { other } = await two(by);
      other.tap.cut();
      await soon(() => !other.announcer.isHeld());
      await isHeld(other.announcer);
      return other.received.some(({ type }) => type === 'forget');
    },
  },
  'a member that has just joined has no lease: those who joined before may not have found out yet that the server was emptied':
    {
      ...{ file: 'cache/buses/redis/membership.js', right: 'performance.now() >= this.#trustedFrom', wrong: 'true' },
      async holds(by) {
        const { announcer } = await join(url, randomUUID(), { lease: 60_000, by });
        return !announcer.isHeld();
      },
    },
  'a write waits for the lease of a member that does not answer, and no later one does': {
    file: 'cache/buses/redis.js',
    right: 'isAwaited: true, due',
    wrong: 'isAwaited: false, due',
    async holds(by) {
      const { right, other } = await two(by);
      right.tap.freeze();
      await (await other.announcer.announce(suspension('a'))).end(written);
      const isOver = !right.announcer.isHeld();
      await (await other.announcer.announce(suspension('b'))).end(written);
      return isOver;
    },
  },
};

test.each(Object.entries(promises))('%s', async (_, { holds, ...mistake }) => {
  const { redis: wrong } = await program.partWith<{ readonly redis: Bus }>(mistake, 'cache/buses/redis.js');
  expect(await Promise.all([holds(redis), holds(wrong)])).toEqual([true, false]);
});
