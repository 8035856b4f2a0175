/** The bus on Redis where its user lacks a right. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { tellRedis } from '../../support/servers/redis.ts';
import { isHeld, isLost, join, serverOfFile, suspension, userWithout, written } from './redis-member.ts';

const { url } = serverOfFile();

/** Two members of a group, whose writes need not be announced. */
const two = (login: { readonly user: string; readonly password: string }, lease: number) => {
  const group = randomUUID();
  const joined = () => join(url(), group, { login, lease, required: false });
  return Promise.all([joined(), joined()]);
};

test.each(['xadd', 'hset', 'hdel'])('no member uses its cache once %s is taken, which a write needs', async (right) => {
  const login = await userWithout(url(), '');
  const [writer, other] = await two(login, 1000);
  await Promise.all([isHeld(writer.announcer), isHeld(other.announcer)]);
  expect(await tellRedis(url(), `ACL SETUSER ${login.user} -${right}`)).toBe('+OK\r\n');
  await (await writer.announcer.announce(suspension('a'))).end(written);
  const hasHeard = other.received.some(({ type }) => type === 'suspend');
  expect(hasHeard || !other.announcer.isHeld()).toBe(true);
  await Promise.all([isLost(writer.announcer), isLost(other.announcer)]);
  expect(await tellRedis(url(), `ACL SETUSER ${login.user} +${right}`)).toBe('+OK\r\n');
  await Promise.all([isHeld(writer.announcer), isHeld(other.announcer)]);
  expect(other.received).toContainEqual({ type: 'forget' });
});

test.each(['-xadd', '-hset', '-hdel'])('no member ever uses its cache with %s', async (rights) => {
  const members = await two(await userWithout(url(), rights), 300);
  for (let looks = 0; looks < 60; looks++) {
    expect(members.map(({ announcer }) => announcer.isHeld())).toEqual([false, false]);
    await sleep(10);
  }
});

test('a trial of the rights is no entry, and no suspension', async () => {
  const group = randomUUID();
  const { announcer, received } = await join(url(), group);
  await isHeld(announcer);
  await sleep(600);
  expect(
    await tellRedis(url(), `EXISTS datastore-gateway:{${group}}:news datastore-gateway:{${group}}:suspensions`),
  ).toBe(':0\r\n');
  expect(received).toEqual([]);
});

test('a member that may not hear is not registered: no write waits for it', async () => {
  const group = randomUUID();
  const login = await userWithout(url(), '-xread');
  const { events } = await join(url(), group, { login, lease: 300 });
  await expect.poll(() => events.some(({ on }) => on === 'bus lost')).toBe(true);
  for (let looks = 0; looks < 60; looks++) {
    expect(await tellRedis(url(), `EXISTS datastore-gateway:{${group}}:members`)).toBe(':0\r\n');
    await sleep(5);
  }
});
