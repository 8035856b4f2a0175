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

test.each([
  ['the password is another one', 'ACL SETUSER LOGIN resetpass >other', /WRONGPASS/],
  ['a right is missing', 'ACL SETUSER LOGIN -hgetall', /NOPERM.*hgetall/],
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

test('does not fetch suspensions that take megabytes', async () => {
  const [group, from] = [randomUUID(), randomUUID()];
  const planted = `${from} {"type":"suspend","id":"a","invalidates":[],"resource":"`;
  const plant = `for nth = 1, 300 do redis.call('HSET', KEYS[1], nth, ARGV[1] .. string.rep('r', 30000) .. '"}') end`;
  const inQuotes = (text: string) => `"${text.replaceAll('"', '\\"')}"`;
  const key = `datastore-gateway:{${group}}:suspensions`;
  expect(await tellRedis(url(), `EVAL ${inQuotes(plant)} 1 ${key} ${inQuotes(planted)}`)).toBe('$-1\r\n');
  const { announcer, events, received } = await join(url(), group);
  await expect.poll(() => lost(events).join()).toMatch(/holds suspensions that no gateway has written/);
  expect(received.filter(({ type }) => type === 'suspend')).toEqual([]);
  await tellRedis(url(), `DEL ${key}`);
  await isHeld(announcer);
});

test('says it once where it joins again and again, and never hears anything', async () => {
  const { events } = await join(url(), randomUUID(), { login: await userWithout(url(), '-xread') });
  await sleep(1500);
  expect(events.map(({ on }) => on)).toEqual(['bus lost']);
  expect(lost(events).join()).toMatch(/NOPERM.*xread/);
});
