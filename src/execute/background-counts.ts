import { setTimeout as sleep } from 'node:timers/promises';
import { crowding, toTheEnd } from './queue.ts';

/** The most counts that wait on one database. */
const most = 20;
/** A count of so many milliseconds is followed by so many times as many of rest. */
const rest = 9;

interface Count {
  /** The name under which all calls of a client count. */
  readonly client: string;
  readonly condition: string;
  readonly run: () => Promise<void>;
}

/**
 * Exact counts in the background: one at a time on each database, and a tenth of the time at most. Clients take turns, so none of them
 * can keep the counts of others waiting by asking for many.
 */
export class BackgroundCounts {
  /** In the order of their turns. */
  readonly #waiting = new Set<Count>();
  #isRunning = false;
  /** The condition that is counted at this moment. */
  #counted: string | null = null;

  /** Whether this condition waits or is counted. If it is not, its count has succeeded, failed, or found no place. */
  has(condition: string): boolean {
    return this.#counted === condition || this.#waits(condition);
  }

  /** Counts this condition later, once for all calls that ask. Where too many wait, the client that has most loses its last one. */
  add(count: Count): void {
    if (this.#waits(count.condition)) return;
    this.#waiting.add(count);
    const left = this.#waiting.size > most ? crowding(this.#waiting) : null;
    if (left !== null) this.#waiting.delete(left);
    if (!this.#isRunning) this.#run();
  }

  #waits(condition: string): boolean {
    for (const waiting of this.#waiting) if (waiting.condition === condition) return true;
    return false;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    for (const count of this.#waiting) {
      this.#waiting.delete(count);
      toTheEnd(this.#waiting, count.client);
      const began = performance.now();
      this.#counted = count.condition;
      // A later call for its total begins it again.
      await count.run().catch(() => undefined);
      this.#counted = null;
      await sleep(rest * (performance.now() - began), null, { ref: false });
    }
    this.#isRunning = false;
  }
}
