import { LRUCache } from 'lru-cache';

interface Total {
  readonly count: number;
  /** On the monotonic clock, in milliseconds. */
  readonly at: number;
}

/** Exact totals apart from their pages, so that paging and sorting count once. Bounded by bytes. */
export class Totals {
  readonly #kept: LRUCache<string, Total>;

  constructor(maxBytes: number) {
    this.#kept = new LRUCache({ maxSize: maxBytes });
  }

  /** The total kept under this key, if it is younger than `ttl` milliseconds. */
  find(key: string, ttl: number): number | null {
    const total = this.#kept.get(key);
    return total !== undefined && performance.now() - total.at < ttl ? total.count : null;
  }

  /** @param at when the database was asked */
  keep(key: string, count: number, at: number): void {
    this.#kept.set(key, { count, at }, { size: 2 * key.length + overhead });
  }
}

/** Bytes beside the key, nearly. */
const overhead = 300;
