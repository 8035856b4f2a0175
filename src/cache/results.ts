import { Refusal } from '../model/errors.ts';
import type { CacheEntry, Lookup } from '../model/http.ts';
import { inSlices } from '../values/slices.ts';
import { Entry, type EntryRef, etagOf, withOwnMemory } from './entry.ts';
import type { CacheHandle } from './handle.ts';
import type { Store } from './store.ts';

/** The part of a call that decides what the cache may answer. */
export interface CacheRequest {
  /** When the request came, by `performance.now()`. */
  readonly received: number;
  /** Whether the client accepts no cached body (`Cache-Control: no-cache`). */
  readonly refusesCached: boolean;
  /** Aborted when the client has left. */
  readonly signal: AbortSignal;
}

/**
 * `entry`: the cached answer. `load`: a miss; the caller must load the answer, for all requests that wait for it. `suspended`: a commit
 * with unknown outcome may still change the answer, so the request must bypass the cache.
 */
export type Found =
  | (Lookup & { readonly is: 'entry' })
  | { readonly is: 'load'; readonly load: Load }
  | { readonly is: 'suspended' };

export interface LoadedBody {
  readonly body: string | Uint8Array;
  /** As in `CacheEntry`. */
  readonly lifetimeMs: number;
}

/** Cached bodies by key; one load in flight per key. */
export class Results {
  readonly #store: Store;
  readonly #loading = new Map<string, Load>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** A reference to the entry under this key; null if there is none. Does not count as use for the LRU. */
  refOf(key: string): EntryRef | null {
    return this.#store.peek(key, Entry)?.ref ?? null;
  }

  /**
   * Looks up the body of a request. Concurrent requests for one key share one load, whose failure is thrown to all of them.
   * @param staleIfErrorMs how long an expired entry may still be served in place of a database error
   * @throws the error of a shared load; the reason of `signal`
   */
  async lookUp(handle: CacheHandle, request: CacheRequest, staleIfErrorMs: number): Promise<Found> {
    const { freshness, ttl } = handle;
    const { received, refusesCached, signal } = request;
    // Prove freshness before taking the key: a new commit marker bumps generations, and the key must have the bumped ones.
    const isProved =
      refusesCached || freshness === null || freshness.isFresh(received) || (await freshness.prove(received));
    if (handle.isSuspended()) return { is: 'suspended' };
    const key = handle.key();
    if (refusesCached)
      return { is: 'load', load: new Load(this.#store, handle, signal, 'bypass', null, () => undefined) };
    const entry = this.#store.get(key, Entry);
    const now = performance.now();
    const age = entry === undefined ? 0 : now - entry.storedAt;
    if (entry !== undefined && isProved && age < Math.min(ttl, entry.lifetimeMs))
      return { is: 'entry', entry, source: 'hit' };
    const unproved = isProved ? 0 : freshness.expiredForMs(received, now);
    const stale = entry !== undefined && Math.max(age - ttl, unproved) < staleIfErrorMs ? entry : null;
    // Without a proof we don't share a running load: it may have started before a commit that this request must show.
    const running = isProved ? this.#loading.get(key) : undefined;
    if (running !== undefined) return { is: 'entry', ...(await running.join(signal, stale)) };
    const load: Load = new Load(this.#store, handle, signal, 'miss', stale, () => {
      if (this.#loading.get(key) === load) this.#loading.delete(key);
    });
    if (isProved) this.#loading.set(key, load);
    return { is: 'load', load };
  }
}

/** A load in flight: one request makes the body, others wait for it. */
export class Load {
  /** Aborted when the clients of all these requests have left. */
  readonly signal: AbortSignal;
  readonly #abandoned = new AbortController();
  readonly #store: Store;
  readonly #handle: CacheHandle;
  readonly #key: string;
  readonly #own: AbortSignal;
  readonly #source: 'miss' | 'bypass';
  readonly #stale: CacheEntry | null;
  readonly #onEnd: () => void;
  /** The entry's age counts from the creation of the load, shortly before its query is sent. */
  readonly #at = performance.now();
  readonly #result: Promise<CacheEntry>;
  #settle: (result: Promise<CacheEntry>) => void = () => undefined;
  #waiting = 0;

  /**
   * @param own the signal of the request that makes the body
   * @param stale the expired entry that may be served in place of a database error
   * @param onEnd called when later requests can no longer join this load
   */
  constructor(
    store: Store,
    handle: CacheHandle,
    own: AbortSignal,
    source: 'miss' | 'bypass',
    stale: CacheEntry | null,
    onEnd: () => void,
  ) {
    this.signal = this.#abandoned.signal;
    this.#store = store;
    this.#handle = handle;
    this.#key = handle.key();
    this.#own = own;
    this.#source = source;
    this.#stale = stale;
    this.#onEnd = onEnd;
    this.#result = new Promise((resolve) => {
      this.#settle = resolve;
    });
    // If no other request waits, nothing else handles this rejection, and Node would exit.
    this.#result.catch(() => undefined);
    this.#enter(own);
  }

  /** Stores the body, answers the waiting requests, and returns the answer for the caller's own. Throws the error of `making`. */
  async fill(making: Promise<LoadedBody>): Promise<Lookup> {
    const result = this.#keep(making).finally(this.#onEnd);
    this.#settle(result);
    try {
      const entry = await result;
      this.#own.throwIfAborted();
      return { entry, source: this.#source };
    } catch (error) {
      return staleInstead(this.#stale, error, this.#own);
    }
  }

  /** Waits for the body that another request makes. Throws the error of that request, or the reason of `signal`. */
  async join(signal: AbortSignal, stale: CacheEntry | null): Promise<Lookup> {
    const stopListening = this.#enter(signal);
    try {
      const aborted = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
      return { entry: await Promise.race([this.#result, aborted]), source: 'miss' };
    } catch (error) {
      return staleInstead(stale, error, signal);
    } finally {
      stopListening();
    }
  }

  /** Counts a waiting request until its client leaves. The last one to leave cancels the load. */
  #enter(signal: AbortSignal): () => void {
    signal.throwIfAborted();
    this.#waiting++;
    const leave = () => {
      this.#waiting--;
      if (this.#waiting > 0) return;
      this.#onEnd();
      this.#abandoned.abort(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    return () => signal.removeEventListener('abort', leave);
  }

  async #keep(making: Promise<LoadedBody>): Promise<CacheEntry> {
    const { body, lifetimeMs } = await making;
    const bytes = withOwnMemory(body);
    const etag = await inSlices(etagOf(bytes));
    const entry = new Entry({ body: bytes, etag, storedAt: this.#at, lifetimeMs }, this.#key, this.#store);
    if (this.#handle.ttl > 0 && !this.#handle.isSuspended()) this.#store.set(this.#key, entry, entry.bytes);
    return entry;
  }
}

/** Serves the stale entry in place of a database error. Rethrows a 4xx: it is the proper answer to the request. */
function staleInstead(stale: CacheEntry | null, error: unknown, signal: AbortSignal): Lookup {
  const isFailure = !(error instanceof Refusal) || error.status >= 500;
  if (stale === null || signal.aborted || !isFailure) throw error;
  return { entry: stale, source: 'stale' };
}
