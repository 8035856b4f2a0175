import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { CacheEntry } from '../model/http.ts';
import type { Steps } from '../values/slices.ts';
import { Evictable, type Store } from './store.ts';

/** Bytes of an entry in addition to its body: the LRU's lists, the objects, a second copy of the key (measured on Node 20). */
const overhead = 550;

/**
 * Copies bytes out of a shared buffer. Node cuts small buffers out of a large pool, and one cached body would keep the whole pool alive.
 */
export function withOwnMemory(body: string | Uint8Array): Uint8Array {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  own.set(bytes);
  return own;
}

/** Bytes to hash at a time, before other calls may run. */
const hashSliceBytes = 1_048_576;

/** A strong ETag: the same bytes always have the same one. */
export function* etagOf(body: Uint8Array): Steps<string> {
  const hash = createHash('sha256');
  for (let from = 0; from < body.length; from += hashSliceBytes) {
    if (from > 0) yield;
    hash.update(body.subarray(from, from + hashSliceBytes));
  }
  // `join` makes one flat string; concatenation would keep three strings alive with the entry.
  return ['"', hash.digest('base64url').slice(0, 27), '"'].join('');
}

/** A reference to an entry that saves the lookup by key, and does not keep the entry alive after eviction. */
export interface EntryRef {
  /** Null once the entry has been evicted. */
  readonly entry: CacheEntry | null;
}

/** A cached body. */
export class Entry extends Evictable implements CacheEntry {
  readonly ref: { entry: CacheEntry | null } = { entry: this };
  readonly body: Uint8Array;
  readonly etag: string;
  readonly storedAt: number;
  readonly lifetimeMs: number;
  zipped: Buffer | null = null;
  readonly #key: string;
  readonly #store: Store;
  #zipping: Promise<Buffer> | null = null;

  constructor(
    { body, etag, storedAt, lifetimeMs }: Pick<CacheEntry, 'body' | 'etag' | 'storedAt' | 'lifetimeMs'>,
    key: string,
    store: Store,
  ) {
    super();
    this.body = body;
    this.etag = etag;
    this.storedAt = storedAt;
    this.lifetimeMs = lifetimeMs;
    this.#key = key;
    this.#store = store;
  }

  override onEvicted(): void {
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
