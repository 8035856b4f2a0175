/** A member of the bus on Redis, whose line to the server a test can disturb. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import type { Announced, Announcer, Message, Suspension, Written } from '../../../src/cache/buses/bus.ts';
import { redis } from '../../../src/cache/buses/redis.ts';
import type { Event } from '../../../src/model/events.ts';
import { thisMachine } from '../../support/servers/programs.ts';
import { startRedis, tellRedis } from '../../support/servers/redis.ts';
import { openScope, type Scope } from '../../support/servers/scope.ts';
import { openTap } from '../../support/tap.ts';

interface Joining {
  readonly lease?: number;
  readonly required?: boolean;
  readonly aftermath?: number;
  /** Its name at the server, where it has one. */
  readonly login?: { readonly user: string; readonly password: string };
  /** The bus, or one with a mistake. */
  readonly by?: typeof redis;
}

export const suspension = (id: string): Suspension => ({ type: 'suspend', id, resource: 'r', invalidates: ['t'] });
export const written: Written = {
  ...{ type: 'written', resource: 'r', invalidates: ['t'] },
  by: { server: 's', transactions: [] },
};

/** A server for the tests of a file, once they run. */
export function serverOfFile() {
  let scope: Scope;
  let url: string;
  beforeAll(async () => {
    scope = openScope();
    url = await startRedis(scope, thisMachine());
  });
  afterAll(() => scope?.close());
  return {
    url: () => url,
    signal: (signal: 'SIGCONT' | 'SIGSTOP') => scope.signal(Number(new URL(url).port), signal),
  };
}

/** Makes a user who may do everything but that. */
export async function userWithout(url: string, rights: string) {
  const login = { user: randomUUID(), password: 'secret' };
  expect(await tellRedis(url, `ACL SETUSER ${login.user} on >secret ~* &* +@all ${rights}`)).toBe('+OK\r\n');
  return login;
}

/** Joins a group at a server, and leaves it when the test is over. */
export async function join(url: string, group: string, more: Joining = {}) {
  const { lease = 1000, required = true, aftermath = 100, by = redis, login = { user: null, password: null } } = more;
  const tap = await openTap(url);
  const received: Message[] = [];
  const events: Event[] = [];
  const server = {
    hosts: [{ host: '127.0.0.1', port: Number(new URL(tap.url).port) }],
    ...{ sentinelName: null, ...login, database: 0, tls: null },
  };
  const options = {
    server,
    group,
    required,
    lease,
    aftermath: () => aftermath,
    emit: (event: Event) => void events.push(event),
  };
  const bus = await by(options)((message) => received.push(message));
  const { announcer } = bus;
  if (announcer === null) throw new Error('no announcer');
  onTestFinished(async () => {
    tap.thaw();
    await announcer.close();
    tap.close();
  });
  return { bus, announcer, received, events, tap };
}

export const isHeld = (announcer: Announcer) => expect.poll(() => announcer.isHeld(), { interval: 5 }).toBe(true);
export const isLost = (announcer: Announcer) => expect.poll(() => announcer.isHeld(), { interval: 5 }).toBe(false);

/** Announces a suspension, and tries again where that is refused: on a machine that stands still at times, leases end. */
export async function announced(announcer: Announcer, id: string): Promise<Announced> {
  for (const until = performance.now() + 10_000; ; ) {
    await isHeld(announcer);
    try {
      return await announcer.announce(suspension(id));
    } catch (error) {
      if (performance.now() > until) throw error;
    }
  }
}

/** Whether the last that a member has heard of a suspension is its beginning. */
export const isOpen = (received: readonly Message[]): boolean =>
  received.findLast((message) => 'id' in message)?.type === 'suspend';

/** How many suspensions the server keeps for a group, as it says it. */
export const kept = (server: string, group: string): Promise<string> =>
  tellRedis(server, `HLEN datastore-gateway:{${group}}:suspensions`);

type Member = Awaited<ReturnType<typeof join>>;

export const areHeld = (...members: readonly Member[]) =>
  Promise.all(members.map(({ announcer }) => isHeld(announcer)));

/**
 * The owner announces a suspension, and is cut off. After the others have seen for less than `aftermath` that its name is gone, so is
 * another member.
 */
export async function bothGoAway(owner: Member, away: Member): Promise<void> {
  await announced(owner.announcer, 'a');
  owner.tap.refuse();
  owner.tap.cut();
  await sleep(1400);
  away.tap.refuse();
  away.tap.cut();
}
