import { expect, test } from 'vitest';
import { Generations } from '../../../src/cache/generations.ts';

test('the epoch of the last change is that of the newest bump among the counters', () => {
  const generations = new Generations();
  expect([generations.changedAt(['a', 'b']), generations.changedAt([])]).toEqual([0, 0]);
  generations.bump(['a', 'c']);
  const first = generations.epoch;
  generations.bump(['b']);
  expect([generations.changedAt(['a']), generations.changedAt(['a', 'b'])]).toEqual([first, generations.epoch]);
});

test('a bump, a forget and the end of a suspension are changes; a new epoch alone is none', () => {
  const generations = new Generations();
  const steps = [
    () => generations.bump(['a']),
    () => generations.forget(),
    () => generations.suspend(['a'])(),
    () => generations.advance(),
  ];
  const changes = steps.map((step) => {
    const before = generations.changedAt(['a']);
    const key = generations.now(['a']);
    step();
    return [generations.changedAt(['a']) > before, generations.now(['a']) !== key];
  });
  expect(changes).toEqual([
    [true, true],
    [true, true],
    [true, true],
    [false, false],
  ]);
});

test('a counter was bumped when the last bump, forget or end of a suspension was', () => {
  const generations = new Generations();
  expect(generations.bumpedAt(['a'])).toBe(Number.NEGATIVE_INFINITY);
  generations.bump(['a', 'c']);
  const first = generations.bumpedAt(['a']);
  expect(first).toBeLessThanOrEqual(performance.now());
  expect(generations.bumpedAt(['b'])).toBe(Number.NEGATIVE_INFINITY);
  const resume = generations.suspend(['b']);
  expect(generations.bumpedAt(['b'])).toBe(Number.NEGATIVE_INFINITY);
  resume();
  expect(generations.bumpedAt(['a', 'b'])).toBe(generations.bumpedAt(['b']));
  expect(generations.bumpedAt(['a'])).toBe(first);
  generations.forget();
  expect(generations.bumpedAt(['d'])).toBeGreaterThanOrEqual(first);
});
