import { setTimeout as sleep } from 'node:timers/promises';

/** The most counts that wait on one database. */
const most = 20;
/** A count of so many milliseconds is followed by so many times as many of rest. */
const rest = 9;

/** Exact counts in the background: one at a time on each database, and a tenth of the time at most. */
export class BackgroundCounts {
  readonly #waiting = new Map<string, () => Promise<void>>();
  #isRunning = false;

  /** Counts this condition later, once for all calls that ask. A count that finds no place is left out. */
  add(condition: string, count: () => Promise<void>): void {
    if (this.#waiting.size < most) this.#waiting.set(condition, count);
    if (!this.#isRunning) this.#run();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    for (const [condition, count] of this.#waiting) {
      this.#waiting.delete(condition);
      const began = performance.now();
      await count().catch(() => undefined);
      await sleep(rest * (performance.now() - began), null, { ref: false });
    }
    this.#isRunning = false;
  }
}
