/** What a member leaves behind at the server, and what it keeps itself. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { stayInGroup } from '../../../src/cache/buses/redis/look.ts';
import { has } from '../../support/servers/programs.ts';
import { tellRedis } from '../../support/servers/redis.ts';
import { isHeld, isLost, join, serverOfFile, suspension, written } from './redis-member.ts';

const { url } = serverOfFile();
const withRedis = test.runIf(has('redis'));
const open = (received: readonly { readonly type: string }[]) =>
  received.filter(({ type }) => type === 'suspend').length - received.filter(({ type }) => type === 'resume').length;

withRedis('who looks into a group leaves no registration, for which each write would wait', async () => {
  const group = randomUUID();
  const hosts = [{ host: '127.0.0.1', port: Number(new URL(url()).port) }];
  const server = { hosts, sentinelName: null, user: null, password: null, database: 0, tls: null };
  await Promise.all(Array.from({ length: 12 }, () => stayInGroup({ server, group, lease: 1000 })));
  expect(await tellRedis(url(), `ZCARD datastore-gateway:{${group}}:members`)).toBe(':0\r\n');
});

withRedis('a suspension ends for a member that was away until nothing of it was left at the server', async () => {
  const group = randomUUID();
  const [writer, away] = [await join(url(), group), await join(url(), group)];
  await Promise.all([isHeld(writer.announcer), isHeld(away.announcer)]);
  const write = await writer.announcer.announce(suspension('a'));
  await expect.poll(() => open(away.received)).toBe(1);
  away.tap.refuse();
  away.tap.cut();
  await isLost(away.announcer);
  await write.end(written);
  // As the next process that joins removes it after a minute. The writer renews its own meanwhile.
  await sleep(400);
  const names = await tellRedis(url(), `ZRANGE datastore-gateway:{${group}}:members 0 -1 WITHSCORES`);
  const [oldest] = [...names.matchAll(/([\da-f-]{36})\r\n\$\d+\r\n(\d+)/g)].sort(
    ([, , a], [, , b]) => Number(a) - Number(b),
  );
  expect(await tellRedis(url(), `ZREM datastore-gateway:{${group}}:members ${oldest?.[1]}`)).toBe(':1\r\n');
  await away.tap.accept();
  await isHeld(away.announcer);
  await expect.poll(() => open(away.received)).toBe(0);
});

withRedis('where writes need not be announced, all have heard what one has heard, or have no lease', async () => {
  const group = randomUUID();
  const of = () => join(url(), group, { required: false });
  const [hearer, writer, late] = [await of(), await of(), await of()];
  await Promise.all([hearer, writer, late].map(({ announcer }) => isHeld(announcer)));
  late.tap.delay(150);
  const published = writer.bus.publish(written);
  await expect.poll(() => hearer.received.length, { interval: 5 }).toBe(1);
  await hearer.bus.heard?.();
  expect(late.received.some(({ type }) => type === 'written') || !late.announcer.isHeld()).toBe(true);
  late.tap.delay(0);
  await published;
});
