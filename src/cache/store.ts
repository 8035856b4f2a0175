import { LRUCache } from 'lru-cache';

/** One entry takes at most this share of the store. */
const share = 1 / 8;

/** Memory beyond the counted bytes: the heap and the allocator of buffers hold a third more than is requested. */
const slack = 1.3;

/** An object in the store. */
export class Evictable {
  /** Called when it has been evicted or replaced. */
  dropped(): void {}
}

/**
 * One LRU with one budget of bytes for cached bodies, totals and the entries of the request cache. The least recently used is
 * evicted first, of whatever kind. The caller states the size of an object with everything that only it references.
 */
export class Store {
  readonly #entries: LRUCache<string, Evictable>;
  /** The one that is stored again. */
  #again: Evictable | null = null;

  constructor(maxBytes: number) {
    this.#entries = new LRUCache({
      maxSize: maxBytes,
      maxEntrySize: Math.max(1, Math.floor(maxBytes * share)),
      dispose: (entry) => {
        if (entry !== this.#again) entry.dropped();
      },
    });
  }

  get level(): { readonly entries: number; readonly bytes: number; readonly maxBytes: number } {
    return { entries: this.#entries.size, bytes: this.#entries.calculatedSize, maxBytes: this.#entries.maxSize };
  }

  /** The object under this key, if it is of this class. Counts as use. */
  get<T extends Evictable>(key: string, kind: new (...parts: never[]) => T): T | undefined {
    const entry = this.#entries.get(key);
    return entry instanceof kind ? entry : undefined;
  }

  /** The same, without counting as use: for the fast path, which has no time to reorder the LRU. Call `use` now and then. */
  peek<T extends Evictable>(key: string, kind: new (...parts: never[]) => T): T | undefined {
    const entry = this.#entries.peek(key);
    return entry instanceof kind ? entry : undefined;
  }

  use(key: string): void {
    this.#entries.get(key);
  }

  set(key: string, entry: Evictable, bytes: number): void {
    // `byteLength` flattens the key. V8 would otherwise keep the parts it was concatenated from, which take thrice as much.
    const ofKey = Buffer.byteLength(key);
    const isAgain = this.#entries.peek(key) === entry;
    if (isAgain) this.#remove(key, entry);
    this.#entries.set(key, entry, { size: Math.ceil((bytes + ofKey) * slack) });
    if (isAgain && !this.#entries.has(key)) entry.dropped();
  }

  /** Lru-cache keeps the first size of an object that is set again under its key. */
  #remove(key: string, entry: Evictable): void {
    this.#again = entry;
    this.#entries.delete(key);
    this.#again = null;
  }

  /** Evicts everything at once. */
  clear(): void {
    this.#entries.clear();
  }

  /** Updates the size of an object that has grown; does nothing if it has been evicted. */
  resize(key: string, entry: Evictable, bytes: number): void {
    if (this.#entries.peek(key) === entry) this.set(key, entry, bytes);
  }
}
