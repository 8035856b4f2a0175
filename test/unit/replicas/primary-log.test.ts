import { expect, onTestFinished, test, vi } from 'vitest';
import type { Position } from '../../../src/model/replication.ts';
import { PrimaryLog } from '../../../src/replicas/primary-log.ts';

const at = (end: string | number): Position => ({ cluster: '', log: [String(end)] });

/** A log whose answers the test sends by hand. */
function held() {
  const answers: ((position: Position) => void)[] = [];
  const log = new PrimaryLog(() => new Promise((resolve) => answers.push(resolve)));
  return { log, answers };
}
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

test('a question that was sent before the moment does not answer; the next one answers all requests that wait', async () => {
  const { log, answers } = held();
  const early = log.since(performance.now());
  const late = [log.since(performance.now() + 0.001), log.since(performance.now() + 0.001)];
  await settle();
  expect(answers).toHaveLength(1);
  answers[0]?.(at('old'));
  expect(await early).toEqual(at('old'));
  await settle();
  expect(answers).toHaveLength(2);
  answers[1]?.(at('new'));
  expect(await Promise.all(late)).toEqual([at('new'), at('new')]);
});

test('a position that was asked for since the moment is not asked for again', async () => {
  const { log, answers } = held();
  const moment = performance.now() - 1;
  const first = log.since(moment);
  answers[0]?.(at('1'));
  await first;
  expect(await log.since(moment)).toEqual(at(1));
  expect(answers).toHaveLength(1);
});

test.each([5000, -5000])('a position is asked for again after the wall clock went %i ms by itself', async (step) => {
  vi.useFakeTimers({ toFake: ['performance', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  let position = 0;
  const log = new PrimaryLog(() => Promise.resolve(at(++position)));
  const moment = performance.now();
  expect([await log.since(moment), await log.since(moment)]).toEqual([at(1), at(1)]);
  vi.setSystemTime(Date.now() + step);
  expect(await log.since(moment)).toEqual(at(2));
});

test('a failed question is no answer, and the next one is asked', async () => {
  let times = 0;
  const log = new PrimaryLog(() => (times++ === 0 ? Promise.reject(new Error('away')) : Promise.resolve(at(2))));
  await expect(log.since(performance.now())).rejects.toThrow('away');
  expect(await log.since(performance.now())).toEqual(at(2));
});

test('a position is asked for before the last one is too old, and a read gets the oldest that will do', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { log, answers } = held();
  const moment = performance.now();
  const first = log.since(moment);
  answers[0]?.(at(1));
  await first;
  vi.advanceTimersByTime(25);
  expect(await log.since(moment)).toEqual(at(1));
  expect(answers).toHaveLength(2);
  answers[1]?.(at(2));
  await settle();
  expect([await log.since(moment), log.newest]).toEqual([at(1), at(2)]);
});
