import { setTimeout as sleep } from 'node:timers/promises';
import { moveToEnd, newestOfBusiestClient } from './queue.ts';

/** Limit of waiting counts per database. */
const maxWaiting = 20;
/** How many times as long as the last count we pause before the next one. */
const pauseFactor = 9;

interface Count {
  /** Identifies the client: all its calls pass the same name. */
  readonly client: string;
  readonly condition: string;
  readonly run: () => Promise<void>;
}

/**
 * Exact counts in the background: one at a time per database, and for at most a tenth of the time. Clients take turns, so that many
 * counts for one client don't delay the counts for others.
 */
export class BackgroundCounts {
  readonly #pause: (milliseconds: number) => Promise<unknown>;
  /** The waiting counts; the first one runs next. */
  readonly #waiting = new Set<Count>();
  #isRunning = false;
  /** The condition that is being counted. */
  #current: string | null = null;

  /** @param pause waits between two counts; tests replace it */
  constructor(pause = (milliseconds: number): Promise<unknown> => sleep(milliseconds, null, { ref: false })) {
    this.#pause = pause;
  }

  /** Whether a count of this condition waits or runs. Else it has succeeded or failed, or was dropped because the queue was full. */
  has(condition: string): boolean {
    return this.#current === condition || this.#waits(condition);
  }

  /** Queues a count, unless its condition is queued already. If the queue is full, the client with the most counts loses its newest one. */
  add(count: Count): void {
    if (this.#waits(count.condition)) return;
    this.#waiting.add(count);
    const dropped = this.#waiting.size > maxWaiting ? newestOfBusiestClient(this.#waiting) : null;
    if (dropped !== null) this.#waiting.delete(dropped);
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
      moveToEnd(this.#waiting, count.client);
      const began = performance.now();
      this.#current = count.condition;
      // A failed count is queued again when another call needs its total.
      await count.run().catch(() => undefined);
      this.#current = null;
      await this.#pause(pauseFactor * (performance.now() - began));
    }
    this.#isRunning = false;
  }
}
