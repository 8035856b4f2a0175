import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Causes } from '../../../src/cache/buses/redis/causes.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Reports of causes that come four times a second for a minute. */
function reported(causeOf: (nth: number) => Error): number {
  const causes = new Causes();
  let count = 0;
  for (let nth = 0; nth < 240; nth++) {
    if (causes.isNew(causeOf(nth))) count++;
    vi.advanceTimersByTime(250);
  }
  return count;
}

test('a cause is reported once, and another one at once', () => {
  expect(reported(() => new Error('closed'))).toBe(1);
  expect(reported((nth) => new Error(nth === 0 ? 'closed' : 'wrong password'))).toBe(2);
});

test('causes that change for ever are reported every 10 seconds', () => {
  expect(reported((nth) => new Error(nth % 2 === 0 ? 'closed' : 'refused'))).toBeLessThan(10);
  expect(reported((nth) => new Error(`${nth}`))).toBe(8);
});

test('the same cause is reported again after the process was a member', () => {
  const causes = new Causes();
  expect(causes.isNew(new Error('closed'))).toBe(true);
  causes.clear();
  expect(causes.isNew(new Error('closed'))).toBe(true);
});
