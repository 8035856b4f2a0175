import type { Look } from './watched-resources.ts';

interface Waiting extends Look {
  /** When the changes may be announced, by `performance.now()`, if `isSynced` is true by then. */
  readonly due: number;
  isSynced: boolean;
}

/**
 * Holds changes back until no other process serves an older answer: a client that gets a notice from this process may then read from
 * another one. Each database has a queue of its own, so it need not wait for a slower one.
 */
export class PendingLooks {
  readonly #waiting = new Map<string, Waiting[]>();

  /**
   * @param due when no other process can serve a cached answer from before these changes, by `performance.now()`
   * @param synced resolves when all other processes have received what the bus has told this one; null: nothing to wait for
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

  /** Removes and returns the looks whose wait is over. Looks of one database stay in order. */
  take(now: number): readonly Look[] {
    return [...this.#waiting.values()].flatMap((waiting) => {
      const first = waiting.findIndex(({ due, isSynced }) => !isSynced || due > now);
      return waiting.splice(0, first < 0 ? waiting.length : first);
    });
  }
}
