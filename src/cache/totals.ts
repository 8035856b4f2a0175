import { Evictable, type Store } from './store.ts';

/** Exact totals, stored apart from their pages, so that paging and sorting count once. */
export class Totals {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The total under this key, if it is younger than `ttl` milliseconds; else null. */
  find(key: string, ttl: number): number | null {
    const total = this.#store.get(key, Total);
    return total !== undefined && performance.now() - total.at < ttl ? total.count : null;
  }

  /** @param at when the query was sent, by `performance.now()` */
  set(key: string, count: number, at: number): void {
    this.#store.set(key, new Total(count, at), overhead);
  }
}

class Total extends Evictable {
  readonly count: number;
  /** On the monotonic clock, in milliseconds. */
  readonly at: number;

  constructor(count: number, at: number) {
    super();
    this.count = count;
    this.at = at;
  }
}

/** Approximate bytes of a total beside its key. */
const overhead = 300;
