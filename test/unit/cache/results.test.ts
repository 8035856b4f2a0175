import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { Freshness } from '../../../src/cache/freshness.ts';
import { Generations } from '../../../src/cache/generations.ts';
import { CacheHandle, keyOf } from '../../../src/cache/handle.ts';
import { type LoadedBody, Results } from '../../../src/cache/results.ts';
import { Store } from '../../../src/cache/store.ts';
import { Refusal } from '../../../src/model/errors.ts';
import type { CallerView, Lookup } from '../../../src/model/http.ts';
import { toJson } from '../../../src/values/json.ts';

type Make = (signal: AbortSignal) => Promise<LoadedBody>;

interface Request {
  readonly ttl?: number;
  readonly staleIfError?: number;
  readonly freshness?: Freshness;
  readonly fresh?: boolean;
  /** Without it, the caller stays. */
  readonly signal?: AbortSignal;
}

const generations = new Generations();
const handleOf = (key: string, { ttl = 60_000, freshness }: Request = {}) =>
  new CacheHandle(key, [], ttl, freshness ?? null, generations);

/** Looks up what has this key, and makes it where nobody has it. */
async function find(results: Results, key: string, make: Make, request: Request = {}): Promise<Lookup> {
  const { fresh = false, signal = new AbortController().signal, staleIfError = 0 } = request;
  const received = performance.now();
  const found = await results.lookUp(handleOf(key, request), { received, refusesCached: fresh, signal }, staleIfError);
  if (found.is === 'suspended') throw new Error('no commit is in doubt here');
  return found.is === 'entry' ? found : found.load.fill(make(found.load.signal));
}

const bodyOf = (body: string): LoadedBody => ({ body, lifetimeMs: Number.POSITIVE_INFINITY });
const says = (body: string) => async () => bodyOf(body);
const fails = async () => Promise.reject(new Error('down'));
const text = async (found: Promise<Lookup>) => Buffer.from((await found).entry.body).toString();
const refOf = (results: Results, key: string) => results.refOf(handleOf(key).key());

/** For so many milliseconds, the database has not proved what the cache holds. */
class Unproved extends Freshness {
  readonly #milliseconds: number;

  constructor(milliseconds: number) {
    const sampleMarker = async () => Promise.reject(new Error('down'));
    const nothing = () => undefined;
    super('s outside', generations, {
      ...{
        maxStaleness: 0,
        visibilityDelayMs: 0,
        marksOpenTransactions: true,
        sampleMarker,
        changesBetween: () => 'anything',
      },
      ...{ needsCatalog: nothing, report: nothing },
    });
    this.#milliseconds = milliseconds;
  }
  override expiredForMs(): number {
    return this.#milliseconds;
  }
}

test('a thousand calls at once cause one load, and each gets it', async () => {
  const results = new Results(new Store(1e6));
  const load = vi.fn(async () => {
    await sleep(20);
    return bodyOf('x');
  });
  const calls = Array.from({ length: 1000 }, () => new AbortController());
  const found = await Promise.all(calls.map(({ signal }) => find(results, 'k', load, { signal })));
  expect(load).toHaveBeenCalledTimes(1);
  expect(new Set(found.map(({ entry }) => entry)).size).toBe(1);
  expect((await find(results, 'k', load)).source).toBe('hit');
});

/** A load that takes a while, as a driver's read: it ends early with the reason of its signal. */
function slowLoad(body: string) {
  const ended = vi.fn();
  const load = vi.fn(async (signal: AbortSignal) => {
    signal.addEventListener('abort', ended);
    await sleep(40, null, { signal }).catch(() => signal.throwIfAborted());
    return bodyOf(body);
  });
  return { ended, load };
}

test.each(['makes the load', 'waits for it'])(
  'the load is ended when the last has left, and not when the one that %s has',
  async (first) => {
    const results = new Results(new Store(1e6));
    const { ended, load } = slowLoad('x');
    const calls = [new AbortController(), new AbortController()];
    const waiting = calls.map(({ signal }) => find(results, 'k', load, { signal }).catch((error: unknown) => error));
    await sleep(1);
    const order = first === 'makes the load' ? [0, 1] : [1, 0];
    calls[order[0] ?? 0]?.abort(new Error('one left'));
    if (first === 'waits for it') expect(await waiting[1]).toMatchObject({ message: 'one left' });
    expect(ended).not.toHaveBeenCalled();
    calls[order[1] ?? 0]?.abort(new Error('the other left'));
    expect(await waiting[order[1] ?? 0]).toMatchObject({ message: 'the other left' });
    expect(await waiting[order[0] ?? 0]).toBeInstanceOf(Error);
    expect(ended).toHaveBeenCalledTimes(1);
    // A call that comes now must not get the load that is being ended, and the end of that must not end its own load.
    const late = find(results, 'k', load);
    await sleep(10);
    expect(await find(results, 'k', load)).toMatchObject({ source: expect.stringMatching(/miss|hit/) });
    expect(await text(late)).toBe('x');
    expect(load).toHaveBeenCalledTimes(2);
  },
);

test('a load that its last client has left is not joined, even while it goes on', async () => {
  const results = new Results(new Store(1e6));
  const one = new AbortController();
  const load = vi.fn(async () => {
    await sleep(40);
    return bodyOf('x');
  });
  const left = find(results, 'k', load, { signal: one.signal }).catch((error: unknown) => error);
  await sleep(1);
  one.abort(new Error('one left'));
  const late = find(results, 'k', load);
  await sleep(20);
  expect(await left).toMatchObject({ message: 'one left' });
  expect((await find(results, 'k', load)).source).toMatch(/miss|hit/);
  expect(await text(late)).toBe('x');
  expect(load).toHaveBeenCalledTimes(2);
});

test('the one that makes the load leaves: the other gets the body, and it gets the reason of its signal', async () => {
  const results = new Results(new Store(1e6));
  const { ended, load } = slowLoad('x');
  const maker = new AbortController();
  const made = find(results, 'k', load, { signal: maker.signal }).catch((error: unknown) => error);
  const other = find(results, 'k', load);
  await sleep(1);
  maker.abort(new Error('the maker left'));
  expect(await text(other)).toBe('x');
  expect(await made).toMatchObject({ message: 'the maker left' });
  expect(ended).not.toHaveBeenCalled();
  expect((await find(results, 'k', load)).source).toBe('hit');
  expect(load).toHaveBeenCalledTimes(1);
});

test('a load that fails fails for all waiting calls, and is tried again', async () => {
  const results = new Results(new Store(1e6));
  const load = vi.fn(fails);
  const waiters = [find(results, 'k', load), find(results, 'k', load)];
  expect((await Promise.allSettled(waiters)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(load).toHaveBeenCalledTimes(1);
  expect(await text(find(results, 'k', says('up')))).toBe('up');
});

test('an entry that is too old is loaded again, whatever the wall clock says', async () => {
  const results = new Results(new Store(1e6));
  await find(results, 'k', says('old'));
  vi.setSystemTime(new Date(Date.now() + 3_600_000));
  expect(await text(find(results, 'k', says('new')))).toBe('old');
  vi.useRealTimers();
  await sleep(5);
  expect(await text(find(results, 'k', says('new'), { ttl: 1 }))).toBe('new');
});

test('an old answer stands in for a failing database only as long as it was allowed to', async () => {
  const results = new Results(new Store(1e6));
  await find(results, 'k', says('old'));
  await sleep(5);
  expect((await find(results, 'k', fails, { ttl: 1, staleIfError: 60_000 })).source).toBe('stale');
  await expect(find(results, 'k', fails, { ttl: 1, staleIfError: 1 })).rejects.toThrow('down');
  // Those who wait for the load of another get it as well.
  const both = [1, 2].map(() => find(results, 'k', fails, { ttl: 1, staleIfError: 60_000 }));
  expect((await Promise.all(both)).map(({ source }) => source)).toEqual(['stale', 'stale']);
  // A 4xx is the answer.
  const refuses = async () => Promise.reject(new Refusal('notFound', { message: 'gone' }));
  await expect(find(results, 'k', refuses, { ttl: 1, staleIfError: 60_000 })).rejects.toThrow(Refusal);
  // Young, but it may lack a commit.
  const freshness = new Unproved(5);
  expect((await find(results, 'k', fails, { freshness, staleIfError: 6 })).source).toBe('stale');
  for (const staleIfError of [0, 5])
    await expect(find(results, 'k', fails, { freshness, staleIfError })).rejects.toThrow('down');
});

test('a call without a proof joins no load of another: it may have begun before the commit', async () => {
  const results = new Results(new Store(1e6));
  const slow = find(results, 'k', slowLoad('before').load);
  expect(await text(find(results, 'k', says('after'), { freshness: new Unproved(5) }))).toBe('after');
  expect(await text(slow)).toBe('before');
});

test('an age counts from the query, not from its answer', async () => {
  const results = new Results(new Store(1e6));
  const before = performance.now();
  const { entry } = await find(results, 'k', slowLoad('x').load);
  expect(entry.storedAt - before).toBeLessThan(20);
});

test('an answer that is too large, or without a ttl is sent and not kept', async () => {
  const results = new Results(new Store(8000));
  const again = async (key: string, body: string, ttl: number) => {
    await find(results, key, says(body), { ttl });
    return (await find(results, key, says('again'))).source;
  };
  expect(await again('large', 'x'.repeat(2000), 60_000)).toBe('miss');
  expect(await again('short-lived', 'x', 0)).toBe('miss');
  expect(await again('small', 'x', 60_000)).toBe('hit');
});

test('an answer that a commit in doubt may still change is sent and not kept', async () => {
  const results = new Results(new Store(1e6));
  const generations = new Generations();
  const handle = new CacheHandle('k', ['t'], 60_000, null, generations);
  const request = { received: 0, refusesCached: false, signal: new AbortController().signal };
  const found = await results.lookUp(handle, request, 0);
  if (found.is !== 'load') throw new Error('nobody has it yet');
  const key = handle.key();
  generations.suspend(['t']);
  expect((await found.load.fill(says('x')())).source).toBe('miss');
  expect(results.refOf(key)).toBeNull();
  expect(await results.lookUp(handle, request, 0)).toEqual({ is: 'suspended' });
});

test('under pressure the least recently used goes first', async () => {
  const memory = new Store(8000);
  const results = new Results(memory);
  for (const key of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l']) {
    await find(results, key, says(key));
    memory.use(handleOf('a').key());
  }
  expect(refOf(results, 'a')?.entry).toBeDefined();
  expect(refOf(results, 'b')).toBeNull();
  expect(refOf(results, 'l')?.entry).toBeDefined();
});

test('a gzip copy is made once, counted, and holds the same', async () => {
  const results = new Results(new Store(16_000));
  const body = 'abcdefghij'.repeat(50);
  const { entry } = await find(results, 'k', says(body));
  expect(await entry.gzip()).toBe(await entry.gzip());
  expect(gunzipSync(await entry.gzip()).toString()).toBe(body);
  expect(refOf(results, 'k')?.entry).toBe(entry);
});

test('the same bytes have the same validator in another process, others have another', async () => {
  const etag = async (body: string) => (await find(new Results(new Store(1e6)), 'k', says(body))).entry.etag;
  expect(await etag('abc')).toBe('"ungWv48Bz-pBQUDeXa4iI7ADYaO"');
  expect(await etag('abd')).not.toBe(await etag('abc'));
});

test('a read that began before a write fills a key that is not used any more', () => {
  const generations = new Generations();
  const before = generations.currentCounts(['s t', 's all']);
  generations.bump(['s t']);
  expect(generations.currentCounts(['s t', 's all'])).not.toBe(before);
  const between = generations.currentCounts(['s u', 's all']);
  generations.bump(['s t']);
  expect(generations.currentCounts(['s u', 's all'])).toBe(between);
  generations.bump(['s all']);
  expect(generations.currentCounts(['s u', 's all'])).not.toBe(between);
});

test('a commit in doubt keeps its tables out of the cache, until its outcome is known', () => {
  const generations = new Generations();
  const [first, second] = [generations.suspend(['t']), generations.suspend(['t', 'u'])];
  const before = generations.currentCounts(['t']);
  first();
  expect(generations.isSuspended(['t', 'x'])).toBe(true);
  second();
  expect(generations.isSuspended(['t', 'u'])).toBe(false);
  expect(generations.currentCounts(['t'])).not.toBe(before);
});

test('the order of parameters makes no other question, everything else does', () => {
  const asked = {
    version: 1,
    resource: 'r',
    action: 'a',
    language: null,
    view: null,
    rows: null,
    params: { x: 1, y: [2] },
  };
  const may = { read: true, aggregate: true, write: false, deleteAll: false };
  const access = { write: 'none', columns: 'all' } as const;
  const view: CallerView = { may, access, references: [], referencedBy: [], extremes: null, isPrivate: false };
  const reference = { fields: ['a'], resource_id: 's', to: ['b'] };
  const key = (change: Partial<typeof asked> | { language: string } | { view: CallerView } | { rows: string }) =>
    keyOf({ ...asked, ...change }, toJson);
  expect(key({ params: { y: [2], x: 1 } })).toBe(key({}));
  const others = [
    key({ version: 2 }),
    key({ resource: 's' }),
    key({ action: 'b' }),
    key({ language: 'fr' }),
    key({ rows: '[{"tenant":1}]' }),
    key({ rows: '[{"tenant":2}]' }),
    key({ view }),
    key({ view: { ...view, may: { ...view.may, write: true } } }),
    key({ view: { ...view, references: [reference] } }),
    key({ view: { ...view, referencedBy: [reference] } }),
    key({ view: { ...view, referencedBy: [reference, reference] } }),
    key({ params: { x: 1, y: [3] } }),
  ];
  expect(new Set([key({}), ...others]).size).toBe(13);
});

test('a reference holds a stored entry, and no evicted one', async () => {
  const results = new Results(new Store(8000));
  const { entry } = await find(results, 'k', says('x'));
  const ref = refOf(results, 'k');
  expect(ref?.entry).toBe(entry);
  const { entry: anew, source } = await find(results, 'k', says('y'), { fresh: true });
  expect(source).toBe('bypass');
  expect(ref?.entry).toBeNull();
  const next = refOf(results, 'k');
  expect(next?.entry).toBe(anew);
  for (let nth = 0; nth < 20; nth++) await find(results, `other${nth}`, says('z'));
  expect(next?.entry).toBeNull();
  expect(refOf(results, 'k')).toBeNull();
});
