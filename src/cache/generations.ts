/** Limit of the counters, far above the tables of any server: other gateways may send any name, and memory must not grow. */
const maxCounters = 200_000;

/**
 * A counter per table and per server. The counts are part of an entry's key: after a write has bumped them, no key matches the old
 * entry, and nothing has to be searched or deleted (docs/caching.md). A bump sets its counters to the new epoch, so a count also
 * tells in which epoch it was bumped last.
 */
export class Generations {
  readonly #counts = new Map<string, number>();
  /** When each counter was bumped last, by `performance.now()`. */
  readonly #times = new Map<string, number>();
  #forgottenAt = Number.NEGATIVE_INFINITY;
  /** Suspended counters, each with the number of commits that may still change its table: their outcome is unknown. */
  readonly suspended = new Map<string, number>();
  /** The epoch of the last `invalidateAll`. */
  #forgotten = 0;
  #epoch = 0;

  /** Changes whenever any count changes. A key from an earlier epoch must be rebuilt. */
  get epoch(): number {
    return this.#epoch;
  }

  /** The current counts, as a part of an entry's key. Take them before you send the query: it may miss a write that bumps them later. */
  currentCounts(counters: readonly string[]): string {
    return `${this.#forgotten}:${counters.map((counter) => this.#counts.get(counter) ?? 0).join('.')}`;
  }

  /** The newest epoch in which any of these counters was bumped; 0 if none was. */
  lastBumpEpoch(counters: readonly string[]): number {
    let last = this.#forgotten;
    for (const counter of counters) last = Math.max(last, this.#counts.get(counter) ?? 0);
    return last;
  }

  /**
   * When any of these counters was last bumped, by `performance.now()`. A replica that has reached the primary's log position of this
   * time has every commit that caused these bumps. Call it after `now`, or it may miss the newest bump in the key.
   */
  lastBumpTime(counters: readonly string[]): number {
    let last = this.#forgottenAt;
    for (const counter of counters) last = Math.max(last, this.#times.get(counter) ?? last);
    return last;
  }

  /**
   * When this counter was last bumped, by `performance.now()`; null if it never was, or if another one was bumped since.
   * @param others counters whose bumps may also stand for a change of this table
   */
  lastOwnBumpTime(own: string, others: readonly string[]): number | null {
    const at = this.#times.get(own);
    return at !== undefined && others.every((other) => (this.#times.get(other) ?? at) <= at) ? at : null;
  }

  /** Begins a new epoch without bumping any counter, and returns the epoch. */
  advance(): number {
    this.#epoch++;
    return this.#epoch;
  }

  /** Invalidates every entry. */
  invalidateAll(): void {
    this.#counts.clear();
    this.#times.clear();
    this.#forgotten = this.advance();
    this.#forgottenAt = performance.now();
  }

  /** Invalidates every entry with one of these counters in its key. Call it after the commit and before the write is answered. */
  bump(counters: readonly string[]): void {
    if (this.#counts.size > maxCounters) this.invalidateAll();
    const epoch = this.advance();
    const now = performance.now();
    for (const counter of counters) {
      this.#counts.set(counter, epoch);
      this.#times.set(counter, now);
    }
  }

  /**
   * Stops storing and serving entries with these counters in their keys until the returned function is called, because a commit with
   * unknown outcome may still happen.
   */
  suspend(counters: readonly string[]): () => void {
    for (const counter of counters) this.suspended.set(counter, (this.suspended.get(counter) ?? 0) + 1);
    return () => {
      for (const counter of counters) {
        const remaining = (this.suspended.get(counter) ?? 1) - 1;
        if (remaining === 0) this.suspended.delete(counter);
        else this.suspended.set(counter, remaining);
      }
      this.bump(counters);
    };
  }

  isSuspended(counters: readonly string[]): boolean {
    return this.suspended.size > 0 && counters.some((counter) => this.suspended.has(counter));
  }
}
