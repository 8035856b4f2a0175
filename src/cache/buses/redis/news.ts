import type { Steps } from '../../../values/slices.ts';
import { readEntry } from './messages.ts';
import type { Suspensions } from './suspensions.ts';

/** Members whose numbers are kept. */
const most = 10_000;

/** The stream of messages, as one member hears it. */
export class News {
  /** The id of the last entry that was heard. */
  last: string;
  readonly #name: string;
  readonly #suspensions: Suspensions;
  /** Of each other member the number of its last entry. */
  readonly #numbers = new Map<string, number>();

  /**
   * @param last the entry after which it begins
   * @param name of this member, whose own entries are left out
   */
  constructor(last: string, name: string, suspensions: Suspensions) {
    this.last = last;
    this.#name = name;
    this.#suspensions = suspensions;
  }

  /**
   * Delivers the messages of entries. Throws where an entry before them was lost, or one cannot be read.
   * @param isOver whether the membership has ended: then nothing more is delivered
   * @returns of each member that waits for it, the last entry
   */
  *hear(entries: readonly unknown[], isOver: () => boolean): Steps<ReadonlyMap<string, string>> {
    const awaited = new Map<string, string>();
    for (const one of entries) {
      const { id, from, nth, isAwaited, messages } = readEntry(one);
      if (from !== this.#name) {
        const before = this.#numbers.get(from);
        if (before !== undefined && nth !== before + 1) throw new Error(lost);
        if (this.#numbers.size >= most) this.#numbers.clear();
        this.#numbers.set(from, nth);
        for (const message of messages) {
          yield;
          // Meanwhile the process may have become another member, which has the suspensions that are open since.
          if (isOver()) throw new Error('the membership has ended');
          this.#suspensions.hear(from, message);
        }
        if (isAwaited) awaited.set(from, id);
      }
      this.last = id;
    }
    return awaited;
  }
}

export const lost = 'entries of the stream at the Redis server are lost';
