/** What the log hears of a server that cannot be used. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Event } from '../../../src/model/events.ts';
import { thisMachine } from '../../support/servers/programs.ts';
import { startRedis, tellRedis } from '../../support/servers/redis.ts';
import { openScope, type Scope } from '../../support/servers/scope.ts';
import { isHeld, join } from './redis-member.ts';

let scope: Scope;
let url: string;
beforeAll(async () => {
  scope = openScope();
  url = await startRedis(scope, thisMachine());
});
afterAll(() => scope?.close());

const lost = (events: readonly Event[]) =>
  events.flatMap((event) => (event.on === 'bus lost' ? [String(event.cause)] : []));

async function loginOf(rights: string) {
  const login = { user: randomUUID(), password: 'secret' };
  expect(await tellRedis(url, `ACL SETUSER ${login.user} on >secret ~* &* +@all ${rights}`)).toBe('+OK\r\n');
  return login;
}

test.each([
  ['the password is another one', 'ACL SETUSER LOGIN resetpass >other', /WRONGPASS/],
  ['a right is missing', 'ACL SETUSER LOGIN -hgetall', /NOPERM.*hgetall/],
  ['a key is of another type', 'SET datastore-gateway:{GROUP}:suspensions x', /WRONGTYPE/],
])('says why it does not join again: %s', async (_, command, cause) => {
  const [group, login] = [randomUUID(), await loginOf('')];
  const { announcer, events } = await join(url, group, { login });
  await isHeld(announcer);
  expect(await tellRedis(url, command.replace('LOGIN', login.user).replace('GROUP', group))).toBe('+OK\r\n');
  await tellRedis(url, `CLIENT KILL USER ${login.user}`);
  await expect.poll(() => lost(events).join('\n')).toMatch(cause);
  await sleep(1000);
  expect(lost(events).length).toBeLessThanOrEqual(3);
});

test('says it once where it joins again and again, and never hears anything', async () => {
  const { events } = await join(url, randomUUID(), { login: await loginOf('-xread') });
  await sleep(1500);
  expect(events.map(({ on }) => on)).toEqual(['bus lost']);
  expect(lost(events).join()).toMatch(/NOPERM.*xread/);
});
