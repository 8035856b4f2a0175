import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Awake } from '../../../src/cache/buses/redis/awake.ts';
import type { Command, RedisConnection } from '../../../src/cache/buses/redis/connection.ts';
import { Registry } from '../../../src/cache/buses/redis/registry.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'Date', 'setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const [one, other] = ['0a1b2c3d-0000-4000-8000-0123456789ab', '0a1b2c3d-0000-4000-8000-0123456789ac'];

/** A server that keeps registrations, and whose clock a test sets. */
function served() {
  const server = { ahead: 0, data: 'a', scores: new Map<string, number>() };
  const answer = ([command, , ...args]: Command): unknown => {
    const now = performance.now() + server.ahead;
    if (command === 'TIME') return [String(Math.floor(now / 1000)), String(Math.round((now % 1000) * 1000))];
    if (command === 'ZRANGE') return [...server.scores].flatMap(([name, score]) => [name, String(score)]);
    if (command === 'INFO') return `role:master\r\n${server.data && `master_replid:${server.data}`}\r\n`;
    const [score, name] = args.slice(-2);
    return server.scores.set(String(name), Number(score));
  };
  const connection: RedisConnection = {
    ask: async (command) => answer(command),
    atOnce: async (commands) => commands.map(answer),
    close: () => undefined,
  };
  return { server, connection };
}

const lease = 1000;
type Before = Parameters<typeof Registry.open>[3];
const opened = async (connection: RedisConnection, name: string, before: Before = null, awake = new Awake(100)) => {
  const registry = await Registry.open(connection, 'members', { name, lease, awake }, before);
  await registry.exchange([], true);
  return registry;
};

test('a server that has the data of another one is not used any longer: it may have lost messages', async () => {
  const { server, connection } = served();
  const registry = await opened(connection, one);
  await registry.exchange([]);
  server.data = 'b';
  await expect(registry.exchange([])).rejects.toThrow('has other data than before');
  server.data = '';
  await expect(opened(connection, other)).rejects.toThrow('does not say whose data it has');
});

test('for a lease after the clock of the server was set forward, a member may have one and no registration', async () => {
  const { server, connection } = served();
  const registry = await opened(connection, one);
  await opened(connection, other);
  vi.advanceTimersByTime(200);
  await registry.exchange([]);
  expect([registry.members.size, registry.trusted]).toEqual([2, Number.NEGATIVE_INFINITY]);
  server.ahead += 5000;
  await registry.exchange([]);
  expect(registry.members.has(other)).toBe(false);
  expect(registry.trusted).toBe(performance.now() + lease);
});

test('so it is where the process was no member meanwhile', async () => {
  const { server, connection } = served();
  const { clock } = await opened(connection, one);
  vi.advanceTimersByTime(200);
  expect((await opened(connection, one, clock)).trusted).toBe(Number.NEGATIVE_INFINITY);
  server.ahead += 5000;
  expect((await opened(connection, one, clock)).trusted).toBe(performance.now() + lease);
});

test('a step that goes unnoticed ends no registration before its lease', async () => {
  const { server, connection } = served();
  const registry = await opened(connection, one);
  await opened(connection, other);
  server.ahead += 50;
  vi.advanceTimersByTime(lease - 1);
  await registry.exchange([]);
  expect([registry.members.has(other), registry.trusted]).toEqual([true, Number.NEGATIVE_INFINITY]);
});

test.each([
  { what: 'is slow', stoodStill: false, delay: lease },
  { what: 'has answered a process that stood still', stoodStill: true, delay: 0 },
])('a server that $what delays no write for longer than a lease', async ({ stoodStill, delay }) => {
  const { connection } = served();
  const awake = new Awake(100);
  const atOnce: RedisConnection['atOnce'] = async (commands) => {
    await new Promise((resolve) => setTimeout(resolve, 8000));
    return connection.atOnce(commands);
  };
  let isSlow = false;
  const slow: RedisConnection = {
    ...connection,
    atOnce: (commands) => (isSlow ? atOnce : connection.atOnce)(commands),
  };
  const registry = await opened(slow, one, null, awake);
  isSlow = true;
  awake.look();
  const answered = registry.exchange([]);
  for (let looks = 0; looks < 160; looks++) {
    await vi.advanceTimersByTimeAsync(50);
    if (!stoodStill) awake.look();
  }
  await answered;
  expect(registry.delay).toBe(delay);
});
