import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Positions } from '../../../src/cache/positions.ts';
import { Store } from '../../../src/cache/store.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const ttl = 60_000;

function opened(maxBytes = 100_000_000) {
  const store = new Store(maxBytes);
  const positions = new Positions(store);
  const set = (offset: number, order = 'by id', value = `${offset}`) =>
    positions.set(order, { offset, cursor: [value] }, ttl, performance.now());
  const nearest = (offset: number, order = 'by id') => positions.nearest(order, offset, ttl)?.offset ?? null;
  const drop = (order: string) => positions.drop(order, ttl);
  return { store, set, nearest, drop };
}

test('the nearest position is the last one at or before the offset, of the same order', () => {
  const { set, nearest } = opened();
  for (const offset of [50_000, 10_000, 30_000]) set(offset);
  set(20_000, 'by name');
  expect([9999, 10_000, 29_999, 30_000, 49_999, 1e9].map((offset) => nearest(offset))).toEqual([
    ...[null, 10_000, 10_000, 30_000, 30_000, 50_000],
  ]);
  expect([nearest(1e9, 'by name'), nearest(1e9, 'by size')]).toEqual([20_000, null]);
});

test('those of an order are dropped together, and their memory is free', () => {
  const { store, set, nearest, drop } = opened();
  set(20_000, 'by name');
  set(10_000);
  const { bytes } = store.level;
  for (const offset of [20_000, 30_000]) set(offset);
  for (const order of ['by id', 'by size']) drop(order);
  expect([nearest(1e9), nearest(1e9, 'by name')]).toEqual([null, 20_000]);
  expect(store.level.bytes).toBeLessThan(bytes);
  set(10_000);
  expect(nearest(1e9)).toBe(10_000);
});

test('one that is near another is not stored', () => {
  const { set, nearest } = opened();
  for (const offset of [10_000, 10_999, 9001, 10_000, 11_000]) set(offset);
  expect([9999, 10_999, 12_000].map((offset) => nearest(offset))).toEqual([null, 10_000, 11_000]);
});

test('there are at most a thousand of an order, however many pages are read', () => {
  const { store, set, nearest } = opened();
  for (let offset = 0; offset <= 100_000_000; offset += 10_000) set(offset);
  expect(store.level.bytes).toBeLessThan(1000 * 400);
  const found = Array.from({ length: 100 }, (_, nth) => nth * 1_000_000).map((offset) => nearest(offset));
  const gaps = found.map((offset, nth) => (offset === null ? 0 : nth * 1_000_000 - offset));
  expect(found.filter((offset) => offset !== null).length).toBeGreaterThan(90);
  expect(Math.max(...gaps)).toBeLessThan(1_000_000);
});

test('long keys count with their length, and what is too large for the store is not in it', () => {
  const { store, set, nearest } = opened(1_000_000);
  set(10_000, 'by id', 'x'.repeat(10_000));
  expect(store.level.bytes).toBeGreaterThan(20_000);
  set(20_000, 'by id', 'x'.repeat(100_000));
  expect(nearest(1e9)).toBe(null);
  expect(store.level.bytes).toBeLessThan(1_000_000);
});

test('they end with the ttl of the first one', () => {
  const { set, nearest } = opened();
  set(10_000);
  vi.advanceTimersByTime(ttl / 2);
  set(20_000);
  expect(nearest(1e9)).toBe(20_000);
  vi.advanceTimersByTime(ttl / 2);
  expect(nearest(1e9)).toBe(null);
  set(30_000);
  expect([nearest(29_999), nearest(1e9)]).toEqual([null, 30_000]);
});
