import { setImmediate as settle } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Generations } from '../../../src/cache/generations.ts';
import { keyOf } from '../../../src/cache/key.ts';
import { type LoadedBody, Results } from '../../../src/cache/results.ts';
import { Store } from '../../../src/cache/store.ts';
import type { May } from '../../../src/model/http.ts';
import { toJson } from '../../../src/values/json.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const ages = (ttl: number, staleIfError = 0) => ({ ttl, staleIfError, unproved: 0, isFailure: () => true });
const minute = ages(60_000);
/** The signal of a caller who does not disconnect. */
const here = new AbortController().signal;
const loaded = (body: string): LoadedBody => ({ body, lasts: Number.POSITIVE_INFINITY, mayStore: () => true });
const says = (body: string) => async () => loaded(body);
/** A load that ends when the test calls its `end`. */
function heldLoad() {
  const ends: (() => void)[] = [];
  const load = vi.fn((_gone: AbortSignal) => new Promise<LoadedBody>((done) => ends.push(() => done(loaded('x')))));
  return { load, end: (nth: number) => ends[nth]?.() };
}
const text = async (found: Promise<{ entry: { body: Uint8Array } }>) =>
  Buffer.from((await found).entry.body).toString();

test('a thousand calls at once cause one load, and each gets it', async () => {
  const results = new Results(new Store(1e6));
  const { load, end } = heldLoad();
  const calls = Array.from({ length: 1000 }, () => new AbortController());
  const finding = calls.map(({ signal }) => results.find('k', minute, signal, load));
  end(0);
  const found = await Promise.all(finding);
  expect(load).toHaveBeenCalledTimes(1);
  expect(new Set(found.map(({ entry }) => entry)).size).toBe(1);
  expect((await results.find('k', minute, here, load)).source).toBe('hit');
});

test('a call that leaves is dropped, and the load is ended when the last has left', async () => {
  const results = new Results(new Store(1e6));
  const { load, end } = heldLoad();
  const [one, other] = [new AbortController(), new AbortController()];
  const waiting = [one, other].map(({ signal }) => results.find('k', minute, signal, load));
  one.abort(new Error('one left'));
  await expect(waiting[0]).rejects.toThrow('one left');
  const isAborted = () => load.mock.calls[0]?.[0].aborted;
  expect(isAborted()).toBe(false);
  other.abort(new Error('the other left'));
  await expect(waiting[1]).rejects.toThrow('the other left');
  expect(isAborted()).toBe(true);
  // A call that comes now must not get the load that is being ended, and the end of that must not end its own load.
  const late = results.find('k', minute, here, load);
  end(0);
  await settle();
  const joining = results.find('k', minute, here, load);
  end(1);
  expect(await text(late)).toBe('x');
  expect(await text(joining)).toBe('x');
  expect(load).toHaveBeenCalledTimes(2);
});

test('a load that fails fails for all waiting calls, and is tried again', async () => {
  const results = new Results(new Store(1e6));
  const failing = async () => Promise.reject(new Error('down'));
  const waiters = [results.find('k', minute, here, failing), results.find('k', minute, here, failing)];
  expect((await Promise.allSettled(waiters)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await text(results.find('k', minute, here, says('up')))).toBe('up');
});

test('an entry that is too old is loaded again, whatever the wall clock says', async () => {
  const results = new Results(new Store(1e6));
  await results.find('k', minute, here, says('old'));
  vi.setSystemTime(new Date(Date.now() + 3_600_000));
  expect(await text(results.find('k', minute, here, says('new')))).toBe('old');
  vi.advanceTimersByTime(5);
  expect(await text(results.find('k', ages(1, 0), here, says('new')))).toBe('new');
});

test('an old answer stands in for a failing database only as long as it was allowed to', async () => {
  const results = new Results(new Store(1e6));
  const failing = async () => Promise.reject(new Error('down'));
  await results.find('k', minute, here, says('old'));
  vi.advanceTimersByTime(5);
  expect((await results.find('k', ages(1, 60_000), here, failing)).source).toBe('stale');
  await expect(results.find('k', ages(1, 1), here, failing)).rejects.toThrow('down');
  // The entry is recent, but a commit may be missing from it.
  const unproved = (staleIfError: number) => ({ ...ages(60_000, staleIfError), unproved: 5 });
  expect((await results.find('k', unproved(6), here, failing)).source).toBe('stale');
  for (const staleIfError of [0, 5])
    await expect(results.find('k', unproved(staleIfError), here, failing)).rejects.toThrow('down');
});

test('an age counts from the query, not from its answer', async () => {
  const results = new Results(new Store(1e6));
  const before = performance.now();
  const { entry } = await results.find('k', minute, here, async () => {
    vi.advanceTimersByTime(30);
    return loaded('x');
  });
  expect(entry.at).toBe(before);
});

test('an answer that is not cacheable, too large, or without a ttl is sent and not kept', async () => {
  const results = new Results(new Store(8000));
  const again = async (key: string, body: string, ttl: number, may: boolean) => {
    await results.find(key, ages(ttl), here, async () => ({
      ...{ body, lasts: Number.POSITIVE_INFINITY },
      mayStore: () => may,
    }));
    return (await results.find(key, minute, here, says('again'))).source;
  };
  expect(await again('estimate', 'x', 60_000, false)).toBe('miss');
  expect(await again('large', 'x'.repeat(2000), 60_000, true)).toBe('miss');
  expect(await again('short-lived', 'x', 0, true)).toBe('miss');
  expect(await again('small', 'x', 60_000, true)).toBe('hit');
});

test('under pressure the least recently used goes first', async () => {
  const memory = new Store(8000);
  const results = new Results(memory);
  for (const key of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l']) {
    await results.find(key, minute, here, says(key));
    memory.use('a');
  }
  expect(results.refOf('a')?.entry).toBeDefined();
  expect(results.refOf('b')).toBeNull();
  expect(results.refOf('l')?.entry).toBeDefined();
});

test('a gzip copy is made once, counted, and holds the same', async () => {
  const results = new Results(new Store(16_000));
  const body = 'abcdefghij'.repeat(50);
  const { entry } = await results.find('k', minute, here, says(body));
  expect(await entry.gzip()).toBe(await entry.gzip());
  expect(gunzipSync(await entry.gzip()).toString()).toBe(body);
  expect(results.refOf('k')?.entry).toBe(entry);
});

test('the same bytes have the same validator in another process, others have another', async () => {
  const etag = async (body: string) =>
    (await new Results(new Store(1e6)).find('k', minute, here, says(body))).entry.etag;
  expect(await etag('abc')).toBe('"ungWv48Bz-pBQUDeXa4iI7ADYaO"');
  expect(await etag('abd')).not.toBe(await etag('abc'));
});

test('a read that began before a write fills a key that is not used any more', () => {
  const generations = new Generations();
  const before = generations.now(['s t', 's all']);
  generations.bump(['s t']);
  expect(generations.now(['s t', 's all'])).not.toBe(before);
  const between = generations.now(['s u', 's all']);
  generations.bump(['s t']);
  expect(generations.now(['s u', 's all'])).toBe(between);
  generations.bump(['s all']);
  expect(generations.now(['s u', 's all'])).not.toBe(between);
});

test('a commit in doubt keeps its tables out of the cache, until its outcome is known', () => {
  const generations = new Generations();
  const [first, second] = [generations.suspend(['t']), generations.suspend(['t', 'u'])];
  const before = generations.now(['t']);
  first();
  expect(generations.isSuspended(['t', 'x'])).toBe(true);
  second();
  expect(generations.isSuspended(['t', 'u'])).toBe(false);
  expect(generations.now(['t'])).not.toBe(before);
});

test('the order of parameters makes no other question, everything else does', () => {
  const asked = { version: 1, resource: 'r', action: 'a', language: null, may: null, params: { x: 1, y: [2] } };
  const key = (change: Partial<typeof asked> | { language: string } | { may: May }) =>
    keyOf({ ...asked, ...change }, toJson);
  expect(key({ params: { y: [2], x: 1 } })).toBe(key({}));
  const others = [
    key({ version: 2 }),
    key({ resource: 's' }),
    key({ action: 'b' }),
    key({ language: 'fr' }),
    key({ may: { read: true, aggregate: true, write: false, deleteAll: false } }),
    key({ may: { read: true, aggregate: true, write: true, deleteAll: false } }),
    key({ params: { x: 1, y: [3] } }),
  ];
  expect(new Set([key({}), ...others]).size).toBe(8);
});

test('a reference holds a stored entry, and no evicted one', async () => {
  const results = new Results(new Store(8000));
  const { entry } = await results.find('k', minute, here, says('x'));
  const ref = results.refOf('k');
  expect(ref?.entry).toBe(entry);
  const { entry: anew } = await results.renew('k', 60_000, here, says('y'));
  expect(ref?.entry).toBeNull();
  const next = results.refOf('k');
  expect(next?.entry).toBe(anew);
  for (let nth = 0; nth < 20; nth++) await results.find(`other ${nth}`, minute, here, says('z'));
  expect(next?.entry).toBeNull();
  expect(results.refOf('k')).toBeNull();
});
