import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Changes, Freshness } from '../../../src/cache/freshness.ts';
import { Generations } from '../../../src/cache/generations.ts';
import type { MarkerSample } from '../../../src/model/commit-marker.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'Date', 'setTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A fake database that takes 10 ms to return its commit marker. */
function opened(maxStaleness: number, visibilityDelayMs = 0, marksOpenTransactions = false) {
  const database: {
    takes: number;
    isOpen: boolean;
    marker: string;
    session: number;
    fails: boolean;
    asked: number;
    between: Changes;
    reads: number;
  } = {
    ...{ takes: 10, isOpen: false, marker: 'a', session: 1, fails: false, asked: 0, between: 'anything', reads: 0 },
  };
  const generations = new Generations();
  const freshness = new Freshness('db outside', generations, {
    ...{ maxStaleness, visibilityDelayMs, marksOpenTransactions },
    async sampleMarker(): Promise<MarkerSample> {
      database.asked++;
      const { marker, session } = database;
      await new Promise((done) => setTimeout(done, database.takes));
      if (database.fails) throw new Error('down');
      return { marker, session, isOpen: database.isOpen };
    },
    changesBetween: () => database.between,
    needsCatalog: () => database.reads++,
    report: () => undefined,
  });
  const count = () => generations.currentCounts([freshness.counter]);
  const prove = async () => {
    const proved = freshness.prove(performance.now());
    await vi.advanceTimersByTimeAsync(30);
    return proved;
  };
  return { database, freshness, generations, count, prove };
}

test('a proof holds for maxStaleness from the moment at which it was asked for', async () => {
  const { freshness, prove } = opened(50);
  expect(freshness.isFresh(performance.now())).toBe(false);
  expect(freshness.expiredForMs(performance.now())).toBe(Number.POSITIVE_INFINITY);
  const asked = performance.now();
  expect(await prove()).toBe(true);
  expect(freshness.isFresh(asked + 50)).toBe(true);
  expect(freshness.isFresh(asked + 51)).toBe(false);
  expect([50, 51, 150].map((later) => freshness.expiredForMs(asked + later))).toEqual([0, 1, 100]);
});

test('all requests that wait share one question; one that was sent too early is no answer to a later request', async () => {
  const { database, freshness } = opened(0);
  const first = [1, 2, 3].map(() => freshness.prove(performance.now()));
  await vi.advanceTimersByTimeAsync(5);
  const later = [1, 2, 3].map(() => freshness.prove(performance.now()));
  expect(database.asked).toBe(1);
  await vi.advanceTimersByTimeAsync(30);
  expect(await Promise.all([...first, ...later])).toEqual([true, true, true, true, true, true]);
  expect(database.asked).toBe(2);
});

test('without requests no question is sent', async () => {
  const { database, prove } = opened(50);
  await prove();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(database.asked).toBe(1);
});

test.each([
  ['in the last quarter of its time', 1, 38],
  ['earlier before a server that takes 10 ms', 10, 31],
  ['from half of its time on before a slow server', 20, 26],
])('a proof is renewed beside the requests %s', async (_, takes, from) => {
  const { database, freshness, prove } = opened(50);
  database.takes = takes;
  const proved = performance.now();
  await prove();
  expect(freshness.isFresh(proved + from - 2)).toBe(true);
  expect(database.asked).toBe(1);
  expect(freshness.isFresh(proved + from)).toBe(true);
  expect(database.asked).toBe(2);
});

test('a new token invalidates, an equal one does not, an equal one of another session does', async () => {
  const { database, count, prove } = opened(0);
  await prove();
  const before = count();
  await prove();
  expect(count()).toBe(before);
  database.marker = 'b';
  await prove();
  const after = count();
  expect(after).not.toBe(before);
  database.session = 2;
  await prove();
  expect(count()).not.toBe(after);
});

test('an early token invalidates again with every proof, until what moved it is visible', async () => {
  const { database, count, prove } = opened(0, 200);
  await prove();
  await vi.advanceTimersByTimeAsync(300);
  await prove();
  const settled = count();
  await prove();
  expect(count()).toBe(settled);
  database.marker = 'b';
  const seen = new Set<string>();
  for (let time = 0; time < 300; time += 30) {
    await prove();
    seen.add(count());
  }
  // The last of these samples was taken after the 200 ms had passed.
  expect(seen.size).toBe(8);
});

test('a failed question proves nothing, and is not repeated for a moment', async () => {
  const { database, prove } = opened(50);
  database.fails = true;
  expect(await prove()).toBe(false);
  expect(await prove()).toBe(false);
  expect(database.asked).toBe(1);
  database.fails = false;
  await vi.advanceTimersByTimeAsync(100);
  expect(await prove()).toBe(true);
});

test('a proof from before the machine was suspended is none: only the wall clock went on', async () => {
  const { freshness, prove } = opened(60_000);
  await prove();
  expect(freshness.isFresh(performance.now())).toBe(true);
  vi.setSystemTime(Date.now() + 5000);
  expect(freshness.isFresh(performance.now())).toBe(false);
});

test('nor is one from before the wall clock was set back: that may hide such a time', async () => {
  const { freshness, prove } = opened(60_000);
  await prove();
  vi.setSystemTime(Date.now() - 5000);
  expect(freshness.isFresh(performance.now())).toBe(false);
  expect(freshness.expiredForMs(performance.now())).toBeGreaterThan(0);
  expect(await prove()).toBe(true);
});

test('a transaction of the gateway alone invalidates nothing more, and proves nothing before its effects are invalidated', async () => {
  const { database, freshness, count, prove } = opened(0);
  await prove();
  freshness.onCatalogRead(performance.now());
  const before = count();
  Object.assign(database, { marker: 'b', between: 'pending' });
  expect(await prove()).toBe(false);
  database.between = [];
  expect(await prove()).toBe(true);
  expect([count(), database.reads]).toEqual([before, 0]);
});

test('its effects are not certain while others may have changed the catalogue', async () => {
  const { database, freshness, count, prove } = opened(0);
  await prove();
  freshness.onCatalogRead(performance.now());
  Object.assign(database, { marker: 'b', between: 'anything' });
  await prove();
  const before = count();
  Object.assign(database, { marker: 'c', between: [] });
  await prove();
  expect([count() === before, database.reads]).toEqual([false, 1]);
  freshness.onCatalogRead(performance.now());
  const read = count();
  database.marker = 'd';
  await prove();
  expect(count()).toBe(read);
});

test('requests wait half a second for a server that hangs, and later ones not at all', async () => {
  const { database, freshness } = opened(0);
  database.takes = 60_000;
  let answered = 0;
  const ask = () => void freshness.prove(performance.now()).then((isProved) => (answered += isProved ? 100 : 1));
  ask();
  ask();
  await vi.advanceTimersByTimeAsync(499);
  expect(answered).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(answered).toBe(2);
  ask();
  await vi.advanceTimersByTimeAsync(0);
  expect([answered, database.asked]).toEqual([3, 1]);
});

test('while transactions are open that may commit unseen, and for a while after, each proof invalidates', async () => {
  const { database, count, prove } = opened(0, 200);
  await prove();
  await vi.advanceTimersByTimeAsync(300);
  await prove();
  database.isOpen = true;
  const seen = new Set<string>();
  for (let time = 0; time < 600; time += 30) {
    await prove();
    seen.add(count());
  }
  expect(seen.size).toBe(20);
  database.isOpen = false;
  await vi.advanceTimersByTimeAsync(300);
  await prove();
  const settled = count();
  await prove();
  expect(count()).toBe(settled);
});

test('a database that goes on failing is asked less and less often', async () => {
  const { database, prove } = opened(0);
  database.fails = true;
  for (let time = 0; time < 10_000; time += 30) await prove();
  expect(database.asked).toBeLessThan(12);
  database.fails = false;
  await vi.advanceTimersByTimeAsync(2000);
  expect(await prove()).toBe(true);
});
