import { expect, test } from 'vitest';
import { Generations } from '../../../src/cache/generations.ts';

test('the epoch of the last change is that of the newest bump among the counters', () => {
  const generations = new Generations();
  expect([generations.lastBumpEpoch(['a', 'b']), generations.lastBumpEpoch([])]).toEqual([0, 0]);
  generations.bump(['a', 'c']);
  const first = generations.epoch;
  generations.bump(['b']);
  expect([generations.lastBumpEpoch(['a']), generations.lastBumpEpoch(['a', 'b'])]).toEqual([first, generations.epoch]);
});

test('a bump, a forget and the end of a suspension are changes; a new epoch alone is none', () => {
  const generations = new Generations();
  const steps = [
    () => generations.bump(['a']),
    () => generations.invalidateAll(),
    () => generations.suspend(['a'])(),
    () => generations.advance(),
  ];
  const changes = steps.map((step) => {
    const before = generations.lastBumpEpoch(['a']);
    const key = generations.currentCounts(['a']);
    step();
    return [generations.lastBumpEpoch(['a']) > before, generations.currentCounts(['a']) !== key];
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
  expect(generations.lastBumpTime(['a'])).toBe(Number.NEGATIVE_INFINITY);
  generations.bump(['a', 'c']);
  const first = generations.lastBumpTime(['a']);
  expect(first).toBeLessThanOrEqual(performance.now());
  expect(generations.lastBumpTime(['b'])).toBe(Number.NEGATIVE_INFINITY);
  const resume = generations.suspend(['b']);
  expect(generations.lastBumpTime(['b'])).toBe(Number.NEGATIVE_INFINITY);
  resume();
  expect(generations.lastBumpTime(['a', 'b'])).toBe(generations.lastBumpTime(['b']));
  expect(generations.lastBumpTime(['a'])).toBe(first);
  generations.invalidateAll();
  expect(generations.lastBumpTime(['d'])).toBeGreaterThanOrEqual(first);
});

test('more counters than there are tables are forgotten, and every entry with them', () => {
  const generations = new Generations();
  generations.bump(['a']);
  const before = generations.currentCounts(['a', 'b']);
  for (let nth = 0; nth < 21; nth++) generations.bump(Array.from({ length: 10_000 }, (_, of) => `${nth} ${of}`));
  generations.bump(['c']);
  expect(generations.currentCounts(['a', 'b'])).not.toBe(before);
  expect(generations.lastBumpEpoch(['a'])).toBe(generations.lastBumpEpoch(['b']));
});

test('a bump of another counter since hides when a counter was bumped', () => {
  const generations = new Generations();
  expect(generations.lastOwnBumpTime('a', ['all'])).toBeNull();
  generations.bump(['a', 'b']);
  const at = generations.lastBumpTime(['a']);
  generations.bump(['b']);
  expect(generations.lastOwnBumpTime('a', ['a', 'all'])).toBe(at);
  const until = performance.now() + 1;
  while (performance.now() < until);
  generations.bump(['all']);
  expect(generations.lastOwnBumpTime('a', ['a', 'all'])).toBeNull();
});
