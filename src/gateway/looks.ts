import type { Look } from './watched-resources.ts';

interface Waiting extends Look {
  /** By `performance.now()`. */
  readonly due: number;
  isHeard: boolean;
}

/**
 * Keeps what looks have found until no other process serves anything older: a client may read from another one than has sent it an
 * event.
 */
export class Looks {
  readonly #waiting: Waiting[] = [];

  /**
   * @param wait milliseconds after which the proofs of all others are later than the look
   * @param heard resolves when all others have heard what this process has heard
   */
  add(look: Look, now: number, wait: number, heard: Promise<void>): void {
    const waiting = { ...look, due: now + wait, isHeard: false };
    this.#waiting.push(waiting);
    heard.then(() => {
      waiting.isHeard = true;
    });
  }

  /** Those that wait no longer, in their order. */
  take(now: number): readonly Look[] {
    const first = this.#waiting.findIndex(({ due, isHeard }) => !isHeard || due > now);
    return this.#waiting.splice(0, first < 0 ? this.#waiting.length : first);
  }
}
