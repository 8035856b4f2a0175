import { expect, test } from 'vitest';
import { Backoff } from '../../../src/values/backoff.ts';

const pauses = (backoff: Backoff, count: number) => Array.from({ length: count }, () => backoff.next());

test('each pause is twice as long as the one before, up to the longest', () => {
  expect(pauses(new Backoff(100, 1000), 6)).toEqual([100, 200, 400, 800, 1000, 1000]);
  expect(pauses(new Backoff(100, 30_000), 2000).at(-1)).toBe(30_000);
});

test('after a success the pauses begin again', () => {
  const backoff = new Backoff(1, 60);
  pauses(backoff, 5);
  backoff.reset();
  expect(pauses(backoff, 2)).toEqual([1, 2]);
});
