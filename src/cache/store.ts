import { LRUCache } from 'lru-cache';

/** The largest share of the store that one entry may take. */
const maxEntryShare = 1 / 8;

/** Real memory per requested byte: the heap and the buffer allocator hold about a third more. */
const memoryPerByte = 1.3;

/** An object in the store. */
export class Evictable {
  /** Called when the object has been evicted or replaced. */
  onEvicted(): void {}
}

/**
 * One LRU with one budget of bytes for cached bodies, totals and the entries of the request cache: the least recently used object is
 * evicted first, whatever its kind. The size passed to `set` includes everything that only this object references.
 */
export class Store {
  readonly #entries: LRUCache<string, Evictable>;
  /** The object that `set` removes only to store it again: its `onEvicted` is not called. */
  #replacing: Evictable | null = null;

  constructor(maxBytes: number) {
    this.#entries = new LRUCache({
      maxSize: maxBytes,
      maxEntrySize: Math.max(1, Math.floor(maxBytes * maxEntryShare)),
      dispose: (entry) => {
        if (entry !== this.#replacing) entry.onEvicted();
      },
    });
  }

  get level(): { readonly entries: number; readonly bytes: number; readonly maxBytes: number } {
    return { entries: this.#entries.size, bytes: this.#entries.calculatedSize, maxBytes: this.#entries.maxSize };
  }

  /** The object under this key, if it is of this class. Counts as use for the LRU. */
  get<T extends Evictable>(key: string, kind: new (...parts: never[]) => T): T | undefined {
    const entry = this.#entries.get(key);
    return entry instanceof kind ? entry : undefined;
  }

  /** Like `get`, but does not count as use: reordering the LRU would slow the fast path down. Call `use` now and then instead. */
  peek<T extends Evictable>(key: string, kind: new (...parts: never[]) => T): T | undefined {
    const entry = this.#entries.peek(key);
    return entry instanceof kind ? entry : undefined;
  }

  use(key: string): void {
    this.#entries.get(key);
  }

  set(key: string, entry: Evictable, bytes: number): void {
    // `byteLength` flattens the key. Otherwise V8 keeps the parts it was concatenated from, which take three times the memory.
    const keyBytes = Buffer.byteLength(key);
    const isAgain = this.#entries.peek(key) === entry;
    if (isAgain) this.#remove(key, entry);
    this.#entries.set(key, entry, { size: Math.ceil((bytes + keyBytes) * memoryPerByte) });
    if (isAgain && !this.#entries.has(key)) entry.onEvicted();
  }

  /** Without this, lru-cache would keep the old size of an object that is set again under its key. */
  #remove(key: string, entry: Evictable): void {
    this.#replacing = entry;
    this.#entries.delete(key);
    this.#replacing = null;
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
