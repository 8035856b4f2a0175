/** The bus on Redis where its user lacks a right. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { thisMachine } from '../../support/servers/programs.ts';
import { startRedis, tellRedis } from '../../support/servers/redis.ts';
import { openScope, type Scope } from '../../support/servers/scope.ts';
import { isHeld, isLost, join, suspension, written } from './redis-member.ts';

let scope: Scope;
let url: string;
beforeAll(async () => {
  scope = openScope();
  url = await startRedis(scope, thisMachine());
});
afterAll(() => scope?.close());

/** A user who may do everything but that. */
async function userWithout(rights: string) {
  const login = { user: randomUUID(), password: 'secret' };
  const said = await tellRedis(url, `ACL SETUSER ${login.user} on >secret ~* &* +@all ${rights}`);
  expect(said).toBe('+OK\r\n');
  return login;
}

/** Two members of a group, whose writes need not be announced. */
const two = (login: { readonly user: string; readonly password: string }, lease: number) => {
  const group = randomUUID();
  const joined = () => join(url, group, { login, lease, required: false });
  return Promise.all([joined(), joined()]);
};

test.each(['xadd', 'hset', 'hdel'])('no member uses its cache once %s is taken, which a write needs', async (right) => {
  const login = await userWithout('');
  const [writer, other] = await two(login, 1000);
  await Promise.all([isHeld(writer.announcer), isHeld(other.announcer)]);
  expect(await tellRedis(url, `ACL SETUSER ${login.user} -${right}`)).toBe('+OK\r\n');
  await (await writer.announcer.announce(suspension('a'))).end(written);
  const hasHeard = other.received.some(({ type }) => type === 'suspend');
  expect(hasHeard || !other.announcer.isHeld()).toBe(true);
  await Promise.all([isLost(writer.announcer), isLost(other.announcer)]);
  expect(await tellRedis(url, `ACL SETUSER ${login.user} +${right}`)).toBe('+OK\r\n');
  await Promise.all([isHeld(writer.announcer), isHeld(other.announcer)]);
  expect(other.received).toContainEqual({ type: 'forget' });
});

test.each(['-xadd', '-hset', '-hdel'])('no member ever uses its cache with %s', async (rights) => {
  const members = await two(await userWithout(rights), 300);
  for (let looks = 0; looks < 60; looks++) {
    expect(members.map(({ announcer }) => announcer.isHeld())).toEqual([false, false]);
    await sleep(10);
  }
});

test('a trial of the rights is no entry, and no suspension', async () => {
  const group = randomUUID();
  const { announcer, received } = await join(url, group);
  await isHeld(announcer);
  await sleep(600);
  expect(
    await tellRedis(url, `EXISTS datastore-gateway:{${group}}:news datastore-gateway:{${group}}:suspensions`),
  ).toBe(':0\r\n');
  expect(received).toEqual([]);
});
