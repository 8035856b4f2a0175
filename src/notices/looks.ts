import type { Look } from './watched-resources.ts';

interface Waiting extends Look {
  /** By `performance.now()`. */
  readonly due: number;
  isHeard: boolean;
}

/**
 * Keeps what looks have found until no other process serves anything older: a client may read from another one than has sent it an
 * event. What is found in one database does not wait for another.
 */
export class Looks {
  readonly #waiting = new Map<string, Waiting[]>();

  /**
   * @param due when the proofs of all others are later than what the look has found, by `performance.now()`
   * @param heard resolves when all others have heard what this process has heard; null: they have
   */
  add(look: Look, due: number, heard: Promise<void> | null): void {
    const waiting = { ...look, due, isHeard: heard === null };
    const ofDatabase = this.#waiting.get(look.database) ?? [];
    this.#waiting.set(look.database, ofDatabase);
    ofDatabase.push(waiting);
    heard?.then(() => {
      waiting.isHeard = true;
    });
  }

  /** Those that wait no longer, in their order for each database. */
  take(now: number): readonly Look[] {
    return [...this.#waiting.values()].flatMap((waiting) => {
      const first = waiting.findIndex(({ due, isHeard }) => !isHeard || due > now);
      return waiting.splice(0, first < 0 ? waiting.length : first);
    });
  }
}
