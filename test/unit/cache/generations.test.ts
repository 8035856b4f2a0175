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

test('more counters than there are tables are forgotten, and every entry with them', () => {
  const generations = new Generations();
  generations.bump(['a']);
  const before = generations.now(['a', 'b']);
  for (let nth = 0; nth < 21; nth++) generations.bump(Array.from({ length: 10_000 }, (_, of) => `${nth} ${of}`));
  generations.bump(['c']);
  expect(generations.now(['a', 'b'])).not.toBe(before);
  expect(generations.changedAt(['a'])).toBe(generations.changedAt(['b']));
});
