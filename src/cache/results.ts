import { Refusal } from '../model/errors.ts';
import type { CacheEntry, Lookup } from '../model/http.ts';
import { inSlices } from '../values/slices.ts';
import { alone, Entry, type EntryRef, etagOf } from './entry.ts';
import type { CacheHandle } from './handle.ts';
import type { Store } from './store.ts';

/** The part of a call that decides what the cache may answer. */
export interface CacheRequest {
  /** When the request came, by `performance.now()`. */
  readonly received: number;
  /** Whether the client accepts no cached body (`Cache-Control: no-cache`). */
  readonly fresh: boolean;
  /** Aborted when the client has left. */
  readonly signal: AbortSignal;
}

/**
 * `entry`: the answer. `load`: nobody has it, and the caller makes it for all who wait. `suspended`: a commit with unknown outcome may
 * still change it, so the cache has no part in the answer.
 */
export type Found =
  | (Lookup & { readonly is: 'entry' })
  | { readonly is: 'load'; readonly load: Load }
  | { readonly is: 'suspended' };

export interface LoadedBody {
  readonly body: string | Uint8Array;
  /** As in `CacheEntry`. */
  readonly lasts: number;
}

/** Cached bodies by key; one load in flight per key. */
export class Results {
  readonly #store: Store;
  readonly #loading = new Map<string, Load>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** A reference to the current entry under this key; null where there is none. Does not count as use. */
  refOf(key: string): EntryRef | null {
    return this.#store.peek(key, Entry)?.ref ?? null;
  }

  /**
   * Looks up the body of a request. Concurrent requests for one key share one load, whose failure is thrown to all of them.
   * @param staleIfErrorMs how long after its end an entry may still replace the error of a failing database
   * @throws the error of a shared load; the reason of `signal`
   */
  async lookUp(handle: CacheHandle, request: CacheRequest, staleIfErrorMs: number): Promise<Found> {
    const { freshness, ttl } = handle;
    const { received, fresh, signal } = request;
    // Before the key is taken: a new commit marker changes it.
    const isProved = fresh || freshness === null || freshness.isProved(received) || (await freshness.prove(received));
    if (handle.isSuspended()) return { is: 'suspended' };
    const key = handle.key();
    if (fresh) return { is: 'load', load: new Load(this.#store, handle, signal, 'bypass', null, () => undefined) };
    const entry = this.#store.get(key, Entry);
    const now = performance.now();
    const age = entry === undefined ? 0 : now - entry.at;
    if (entry !== undefined && isProved && age < Math.min(ttl, entry.lasts))
      return { is: 'entry', entry, source: 'hit' };
    const unproved = isProved ? 0 : freshness.unprovedFor(received, now);
    const stale = entry !== undefined && Math.max(age - ttl, unproved) < staleIfErrorMs ? entry : null;
    // An unproved load of another request may have begun before the commit that this one has to show.
    const running = isProved ? this.#loading.get(key) : undefined;
    if (running !== undefined) return { is: 'entry', ...(await running.join(signal, stale)) };
    const load: Load = new Load(this.#store, handle, signal, 'miss', stale, () => {
      if (this.#loading.get(key) === load) this.#loading.delete(key);
    });
    if (isProved) this.#loading.set(key, load);
    return { is: 'load', load };
  }
}

/** A body that one request makes for all that wait for it. */
export class Load {
  /** Aborted when the last of them has left. */
  readonly signal: AbortSignal;
  readonly #left = new AbortController();
  readonly #store: Store;
  readonly #handle: CacheHandle;
  readonly #key: string;
  readonly #own: AbortSignal;
  readonly #source: 'miss' | 'bypass';
  readonly #stale: CacheEntry | null;
  readonly #onEnd: () => void;
  /** When the query was sent, or a moment before. */
  readonly #at = performance.now();
  readonly #made: Promise<CacheEntry>;
  #settle: (made: Promise<CacheEntry>) => void = () => undefined;
  #waiting = 0;

  /**
   * @param own the signal of the request that makes it
   * @param stale the entry that may replace an error of the database
   * @param onEnd called when later requests need a load of their own
   */
  constructor(
    store: Store,
    handle: CacheHandle,
    own: AbortSignal,
    source: 'miss' | 'bypass',
    stale: CacheEntry | null,
    onEnd: () => void,
  ) {
    this.signal = this.#left.signal;
    this.#store = store;
    this.#handle = handle;
    this.#key = handle.key();
    this.#own = own;
    this.#source = source;
    this.#stale = stale;
    this.#onEnd = onEnd;
    this.#made = new Promise((resolve) => {
      this.#settle = resolve;
    });
    // Without another request that waits, nobody looks at a failure here.
    this.#made.catch(() => undefined);
    this.#enter(own);
  }

  /** Stores the body, answers all who wait, and returns what the request that has made it shows. Throws what `making` threw. */
  async store(making: Promise<LoadedBody>): Promise<Lookup> {
    const made = this.#keep(making).finally(this.#onEnd);
    this.#settle(made);
    try {
      const entry = await made;
      this.#own.throwIfAborted();
      return { entry, source: this.#source };
    } catch (error) {
      return staleInstead(this.#stale, error, this.#own);
    }
  }

  /** Waits for the body that another request makes. Throws its error; the reason of `signal`. */
  async join(signal: AbortSignal, stale: CacheEntry | null): Promise<Lookup> {
    const stop = this.#enter(signal);
    try {
      const left = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
      return { entry: await Promise.race([this.#made, left]), source: 'miss' };
    } catch (error) {
      return staleInstead(stale, error, signal);
    } finally {
      stop();
    }
  }

  /** Counts a request that waits, until it leaves. */
  #enter(signal: AbortSignal): () => void {
    signal.throwIfAborted();
    this.#waiting++;
    const leave = () => {
      this.#waiting--;
      if (this.#waiting > 0) return;
      this.#onEnd();
      this.#left.abort(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    return () => signal.removeEventListener('abort', leave);
  }

  async #keep(making: Promise<LoadedBody>): Promise<CacheEntry> {
    const { body, lasts } = await making;
    const own = alone(body);
    const etag = await inSlices(etagOf(own));
    const entry = new Entry({ body: own, etag, at: this.#at, lasts }, this.#key, this.#store);
    if (this.#handle.ttl > 0 && !this.#handle.isSuspended()) this.#store.set(this.#key, entry, entry.bytes);
    return entry;
  }
}

/** A stale entry replaces the error of a failing database. A 4xx is the answer to the request: it is thrown. */
function staleInstead(stale: CacheEntry | null, error: unknown, signal: AbortSignal): Lookup {
  const isFailure = !(error instanceof Refusal) || error.status >= 500;
  if (stale === null || signal.aborted || !isFailure) throw error;
  return { entry: stale, source: 'stale' };
}
