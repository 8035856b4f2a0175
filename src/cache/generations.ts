/**
 * A counter per table and per server. The counts are part of an entry's key. A write bumps them, so no later key matches the
 * old entry. Nothing is scanned, nothing is cleared (docs/caching.md).
 */
export class Generations {
  readonly #counts = new Map<string, number>();
  /** Counters that an unfinished commit may still bump, with the number of such commits. */
  readonly suspended = new Map<string, number>();
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

  /** Invalidates every entry. */
  forget(): void {
    this.#forgotten++;
    this.#epoch++;
  }

  /** Call after the commit and before its answer. */
  bump(counters: readonly string[]): void {
    this.#epoch++;
    for (const counter of counters) this.#counts.set(counter, (this.#counts.get(counter) ?? 0) + 1);
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
