import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { ThreadSleep } from '../../../src/changes/log/naps.ts';

afterEach(() => vi.restoreAllMocks());

test('the thread sleeps in each turn while a log is open and no question waits', async () => {
  const wait = vi.spyOn(Atomics, 'wait').mockReturnValue('timed-out');
  /** In how many of ten turns it slept. */
  const slept = async () => {
    wait.mockClear();
    for (let nth = 0; nth < 10; nth++) await turn();
    return wait.mock.calls.length;
  };
  const bell = new Int32Array(new SharedArrayBuffer(4));
  const naps = new ThreadSleep(bell);
  expect(await slept()).toBe(0);
  naps.opened('db');
  expect(await slept()).toBeGreaterThan(5);
  let answer = () => {};
  const waiting = naps.awake(new Promise<void>((resolve) => (answer = resolve)));
  expect(await slept()).toBe(0);
  answer();
  await waiting;
  expect(await slept()).toBeGreaterThan(5);
  naps.closed('db');
  await turn();
  expect(await slept()).toBe(0);
});

test('a question that comes before the nap is not slept through', async () => {
  const wait = vi.spyOn(Atomics, 'wait');
  const bell = new Int32Array(new SharedArrayBuffer(4));
  const naps = new ThreadSleep(bell);
  naps.opened('db');
  Atomics.add(bell, 0, 1);
  await turn();
  naps.closed('db');
  expect(wait.mock.results[0]?.value).toBe('not-equal');
});
