import { Evictable, type Store } from './store.ts';

/** The number of records that match a condition. */
export interface KnownCount {
  readonly count: number;
  readonly estimated: boolean;
}

/** Totals, cached separately from pages so that paging and sorting count only once, and which conditions are slow to count. */
export class Totals {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The total under this key; null if there is none younger than `ttl` milliseconds. */
  find(key: string, ttl: number): KnownCount | null {
    const total = this.#store.get(key, Total);
    return total !== undefined && performance.now() - total.at < ttl ? total : null;
  }

  /** @param at when the query was sent, by `performance.now()` */
  set(key: string, { count, estimated }: KnownCount, at: number): void {
    this.#store.set(key, new Total(count, estimated, at), overhead);
  }

  /** Whether counting this condition timed out recently, for a waiting client or even in the background; null if it did not. */
  slowness(condition: string): Slowness | null {
    const slow = this.#store.get(slowKey(condition), Slow);
    return slow !== undefined && performance.now() < slow.until ? slow.is : null;
  }

  setSlow(condition: string, is: Slowness): void {
    this.#store.set(slowKey(condition), new Slow(is, performance.now() + slownessTtlMs), overhead);
  }

  setFast(condition: string): void {
    this.#store.set(slowKey(condition), new Slow('for a client', 0), overhead);
  }
}

export type Slowness = 'for a client' | 'in the background';

/** How long we remember that a condition is slow to count; then the next search tries again. */
const slownessTtlMs = 10 * 60_000;

const slowKey = (condition: string): string => `slow ${condition}`;

class Total extends Evictable implements KnownCount {
  readonly count: number;
  readonly estimated: boolean;
  /** When the query was sent, by `performance.now()`. */
  readonly at: number;

  constructor(count: number, estimated: boolean, at: number) {
    super();
    this.count = count;
    this.estimated = estimated;
    this.at = at;
  }
}

class Slow extends Evictable {
  readonly is: Slowness;
  readonly until: number;

  constructor(is: Slowness, until: number) {
    super();
    this.is = is;
    this.until = until;
  }
}

/** Approximate bytes of a total, without its key. */
const overhead = 300;
