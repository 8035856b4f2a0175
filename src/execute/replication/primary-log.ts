import type { Position } from '../../model/replication.ts';
import { goneApart, momentNow } from '../../values/clocks.ts';

/** Milliseconds between two samples that are kept, and their number: enough for a lag of ten seconds. */
const apart = 20;
const most = 500;

interface Sample {
  readonly position: Position | null;
  /** When it was asked for, by `performance.now()`. */
  readonly sent: number;
  /** The wall clock minus the monotonic one, at that moment. */
  readonly offset: number;
}

/** How far the log of a primary was, and when. It is asked only when a read needs that; reads that wait share a question. */
export class PrimaryLog {
  readonly #ask: () => Promise<Position | null>;
  #last: Sample | null = null;
  #running: { readonly sent: number; readonly done: Promise<Sample> } | null = null;
  /** The oldest first. */
  readonly #kept: Sample[] = [];

  /** @param ask returns the current position; null: the server has none */
  constructor(ask: () => Promise<Position | null>) {
    this.#ask = ask;
  }

  /** The last position that it gave. */
  get newest(): Position | null {
    return this.#last?.position ?? null;
  }

  /**
   * A position that covers every commit that a client knew of at a moment; null: the server has none. Throws as `ask` does.
   * @param moment by `performance.now()`
   */
  async since(moment: number): Promise<Position | null> {
    const last = this.#last;
    if (last !== null && last.sent >= moment && goneApart(last.offset) === 0) {
      // The oldest that will do: a replica that lags has it first.
      const before = this.#kept.findLastIndex(({ sent }) => sent < moment);
      return (this.#kept[before + 1] ?? last).position;
    }
    // A question that was sent too early may be answered without the latest commits. The next one is shared by all reads that wait.
    const early = this.#running;
    if (early !== null && early.sent < moment) await early.done.catch(() => undefined);
    return (await (this.#running?.done ?? this.#begin())).position;
  }

  /** For how many milliseconds, at least, a replica has been without a commit. 0: it shows all that are known. */
  lagOf(hasReached: (position: Position) => boolean): number {
    const next = this.#kept.findLastIndex(({ position }) => position === null || hasReached(position)) + 1;
    const missing = this.#kept[next];
    return missing === undefined ? 0 : performance.now() - missing.sent;
  }

  #begin(): Promise<Sample> {
    const { at: sent, offset } = momentNow();
    const done = this.#ask()
      .then((position) => {
        const sample = { position, sent, offset };
        this.#last = sample;
        const newest = this.#kept.at(-1);
        if (newest === undefined || sent - newest.sent >= apart) this.#kept.push(sample);
        if (this.#kept.length > most) this.#kept.shift();
        return sample;
      })
      .finally(() => {
        this.#running = null;
      });
    this.#running = { sent, done };
    return done;
  }
}
