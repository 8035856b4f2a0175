/** More than the tables of any server: what other gateways name may be anything. */
const mostCounters = 200_000;

/**
 * A counter per table and per server. The counts are part of an entry's key. A write bumps them, so no later key matches the
 * old entry. Nothing is scanned, nothing is cleared (docs/caching.md). A bump sets its counters to the new epoch, so that each
 * also says when it was bumped last.
 */
export class Generations {
  readonly #counts = new Map<string, number>();
  /** When each was bumped last, by `performance.now()`. */
  readonly #times = new Map<string, number>();
  #forgottenAt = Number.NEGATIVE_INFINITY;
  /** Counters that an unfinished commit may still bump, with the number of such commits. */
  readonly suspended = new Map<string, number>();
  /** The epoch of the last `forget`. */
  #forgotten = 0;
  #epoch = 0;

  /** Changes whenever any count changes: a key built from earlier counts must be built again. */
  get epoch(): number {
    return this.#epoch;
  }

  /** The current counts, as part of an entry's key. Take them before the query is sent. */
  now(counters: readonly string[]): string {
    return `${this.#forgotten}:${counters.map((counter) => this.#counts.get(counter) ?? 0).join('.')}`;
  }

  /** The epoch in which one of these counters was bumped last; 0 if none was. */
  changedAt(counters: readonly string[]): number {
    let last = this.#forgotten;
    for (const counter of counters) last = Math.max(last, this.#counts.get(counter) ?? 0);
    return last;
  }

  /**
   * When one of these counters was bumped last, by `performance.now()`: the commits that were the reason are older. Take it after the
   * counts of a key, never before them.
   */
  bumpedAt(counters: readonly string[]): number {
    let last = this.#forgottenAt;
    for (const counter of counters) last = Math.max(last, this.#times.get(counter) ?? last);
    return last;
  }

  /** Begins an epoch in which no counter is bumped, and returns it. */
  advance(): number {
    this.#epoch++;
    return this.#epoch;
  }

  /** Invalidates every entry. */
  forget(): void {
    this.#counts.clear();
    this.#times.clear();
    this.#forgotten = this.advance();
    this.#forgottenAt = performance.now();
  }

  /** Call after the commit and before its answer. */
  bump(counters: readonly string[]): void {
    if (this.#counts.size > mostCounters) this.forget();
    const epoch = this.advance();
    const now = performance.now();
    for (const counter of counters) {
      this.#counts.set(counter, epoch);
      this.#times.set(counter, now);
    }
  }

  /**
   * Until the returned function is called, entries over these counters are neither stored nor served. A commit with unknown
   * outcome may still happen.
   */
  suspend(counters: readonly string[]): () => void {
    for (const counter of counters) this.suspended.set(counter, (this.suspended.get(counter) ?? 0) + 1);
    return () => {
      for (const counter of counters) {
        const left = (this.suspended.get(counter) ?? 1) - 1;
        if (left === 0) this.suspended.delete(counter);
        else this.suspended.set(counter, left);
      }
      this.bump(counters);
    };
  }

  isSuspended(counters: readonly string[]): boolean {
    return this.suspended.size > 0 && counters.some((counter) => this.suspended.has(counter));
  }
}
