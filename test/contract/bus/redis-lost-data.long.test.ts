/** The bus on Redis while the server loses data, and while suspensions are open. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { tellRedis } from '../../support/servers/redis.ts';
import { isLost, join as joinAt, serverOfFile, suspension, written } from './redis-member.ts';

const { url, signal } = serverOfFile();

async function join(group: string, lease: number, aftermath = 60_000) {
  const member = await joinAt(url(), group, { lease, aftermath });
  const { received, announcer } = member;
  return {
    ...member,
    /** The ids of the suspensions that it has received, and that have not ended. */
    get open() {
      const ids = new Set<string>();
      for (const message of received) {
        if (message.type === 'suspend') ids.add(message.id);
        if (message.type === 'resume') ids.delete(message.id);
      }
      return [...ids];
    },
    held: () => expect.poll(() => announcer.isHeld(), { interval: 5, timeout: 5000 }).toBe(true),
    /** It has begun anew after it could have missed something. */
    forgot: () => expect.poll(() => received, { interval: 5 }).toContainEqual({ type: 'forget' }),
  };
}

test.each(['FLUSHALL', 'DEL datastore-gateway:{GROUP}:members datastore-gateway:{GROUP}:suspensions'])(
  'after %s no member uses its cache while a writer still believes that its suspension is held',
  async (command) => {
    const group = randomUUID();
    const [writer, other] = [await join(group, 1000), await join(group, 1000)];
    await Promise.all([writer.held(), other.held()]);
    const announced = await writer.announcer.announce(suspension('a'));
    expect(other.open).toEqual(['a']);
    // It notices nothing.
    writer.tap.freeze();
    await tellRedis(url(), command.replaceAll('GROUP', group));
    await other.forgot();
    await other.held();
    expect(announced.holds()).toBe(false);
    // Its write may still be under way.
    expect(other.open).toEqual(['a']);
    writer.tap.thaw();
    await announced.end(written);
    await expect.poll(() => other.open).toEqual([]);
  },
);

test.each([
  ['', false],
  // As at a replica that has become the primary: the last messages are missing, and names are there.
  [', and its name is still there', true],
])(
  'a suspension that a server has lost goes on, also where a member loses its line before the writer is back%s',
  async (_, isNamed) => {
    const group = randomUUID();
    const members = `datastore-gateway:{${group}}:members`;
    const [writer, other] = [await join(group, 1000), await join(group, 1000)];
    await Promise.all([writer.held(), other.held()]);
    const announced = await writer.announcer.announce(suspension('a'));
    writer.tap.freeze();
    const names = (await tellRedis(url(), `ZRANGE ${members} 0 -1`)).match(/[\da-f-]{36}/g) ?? [];
    await tellRedis(url(), 'FLUSHALL');
    await other.forgot();
    await other.held();
    const later = Date.now() + 60_000;
    if (isNamed) await tellRedis(url(), `ZADD ${members} ${names.map((name) => `${later} ${name}`).join(' ')}`);
    other.tap.cut();
    await isLost(other.announcer);
    await other.held();
    // It commits only now.
    await announced.end(written);
    expect(other.open).toEqual(['a']);
    writer.tap.thaw();
    await expect.poll(() => other.open, { timeout: 5000 }).toEqual([]);
  },
);

test('a suspension that has ended meanwhile ends for a member that joins a server without data after its process', async () => {
  const group = randomUUID();
  const [writer, other] = [await join(group, 1000), await join(group, 1000)];
  await Promise.all([writer.held(), other.held()]);
  const announced = await writer.announcer.announce(suspension('a'));
  other.tap.freeze();
  await announced.end(written);
  await tellRedis(url(), 'FLUSHALL');
  await writer.forgot();
  await writer.held();
  other.tap.thaw();
  await other.forgot();
  await expect.poll(() => other.open).toEqual([]);
});

test('a suspension goes on where what was sent on a lost line comes late', async () => {
  const group = randomUUID();
  const [writer, other] = [await join(group, 1000, 100), await join(group, 1000, 100)];
  await Promise.all([writer.held(), other.held()]);
  let isFirst = true;
  writer.tap.watch((bytes) => {
    if (!isFirst || !bytes.includes('"suspend"')) return 'pass';
    isFirst = false;
    return { hangUpAndDeliverAfter: 300 };
  });
  const announced = await writer.announcer.announce(suspension('a'));
  expect(isFirst).toBe(false);
  await sleep(1000);
  expect([announced.holds(), other.open]).toEqual([true, ['a']]);
  await announced.end(written);
  await expect.poll(() => other.open).toEqual([]);
});

test('a suspension goes on at a server that has lost it, until its write has ended', async () => {
  const group = randomUUID();
  const [writer, other] = [await join(group, 2000), await join(group, 2000)];
  await Promise.all([writer.held(), other.held()]);
  const announced = await writer.announcer.announce(suspension('a'));
  await tellRedis(url(), 'FLUSHALL');
  await Promise.all([writer.forgot(), other.forgot()]);
  await Promise.all([writer.held(), other.held()]);
  expect(other.open).toEqual(['a']);
  await announced.end(written);
  expect(other.open).toEqual([]);
});

test('a suspension goes on after its process has joined again, also when its earlier name is gone', async () => {
  const group = randomUUID();
  const [writer, other] = [await join(group, 1000, 50), await join(group, 1000, 50)];
  await Promise.all([writer.held(), other.held()]);
  await writer.announcer.announce(suspension('a'));
  writer.tap.cut();
  await writer.forgot();
  await writer.held();
  // That of the earlier name has ended when the first end of another name has: the third is of a member that has left.
  const third = await join(group, 1000, 50);
  await third.held();
  await third.announcer.announce(suspension('b'));
  third.tap.freeze();
  await expect.poll(() => other.received, { interval: 5, timeout: 5000 }).toContainEqual({ type: 'resume', id: 'b' });
  expect(other.open).toEqual(['a']);
});

test('a suspension that could not be published is published when the server is there again', async () => {
  const group = randomUUID();
  const [writer, other] = [await join(group, 2000), await join(group, 2000)];
  await Promise.all([writer.held(), other.held()]);
  writer.tap.freeze();
  await writer.bus.publish(suspension('unknown outcome'));
  expect(other.open).toEqual([]);
  writer.tap.cut();
  writer.tap.thaw();
  await other.forgot();
  expect(other.open).toEqual(['unknown outcome']);
  await writer.bus.publish({ type: 'resume', id: 'unknown outcome' });
  await expect.poll(() => other.open).toEqual([]);
});

test('a suspension that a server executes only when nobody waits for it any more ends when the server is there again', async () => {
  const group = randomUUID();
  const [writer, other] = [await join(group, 1000), await join(group, 1000)];
  await Promise.all([writer.held(), other.held()]);
  signal('SIGSTOP');
  await expect(writer.announcer.announce(suspension('late'))).rejects.toThrow('nothing was written');
  await Promise.all([isLost(writer.announcer), isLost(other.announcer)]);
  signal('SIGCONT');
  await expect.poll(() => other.received, { interval: 5, timeout: 5000 }).toContainEqual(suspension('late'));
  await expect.poll(() => other.open).toEqual([]);
  expect(writer.open).toEqual([]);
});

test('a write does not wait for a server that has been away for longer than a lease: it holds a session of its database', async () => {
  const lease = 1000;
  const { announcer, tap } = await join(randomUUID(), lease);
  tap.close();
  const refused = () => announcer.announce(suspension('a')).catch(() => 'refused');
  expect(await refused()).toBe('refused');
  expect(await Promise.race([refused(), sleep(lease)])).toBe('refused');
});

test('a member begins anew where its stream of acknowledgements is lost: each write would wait for a lease', async () => {
  const group = randomUUID();
  const member = await join(group, 1000);
  await member.held();
  const streams = await tellRedis(url(), `KEYS datastore-gateway:{${group}}:acks:*`);
  const [stream = ''] = /datastore-gateway\S+/.exec(streams) ?? [];
  expect(await tellRedis(url(), `DEL ${stream}`)).toBe(':1\r\n');
  await member.forgot();
});

test('a server with more members than a fleet has is not used', async () => {
  const group = randomUUID();
  const member = await join(group, 1000);
  await member.held();
  for (let thousands = 0; thousands < 11; thousands++) {
    const names = Array.from({ length: 1000 }, () => `9e15 ${randomUUID()}`);
    expect(await tellRedis(url(), `ZADD datastore-gateway:{${group}}:members ${names.join(' ')}`)).toBe(':1000\r\n');
  }
  await expect.poll(() => member.announcer.isHeld()).toBe(false);
  await expect(member.announcer.announce(suspension('a'))).rejects.toThrow('nothing was written');
});
