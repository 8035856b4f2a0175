import type { Look } from './watched-resources.ts';

interface Waiting extends Look {
  /** The earliest time at which the changes may be announced, by `performance.now()`. `isSynced` must also be true. */
  readonly due: number;
  isSynced: boolean;
}

/**
 * Holds changes back until no other process serves an older answer, because a client that gets a notice from this process may then read from
 * another. Each database has its own queue, so it need not wait for a slower one.
 */
export class PendingLooks {
  readonly #waiting = new Map<string, Waiting[]>();

  /**
   * @param due when no other process can serve a cached answer from before these changes any more, by `performance.now()`
   * @param synced resolves when all other processes have received what this one has received over the bus; null if there is nothing to wait
   * for
   */
  add(look: Look, due: number, synced: Promise<void> | null): void {
    const waiting = { ...look, due, isSynced: synced === null };
    const ofDatabase = this.#waiting.get(look.database) ?? [];
    this.#waiting.set(look.database, ofDatabase);
    ofDatabase.push(waiting);
    synced?.then(() => {
      waiting.isSynced = true;
    });
  }

  /** Removes and returns the looks whose wait is over. The looks at one database stay in order. */
  take(now: number): readonly Look[] {
    return [...this.#waiting.values()].flatMap((waiting) => {
      const first = waiting.findIndex(({ due, isSynced }) => !isSynced || due > now);
      return waiting.splice(0, first < 0 ? waiting.length : first);
    });
  }
}
