import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { OwnTransactions } from '../../../src/execute/connection/own-transactions.ts';
import { OutsideWrites } from '../../../src/gateway/outside-writes.ts';
import type { TokenLog, TokenSource } from '../../../src/model/token.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const refuse = () => Promise.reject(new Error('not asked'));

test('the time between two looks counts from sending the first to the answer of the second', async () => {
  const passed: (number | undefined)[] = [];
  const log: TokenLog = {
    ...{ namesCascades: true, late: 250, mayBeEarlier: () => false },
    inspect: () => [{ text: '', values: [] }],
    question(_, ids, __, memory) {
      passed.push(memory?.milliseconds);
      return { ids: ids ?? [], tables: [], definitions: [], memory: '' };
    },
  };
  const token: TokenSource = {
    ...{ name: 'test', unless: [], statements: [], early: 0, ofAllTables: true, log: null, queried: { times: log } },
    ...{ token: () => null, ended: () => null },
  };
  // A server that is two seconds late may have set its clock back by as much meanwhile.
  const inspect = async () => {
    vi.advanceTimersByTime(2000);
    return [];
  };
  const writes = new OutsideWrites(
    { own: new OwnTransactions(), sampler: { inspect, sample: refuse }, use: refuse },
    token,
    { tablesOf: refuse, close: () => undefined },
    () => ({ served: [], shown: [], related: [] }),
    () => undefined,
  );
  const source = { log, feed: null, mayRest: false };
  await writes.between('1', '2', source);
  vi.advanceTimersByTime(1000);
  await writes.between('2', '3', source);
  expect(passed).toEqual([undefined, 2000 + 1000 + 2000]);
});
