import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { CacheEntry, Lookup } from '../model/http.ts';
import { inSlices, type Steps } from '../values/slices.ts';
import { Evictable, type Store } from './store.ts';

export interface Ages {
  /** Milliseconds for which an entry may be served, if its freshness is proved. */
  readonly ttl: number;
  /** Milliseconds for which a stale entry may be served when the database fails. */
  readonly staleIfError: number;
  /** Milliseconds for which entries under this key are stale, however young: the database is asked, and no running load is joined. */
  readonly unproved: number;
  /** Whether an error counts as a failure of the database. */
  isFailure(error: unknown): boolean;
}

/** Bytes of an entry beside its body: the LRU's lists, the objects, a second copy of the key (Node 20). */
const overhead = 550;

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
   * Returns a fresh entry or loads it. Concurrent requests for one key share one load, which is aborted only when the last of
   * them has left. A failed load is thrown to all of them and not stored. A body is stored only if `mayStore` returns true.
   * @param gone aborted when the client has left; its reason is thrown then
   */
  async find(
    key: string,
    { ttl, staleIfError, unproved, isFailure }: Ages,
    gone: AbortSignal,
    load: (gone: AbortSignal) => Promise<LoadedBody>,
  ): Promise<Lookup> {
    const entry = this.#store.get(key, Entry);
    const age = entry === undefined ? 0 : performance.now() - entry.at;
    const isProved = unproved === 0;
    if (entry !== undefined && isProved && age < Math.min(ttl, entry.lasts)) return { entry, source: 'hit' };
    try {
      const loaded = isProved ? this.#load(key, ttl, gone, load) : this.#begin(key, ttl, () => load(gone));
      return { entry: await loaded, source: 'miss' };
    } catch (error) {
      const isTooOld = Math.max(age - ttl, unproved) >= staleIfError;
      if (gone.aborted || entry === undefined || isTooOld || !isFailure(error)) throw error;
      return { entry, source: 'stale' };
    }
  }

  /**
   * Loads a new body even if an entry is fresh, and stores it. Does not join a running load, which may have begun before the
   * request.
   */
  async renew(
    key: string,
    ttl: number,
    gone: AbortSignal,
    load: (gone: AbortSignal) => Promise<LoadedBody>,
  ): Promise<Lookup> {
    return { entry: await this.#begin(key, ttl, () => load(gone)), source: 'bypass' };
  }

  #load(
    key: string,
    ttl: number,
    gone: AbortSignal,
    load: (gone: AbortSignal) => Promise<LoadedBody>,
  ): Promise<CacheEntry> {
    const running = this.#loading.get(key);
    if (running !== undefined) return running.wait(gone);
    const forget = () => {
      if (this.#loading.get(key) === begun) this.#loading.delete(key);
    };
    const begun = new Load((left) => this.#begin(key, ttl, () => load(left)).finally(forget), forget);
    this.#loading.set(key, begun);
    return begun.wait(gone);
  }

  async #begin(key: string, ttl: number, load: () => Promise<LoadedBody>): Promise<CacheEntry> {
    const at = performance.now();
    const { body, lasts, mayStore } = await load();
    const own = alone(body);
    const entry = new Entry({ body: own, etag: await inSlices(etagOf(own)), at, lasts }, key, this.#store);
    if (mayStore() && ttl > 0) this.#store.set(key, entry, entry.bytes);
    return entry;
  }
}

/** A load and the number of requests that wait for it. */
class Load {
  readonly #left = new AbortController();
  readonly #loaded: Promise<CacheEntry>;
  readonly #forget: () => void;
  #waiting = 0;

  /** @param forget called when the last request has left: a later request needs a load of its own */
  constructor(begin: (left: AbortSignal) => Promise<CacheEntry>, forget: () => void) {
    this.#forget = forget;
    this.#loaded = begin(this.#left.signal);
    this.#loaded.catch(() => undefined);
  }

  async wait(gone: AbortSignal): Promise<CacheEntry> {
    gone.throwIfAborted();
    this.#waiting++;
    let stop: () => void = () => undefined;
    const left = new Promise<never>((_, reject) => {
      const leave = () => {
        reject(gone.reason);
        this.#waiting--;
        if (this.#waiting > 0) return;
        this.#forget();
        this.#left.abort(gone.reason);
      };
      gone.addEventListener('abort', leave, { once: true });
      stop = () => gone.removeEventListener('abort', leave);
    });
    try {
      return await Promise.race([this.#loaded, left]);
    } finally {
      stop();
    }
  }
}

export interface LoadedBody {
  readonly body: string | Uint8Array;
  /** As in `CacheEntry`. */
  readonly lasts: number;
  /** Called when the body is there. False for data that a suspended commit may still change. */
  mayStore(): boolean;
}

/**
 * Copies bytes into memory of their own. Node cuts small buffers from larger ones, and one of them keeps the larger one alive.
 */
function alone(body: string | Uint8Array): Uint8Array {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  own.set(bytes);
  return own;
}

/** Bytes that are hashed at a time. */
const step = 1_048_576;

/** A strong validator: equal for equal bytes. */
function* etagOf(body: Uint8Array): Steps<string> {
  const hash = createHash('sha256');
  for (let from = 0; from < body.length; from += step) {
    if (from > 0) yield;
    hash.update(body.subarray(from, from + step));
  }
  // `join` makes one flat string; concatenation would keep three strings alive with the entry.
  return ['"', hash.digest('base64url').slice(0, 27), '"'].join('');
}

/** A reference to an entry that finds it again without its key. It keeps no evicted entry alive. */
export interface EntryRef {
  /** Null once the entry has been evicted. */
  readonly entry: CacheEntry | null;
}

class Entry extends Evictable implements CacheEntry {
  readonly ref: { entry: CacheEntry | null } = { entry: this };
  readonly body: Uint8Array;
  readonly etag: string;
  readonly at: number;
  readonly lasts: number;
  zipped: Buffer | null = null;
  readonly #key: string;
  readonly #store: Store;
  #zipping: Promise<Buffer> | null = null;

  constructor(
    { body, etag, at, lasts }: Pick<CacheEntry, 'body' | 'etag' | 'at' | 'lasts'>,
    key: string,
    store: Store,
  ) {
    super();
    this.body = body;
    this.etag = etag;
    this.at = at;
    this.lasts = lasts;
    this.#key = key;
    this.#store = store;
  }

  override dropped(): void {
    this.ref.entry = null;
  }

  get bytes(): number {
    return this.body.length + (this.zipped?.length ?? 0) + overhead;
  }

  gzip(): Promise<Buffer> {
    this.#zipping ??= promisify(gzip)(this.body, { level: 5 }).then((zipped) => {
      this.zipped = zipped;
      this.#store.resize(this.#key, this, this.bytes);
      return zipped;
    });
    return this.#zipping;
  }
}
