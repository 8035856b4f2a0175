/** The messages between the processes of one gateway. The test holds them back, delays and drops them. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cluster } from '../../../src/cache/buses/cluster.ts';
import { type FromHub, Hub, type Member, type ToHub } from '../../../src/cache/buses/hub.ts';
import { CoherentGenerations } from '../../../src/cache/coherent-generations.ts';
import { Generations } from '../../../src/cache/generations.ts';

/** The origin of the writes in these tests. */
const origin = { server: 'db', transactions: [] };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A worker whose messages to the hub can be held back. */
class Worker implements Member {
  readonly generations = new Generations();
  readonly shared: CoherentGenerations;
  readonly received: FromHub[] = [];
  killed = false;
  held = false;
  readonly #hub: Hub<Worker>;
  #hear: (message: FromHub) => void = () => undefined;

  constructor(hub: Hub<Worker>, views: readonly string[] = []) {
    this.#hub = hub;
    this.shared = new CoherentGenerations(
      this.generations,
      () => views,
      () => undefined,
    );
  }

  join(): Promise<void> {
    const send = (message: ToHub) => {
      if (message.bus === 'join') this.#hub.join(this);
      else queueMicrotask(() => this.#hub.onMessage(this, message));
    };
    const listen = (hear: (message: FromHub) => void) => {
      this.#hear = hear;
    };
    return this.shared.join(cluster({ send, listen }));
  }

  send(message: FromHub): void {
    this.received.push(message);
    if (!this.held && !this.killed) queueMicrotask(() => this.#hear(message));
  }

  kill(): void {
    this.killed = true;
    setTimeout(() => this.#hub.leave(this), 5);
  }
}

const patience = { answerTimeoutMs: 1000, statementsEndMs: 10_000 };
async function crew(count: number) {
  const hub = new Hub<Worker>(() => patience);
  const workers = Array.from({ length: count }, () => new Worker(hub));
  await Promise.all(workers.map((worker) => worker.join()));
  const [writer, ...others] = workers;
  if (writer === undefined) throw new Error('no worker');
  return { hub, writer, others };
}
const settledWithin = async (promise: Promise<unknown>, milliseconds: number) => {
  let settled = false;
  promise.then(() => {
    settled = true;
  });
  await vi.advanceTimersByTimeAsync(milliseconds);
  return settled;
};
const now = (worker: Worker) => worker.generations.currentCounts(['t']);

test('a write has invalidated the caches of all processes when it is answered', async () => {
  const { writer, others } = await crew(3);
  const before = [writer, ...others].map(now);
  await writer.shared.invalidate('r', ['t'], origin);
  const after = [writer, ...others].map(now);
  for (const [i, count] of after.entries()) expect(count).not.toBe(before[i]);
});

test('a write is not answered while one has not heard of it; after a second that one is ended, and then it is', async () => {
  const { writer, others } = await crew(3);
  const [silent] = others;
  if (silent === undefined) throw new Error('no worker');
  silent.held = true;
  const written = writer.shared.invalidate('r', ['t'], origin);
  expect(await settledWithin(written, 990)).toBe(false);
  expect(silent.killed).toBe(false);
  expect(await settledWithin(written, 12)).toBe(false);
  expect(silent.killed).toBe(true);
  // The writer waits until the process is really gone.
  expect(await settledWithin(written, 10)).toBe(true);
});

test('one process knows when all others have heard what it has heard, or have ended', async () => {
  const { writer, others } = await crew(3);
  const [quick, slow] = others;
  if (quick === undefined || slow === undefined) throw new Error('no workers');
  const synced = () => quick.shared.synced?.() ?? new Promise(() => undefined);
  expect(await settledWithin(synced(), 1)).toBe(true);
  slow.held = true;
  const before = now(quick);
  void writer.shared.invalidate('r', ['t'], origin);
  await vi.advanceTimersByTimeAsync(1);
  expect(now(quick)).not.toBe(before);
  const isSynced = synced();
  expect(await settledWithin(isSynced, 990)).toBe(false);
  expect(await settledWithin(isSynced, 20)).toBe(true);
  expect(slow.killed).toBe(true);
});

test('writes that come during a round of messages share the next round, each before its answer', async () => {
  const { writer, others } = await crew(2);
  const write = async (_: unknown, i: number) => {
    const counters = [`t${i}`];
    const before = others.map(({ generations }) => generations.currentCounts(counters));
    await writer.shared.invalidate('r', counters, origin);
    expect(others.map(({ generations }) => generations.currentCounts(counters))).not.toEqual(before);
  };
  const first = write(null, 100);
  await Promise.resolve();
  await Promise.all([first, ...Array.from({ length: 100 }, write)]);
  expect(others[0]?.received.filter(({ bus }) => bus === 'messages')).toHaveLength(2);
});

test('each worker gets the messages of each other worker in their order, and none of its own', async () => {
  const { writer, others } = await crew(3);
  const [other, reader] = others;
  if (other === undefined || reader === undefined) throw new Error('no workers');
  const names = Array.from({ length: 50 }, (_, nth) => String(nth));
  await Promise.all(
    names.flatMap((name) =>
      [writer, other].map((worker, nth) => worker.shared.invalidate(`${nth} ${name}`, ['t'], origin)),
    ),
  );
  const resourcesOf = ({ received }: Worker, nth: number) =>
    received.flatMap((message) =>
      message.bus === 'messages'
        ? message.messages.flatMap((one) =>
            one.type === 'written' && one.resource.startsWith(`${nth} `) ? one.resource : [],
          )
        : [],
    );
  for (const nth of [0, 1]) expect(resourcesOf(reader, nth)).toEqual(names.map((name) => `${nth} ${name}`));
  expect(resourcesOf(writer, 0)).toEqual([]);
});

test('a write does not wait for workers that have left', async () => {
  const { hub, writer, others } = await crew(3);
  for (const other of others) {
    other.killed = true;
    hub.leave(other);
  }
  expect(await settledWithin(writer.shared.invalidate('r', ['t'], origin), 1)).toBe(true);
});

test('a worker that joins while a commit is in doubt suspends its cache, as all do until the outcome is known', async () => {
  const { hub, writer, others } = await crew(2);
  let settle = (): void => undefined;
  await writer.shared.suspend(
    'r',
    ['t'],
    new Promise((resolve) => {
      settle = resolve;
    }),
  );
  const newcomer = new Worker(hub);
  await newcomer.join();
  const all = [writer, ...others, newcomer];
  expect(all.map(({ generations }) => generations.isSuspended(['t']))).toEqual([true, true, true]);
  settle();
  await vi.advanceTimersByTimeAsync(1);
  expect(all.map(({ generations }) => generations.isSuspended(['t']))).toEqual([false, false, false]);
  const later = new Worker(hub);
  await later.join();
  expect(later.generations.isSuspended(['t'])).toBe(false);
});

test('when a worker dies, the others empty their caches, and again when its statements are over; then its doubts end', async () => {
  const { hub, writer, others } = await crew(2);
  const [other] = others;
  if (other === undefined) throw new Error('no worker');
  await writer.shared.suspend('r', ['t'], new Promise(() => undefined));
  const before = now(other);
  writer.killed = true;
  hub.leave(writer);
  await vi.advanceTimersByTimeAsync(1);
  const after = now(other);
  expect(after).not.toBe(before);
  expect(other.generations.isSuspended(['t'])).toBe(true);
  await vi.advanceTimersByTimeAsync(patience.statementsEndMs);
  expect(other.generations.isSuspended(['t'])).toBe(false);
  expect(now(other)).not.toBe(after);
});

test('a worker whose catalogue has more dependencies invalidates them, too', async () => {
  const hub = new Hub<Worker>(() => patience);
  const [writer, other] = [new Worker(hub), new Worker(hub, ['new view of t'])];
  await Promise.all([writer.join(), other.join()]);
  const before = other.generations.currentCounts(['new view of t']);
  await writer.shared.invalidate('r', ['t'], origin);
  expect(other.generations.currentCounts(['new view of t'])).not.toBe(before);
});

test('a hub that was paused does not end workers whose answers it has not read yet', async () => {
  const { writer, others } = await crew(2);
  const [other] = others;
  if (other === undefined) throw new Error('no worker');
  other.held = true;
  const written = writer.shared.invalidate('r', ['t'], origin);
  await vi.advanceTimersByTimeAsync(0);
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
  await vi.advanceTimersByTimeAsync(1001);
  expect(other.killed).toBe(false);
  vi.restoreAllMocks();
  expect(await settledWithin(written, 2000)).toBe(true);
  expect(other.killed).toBe(true);
});
