import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LogReader } from '../../../src/changes/log/log-reader.ts';
import type { LogListener } from '../../../src/model/feed.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const question = { ids: [], after: 0, until: 0, ddlMarks: [] };

/** A reader of a fake log, which the test controls. */
function reading(maxCommitsPerSecond: number | null) {
  const [opened, closed, tooBusy] = [vi.fn(), vi.fn(), vi.fn()];
  let listener: LogListener | null = null;
  let end = 0;
  const reader = new LogReader({
    open: async (heard) => {
      listener = heard;
      return { start: { start: 0, covers: () => true }, ask() {}, close: closed };
    },
    opened,
    lost: vi.fn(),
    tooBusy,
    maxCommitsPerSecond,
  });
  /** Sends `each` commits per second for a number of seconds. */
  const commit = (each: number, seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      for (let nth = 0; nth < each; nth++) listener?.committed({ id: null, tables: [], end: ++end });
      vi.advanceTimersByTime(1000);
      listener?.reached(end);
    }
  };
  return { reader, commit, opened, closed, tooBusy };
}

test('a log of too many commits is left alone for a minute', async () => {
  const { reader, commit, opened, closed, tooBusy } = reading(1000);
  expect(await reader.tablesOf(question)).toBe('closed');
  await vi.waitFor(() => expect(opened).toHaveBeenCalledTimes(1));
  expect(await reader.tablesOf(question)).toEqual([]);
  // A burst of two seconds is read.
  commit(2000, 2);
  commit(100, 8);
  expect(closed).not.toHaveBeenCalled();
  commit(1200, 5);
  expect(tooBusy.mock.calls).toEqual([[1200]]);
  expect(closed).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(59_000);
  expect(await reader.tablesOf(question)).toBe('closed');
  expect(opened).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1000);
  expect(await reader.tablesOf(question)).toBe('closed');
  await vi.waitFor(() => expect(opened).toHaveBeenCalledTimes(2));
  expect(await reader.tablesOf(question)).toEqual([]);
});

test('a log that is required is read however many commits it has', async () => {
  const { reader, commit, opened, closed } = reading(null);
  await reader.tablesOf(question);
  await vi.waitFor(() => expect(opened).toHaveBeenCalled());
  commit(5000, 10);
  expect(closed).not.toHaveBeenCalled();
});
