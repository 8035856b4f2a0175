/** What the log hears of a server that cannot be used. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Event } from '../../../src/model/events.ts';
import { tellRedis } from '../../support/servers/redis.ts';
import { isHeld, join, serverOfFile, userWithout } from './redis-member.ts';

const { url } = serverOfFile();

const lost = (events: readonly Event[]) =>
  events.flatMap((event) => (event.on === 'bus lost' ? [String(event.cause)] : []));

/** Bytes that the server has sent so far. */
const bytesFrom = async (server: string) =>
  Number(/total_net_output_bytes:(\d+)/.exec(await tellRedis(server, 'INFO stats'))?.[1]);

test.each([
  ['the password is another one', 'ACL SETUSER LOGIN resetpass >other', /WRONGPASS/],
  ['a right is missing', 'ACL SETUSER LOGIN -hgetall', /NOPERM.*hgetall/],
  ['what names the start of the server', 'ACL SETUSER LOGIN -info', /NOPERM.*info/],
  ['a key is of another type', 'SET datastore-gateway:{GROUP}:suspensions x', /WRONGTYPE/],
])('says why it does not join again: %s', async (_, command, cause) => {
  const [group, login] = [randomUUID(), await userWithout(url(), '')];
  const { announcer, events } = await join(url(), group, { login });
  await isHeld(announcer);
  expect(await tellRedis(url(), command.replace('LOGIN', login.user).replace('GROUP', group))).toBe('+OK\r\n');
  await tellRedis(url(), `CLIENT KILL USER ${login.user}`);
  await expect.poll(() => lost(events).join('\n')).toMatch(cause);
  await sleep(1000);
  expect(lost(events).length).toBeLessThanOrEqual(3);
});

test.each([
  ['suspensions', "'HSET', KEYS[1], nth, ARGV[1] .. string.rep('r', 30000)"],
  ['members', "'ZADD', KEYS[1], '+inf', ARGV[1] .. nth .. string.rep('r', 30000)"],
])('does not fetch %s that take megabytes', async (what, plant) => {
  const [group, from] = [randomUUID(), randomUUID()];
  const key = `datastore-gateway:{${group}}:${what}`;
  const planted = `EVAL "for nth = 1, 1200 do redis.call(${plant}) end" 1 ${key} ${from}`;
  expect(await tellRedis(url(), planted)).toBe('$-1\r\n');
  const asked = await bytesFrom(url());
  const { announcer, events } = await join(url(), group);
  await expect.poll(() => lost(events).join()).toMatch(`holds ${what} that no gateway has written`);
  expect((await bytesFrom(url())) - asked).toBeLessThan(1_000_000);
  await tellRedis(url(), `DEL ${key}`);
  await isHeld(announcer);
});

test('ends where a stranger is listed among the members', async () => {
  const group = randomUUID();
  const { announcer, events } = await join(url(), group);
  await isHeld(announcer);
  const key = `datastore-gateway:{${group}}:members`;
  expect(await tellRedis(url(), `ZADD ${key} +inf stranger`)).toBe(':1\r\n');
  await expect.poll(() => lost(events).join()).toMatch(/holds members that no gateway has written/);
  expect(await tellRedis(url(), `ZREM ${key} stranger`)).toBe(':1\r\n');
  await isHeld(announcer);
});

test('says it once where it joins again and again, and never hears anything', async () => {
  const { events } = await join(url(), randomUUID(), { login: await userWithout(url(), '-xread') });
  await sleep(1500);
  expect(events.map(({ on }) => on)).toEqual(['bus lost']);
  expect(lost(events).join()).toMatch(/NOPERM.*xread/);
});
