import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { OutsideWrites } from '../../../src/changes/outside-writes.ts';
import { OwnTransactions } from '../../../src/execute/connection/own-transactions.ts';
import type { CommitMarkerLog, CommitMarkerSource } from '../../../src/model/commit-marker.ts';
import type { FeedSource } from '../../../src/model/feed.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const feed: FeedSource = {
  ...{ database: 'db', client: 'postgres', log: undefined, maxCommitsPerSecond: null },
  connection: {
    ...{ host: 'h', port: 1, user: null, password: null },
    ...{ database: 'd', socketPath: null, tls: null },
  },
  server: {
    ...{ product: 'postgres', version: [15, 0], versionText: '', maxStatementBytes: null, logsStatements: false },
    ...{ foldCollation: null, startId: null },
  },
};

const refuse = () => Promise.reject(new Error('not asked'));

/** Commit markers are numbers, and the test sets how long each query takes. */
function asking(mayPause: boolean) {
  const inspect = vi.fn(async () => []);
  const onRest = vi.fn();
  let workMs = 0;
  const log: CommitMarkerLog = {
    namesCascades: true,
    inspect: () => [{ text: '', values: [] }],
    question: (_, ids) => ({ ids: ids ?? [], ddlMarks: [], workMs, after: null, until: null }),
    mayHaveOldNames: () => false,
  };
  const token: CommitMarkerSource = {
    ...{ name: 'test', unless: [], statements: [], maxEarlyMs: 0, coversAllStorageEngines: true, log: null },
    readMarker: () => null,
    ended: (_, after) => [after],
  };
  const names = { tablesOf: async () => [], close: () => undefined };
  const writes = new OutsideWrites(
    { ownTransactions: new OwnTransactions(), sampler: { inspect, sample: refuse } },
    token,
    names,
    () => [],
    onRest,
  );
  let last = 0;
  /** Queries `each` times per second for a number of seconds; returns the last answer. */
  const ask = async (each: number, seconds: number, milliseconds: number) => {
    workMs = milliseconds;
    let changed: unknown = null;
    for (let nth = 0; nth < each * seconds; nth++) {
      vi.advanceTimersByTime(1000 / each);
      changed = await writes.between(String(last), String(++last), { log, feed, mayPause });
    }
    return changed;
  };
  return { ask, inspect, rests: onRest };
}

test('queries that take more than a twentieth of a core are left out for a minute', async () => {
  const { ask, inspect, rests } = asking(true);
  expect(await ask(40, 20, 1)).toEqual([]);
  // A burst of one second is still handled.
  expect(await ask(40, 1, 2)).toEqual([]);
  expect(await ask(40, 10, 1)).toEqual([]);
  expect(rests).not.toHaveBeenCalled();
  expect(await ask(40, 11, 2)).toBe('anything');
  expect(rests).toHaveBeenCalledTimes(1);
  inspect.mockClear();
  expect(await ask(40, 45, 1)).toBe('anything');
  expect(inspect).not.toHaveBeenCalled();
  expect(await ask(40, 20, 1)).toEqual([]);
});

test('comparisons that waited for a processor do not count', async () => {
  const { ask, rests } = asking(true);
  for (let nth = 0; nth < 60; nth++) {
    await ask(20, 0.05, 1);
    await ask(20, 0.7, 50);
  }
  expect(rests).not.toHaveBeenCalled();
  await ask(40, 11, 2);
  expect(rests).toHaveBeenCalledTimes(1);
});

test('queries that were asked for do not rest', async () => {
  expect(await asking(false).ask(40, 30, 10)).toEqual([]);
});

test('queries that fail are left out for a second', async () => {
  const { ask, inspect } = asking(false);
  expect(await ask(40, 1, 1)).toEqual([]);
  inspect.mockRejectedValueOnce(new Error('no right'));
  inspect.mockClear();
  await ask(20, 1, 1);
  expect(inspect).toHaveBeenCalledTimes(1);
  expect(await ask(20, 1, 1)).toEqual([]);
});
