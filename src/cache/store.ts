import { LRUCache } from 'lru-cache';

/** One thing takes at most this share of the whole. */
const share = 1 / 8;

/** What lies unused around what is kept: the heap and the allocator of buffers hold a third more than they are asked for. */
const slack = 1.3;

/** Something that is kept. */
export class Evictable {
  /** Called when it no longer is. */
  dropped(): void {}
}

/**
 * What is remembered, in one budget of bytes: answers, totals, and the requests that are known to the letter. The least recently
 * used goes first, whichever it is. Whoever keeps something gives its bytes with all that hangs on it.
 */
export class Store {
  readonly #kept: LRUCache<string, Evictable>;

  constructor(maxBytes: number) {
    this.#kept = new LRUCache({
      maxSize: maxBytes,
      maxEntrySize: Math.max(1, Math.floor(maxBytes * share)),
      dispose: (kept) => kept.dropped(),
    });
  }

  get level(): { readonly entries: number; readonly bytes: number; readonly maxBytes: number } {
    return { entries: this.#kept.size, bytes: this.#kept.calculatedSize, maxBytes: this.#kept.maxSize };
  }

  /** What is kept under this key, where it is one of these; looking counts as use. */
  get<T extends Evictable>(key: string, kind: new (...parts: never[]) => T): T | undefined {
    const kept = this.#kept.get(key);
    return kept instanceof kind ? kept : undefined;
  }

  /** The same, but looking is no use: where there is no time for the list of the least used. Say `use` now and then. */
  peek<T extends Evictable>(key: string, kind: new (...parts: never[]) => T): T | undefined {
    const kept = this.#kept.peek(key);
    return kept instanceof kind ? kept : undefined;
  }

  use(key: string): void {
    this.#kept.get(key);
  }

  keep(key: string, kept: Evictable, bytes: number): void {
    // To be measured, a text is put into one piece. V8 would keep the pieces that it was added up of, which take thrice as much.
    const ofKey = Buffer.byteLength(key);
    this.#kept.set(key, kept, { size: Math.ceil((bytes + ofKey) * slack) });
  }

  /** Lets go of everything at once. */
  clear(): void {
    this.#kept.clear();
  }

  /** What is kept has grown; where it no longer is, nothing happens. */
  resize(key: string, kept: Evictable, bytes: number): void {
    if (this.#kept.peek(key) === kept) this.keep(key, kept, bytes);
  }
}
