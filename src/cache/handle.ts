import type { CacheEntry, CallerView } from '../model/http.ts';
import type { JsonObject } from '../model/value.ts';
import type { EntryRef } from './entry.ts';
import type { Freshness } from './freshness.ts';
import type { Generations } from './generations.ts';

/**
 * The cache key of one request and a reference to its entry, valid for one configuration. There may be a million handles, so each is
 * only one object and one string.
 */
export class CacheHandle {
  readonly counters: readonly string[];
  /** The entry's time to live, in milliseconds. */
  readonly ttl: number;
  /** Proves that the entry has every recent commit. Null if entries only expire by age. */
  readonly freshness: Freshness | null;
  readonly #generations: Generations;
  /** The hash of the request, a space, and the generations of `reads`. */
  #key: string;
  #epoch = -1;
  #ref: EntryRef | null = null;

  /**
   * @param question the hash of the request; contains no space
   * @param reads the counters that the answer depends on
   */
  constructor(
    question: string,
    reads: readonly string[],
    ttl: number,
    freshness: Freshness | null,
    generations: Generations,
  ) {
    this.counters = reads;
    this.ttl = ttl;
    this.freshness = freshness;
    this.#generations = generations;
    this.#key = `${question} `;
  }

  /** The key with the current generations. Take it before you send the query: a write that the query may miss changes the key. */
  key(): string {
    if (this.#epoch !== this.#generations.epoch) {
      this.#epoch = this.#generations.epoch;
      const question = this.#key.slice(0, this.#key.indexOf(' ') + 1);
      this.#key = question + this.#generations.currentCounts(this.counters);
      this.#ref = null;
    }
    return this.#key;
  }

  /** Whether a commit with unknown outcome may still change the answer. Then the answer is neither stored nor served. */
  isSuspended(): boolean {
    return this.#generations.isSuspended(this.counters);
  }

  /**
   * The current entry if it is younger than `ttl` and its own lifetime; synchronous. Serve it only if its freshness is proved.
   * @param now the time by `performance.now()`
   */
  freshEntry(results: { refOf(key: string): EntryRef | null }, now: number): CacheEntry | null {
    if (this.isSuspended()) return null;
    const key = this.key();
    if (!this.#ref?.entry) this.#ref = results.refOf(key);
    const entry = this.#ref?.entry ?? null;
    return entry !== null && now - entry.storedAt < Math.min(this.ttl, entry.lifetimeMs) ? entry : null;
  }
}

/** Everything that an answer depends on, except the data, whose generations are appended to the key. Permissions are checked earlier. */
export interface CacheQuestion {
  /** The version of settings and catalogues together; changes with either. */
  readonly version: number;
  readonly resource: string;
  readonly action: string;
  readonly language: string | null;
  /** What the answer shows to this caller alone; null if nothing. */
  readonly view: CallerView | null;
  /** The key of the caller's row filter, so that callers with equal filters share an entry; null: all rows. */
  readonly rows: string | null;
  /** The parameters as received. */
  readonly params: JsonObject;
}

/**
 * The key of a request: JSON with sorted parameters, so that their order does not matter. Pure.
 * @param toJson must write every digit of a number, or two different requests could share a key
 */
export function keyOf(question: CacheQuestion, toJson: (value: JsonObject) => string): string {
  const { params, view, ...others } = question;
  const sorted = Object.fromEntries(Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1)));
  return toJson({
    view: view && { ...view, may: { ...view.may }, extremes: view.extremes && { ...view.extremes } },
    params: sorted,
    ...others,
  });
}
