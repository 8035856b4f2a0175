/**
 * A counter per table, and per server. A cached answer is known under the counts of its time: a write raises them, and
 * nobody asks for the old answer any more. Nothing is scanned, nothing is cleared (design part 7).
 */
export class Generations {
  readonly #counts = new Map<string, number>();
  /** Counters that somebody may still raise without our knowing, by how many. */
  readonly suspended = new Map<string, number>();
  #forgotten = 0;
  #epoch = 0;

  /** Another number whenever any count has changed: what was made of the counts before must be made anew. */
  get epoch(): number {
    return this.#epoch;
  }

  /** The counts as they are now; part of the key under which an answer is kept. Take it before the database is asked. */
  now(counters: readonly string[]): string {
    return `${this.#forgotten}:${counters.map((counter) => this.#counts.get(counter) ?? 0).join('.')}`;
  }

  /** Makes everything old. */
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
   * Until the returned function is called, what depends on these counters is neither kept nor found: a commit whose outcome is
   * unknown may still happen.
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
