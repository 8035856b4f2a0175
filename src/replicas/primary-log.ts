import type { Position } from '../model/replication.ts';
import { goneApart, type Moment, momentNow } from '../values/clocks.ts';
import { InFlight } from '../values/in-flight.ts';

/** A position, and the moment when the query for it was sent. Null: the server has none. */
interface Sample extends Moment {
  readonly position: Position | null;
}

const maxSamples = 500;
const minPauseMs = 20;

/** How far the log of a primary was, and when. The primary is asked only when a read needs that; reads that wait share one query. */
export class PrimaryLog {
  readonly #ask: () => Promise<Position | null>;
  /** The oldest first. */
  #samples: readonly Sample[] = [];
  readonly #running = new InFlight<'position', void>();

  /** @param ask returns the current position; null: the server has none */
  constructor(ask: () => Promise<Position | null>) {
    this.#ask = ask;
  }

  /** The latest position that the primary gave. */
  get newest(): Position | null {
    return this.#samples.at(-1)?.position ?? null;
  }

  /**
   * A position that covers every commit that a client knew of at a moment; null: the server has none. Throws as `ask` does.
   * @param moment by `performance.now()`
   */
  async since(moment: number): Promise<Position | null> {
    for (;;) {
      // The oldest sample that will do: a replica that lags reaches it first.
      const early = this.#samples.findLastIndex(({ at, offset }) => at < moment || goneApart(offset) > 0);
      const found = this.#samples[early + 1];
      if (found !== undefined) {
        // Asks before the next read has to wait, and so early that a replica has reached the position by then.
        const { at } = this.#samples.at(-1) ?? found;
        if (performance.now() - at > Math.max(at - moment, minPauseMs)) this.#sample().catch(() => undefined);
        return found.position;
      }
      // A query that was already sent may miss the latest commits: then the next one has to be waited for, too.
      await this.#sample();
    }
  }

  #sample(): Promise<void> {
    return this.#running.share('position', async () => {
      const moment = momentNow();
      const position = await this.#ask();
      this.#samples = [...this.#samples.slice(1 - maxSamples), { ...moment, position }];
    });
  }
}
