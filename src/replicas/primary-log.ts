import type { Position } from '../model/replication.ts';
import { clockDrift, type Moment, momentNow } from '../values/clocks.ts';
import { InFlight } from '../values/in-flight.ts';

/** A position in the primary's log, and when its query was sent. Null if the server has no positions. */
interface Sample extends Moment {
  readonly position: Position | null;
}

const maxSamples = 500;
/** We ask for a new position ahead of the next read only if the last one is older than this many milliseconds. */
const minPauseMs = 20;

/** Remembers how far a primary's log was at which time. It only queries the primary when a read needs that; waiting reads share one query. */
export class PrimaryLog {
  readonly #ask: () => Promise<Position | null>;
  /** The samples, oldest first. */
  #samples: readonly Sample[] = [];
  readonly #running = new InFlight<'position', void>();

  /** @param ask returns the current position; null if the server has no positions */
  constructor(ask: () => Promise<Position | null>) {
    this.#ask = ask;
  }

  /** The latest position that the primary has reported. */
  get newest(): Position | null {
    return this.#samples.at(-1)?.position ?? null;
  }

  /**
   * Returns a position that covers every commit that clients had been told about at a moment; null if the server has no positions.
   * Throws as `ask` does.
   * @param moment by `performance.now()`
   */
  async since(moment: number): Promise<Position | null> {
    for (;;) {
      // Take the oldest sample that is late enough: a lagging replica reaches its position soonest.
      const lastTooEarly = this.#samples.findLastIndex(({ at, offset }) => at < moment || clockDrift(offset) > 0);
      const sample = this.#samples[lastTooEarly + 1];
      if (sample !== undefined) {
        // Ask ahead of the next read, so that it need not wait, and a replica has reached the new position by then.
        const { at } = this.#samples.at(-1) ?? sample;
        if (performance.now() - at > Math.max(at - moment, minPauseMs)) this.#sample().catch(() => undefined);
        return sample.position;
      }
      // We may share a query that was sent before `moment`, and misses the latest commits. Then the loop sends another one.
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
