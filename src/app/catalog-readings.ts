import { InFlight } from '../values/in-flight.ts';

/** A catalogue that was read again. */
export interface Reading {
  /** Milliseconds. */
  readonly took: number;
  /** Whether the tables differ from those of the reading before. */
  readonly changed: boolean;
}

/** Milliseconds between two readings of a database because of calls that failed. */
const afterFailure = 5000;
/** Milliseconds between two readings because of writes of others, at least, and as a multiple of the time of one. */
const leastPause = 500;
const pausePerRead = 20;

/** Decides when a catalogue is read again. Callers at the same time share one reading. */
export class CatalogReadings {
  readonly #read: (database: string) => Promise<Reading | null>;
  readonly #running = new InFlight<string, void>();
  /** The last reading of each database, and when it ended on the monotonic clock. */
  readonly #last = new Map<string, Reading & { readonly at: number }>();

  /** @param read reads a catalogue and puts it into service; null if it could not */
  constructor(read: (database: string) => Promise<Reading | null>) {
    this.#read = read;
  }

  /** Reads at once, or waits for the reading under way. */
  now(database: string): Promise<void> {
    return this.#running.share(database, () => this.#note(database));
  }

  /** Reads after writes of others, which may have changed the catalogue. A large one takes long, so it is not read as often. */
  async soon(database: string): Promise<void> {
    if (this.#isRested(database)) await this.now(database);
  }

  /**
   * Reads again for a call that its catalogue has misled, where that may help.
   * @param isNewer whether a newer catalogue than that of the call is in service
   * @param isChanged asks the server whether the table of the call is another one than in the catalogue of the call
   * @returns `isNewer`, afterwards
   */
  async again(
    database: string,
    why: 'refused' | 'failed',
    isNewer: () => boolean,
    isChanged: () => Promise<boolean>,
  ): Promise<boolean> {
    if (!isNewer() && this.#mayHelp(database, why)) await this.now(database);
    // A reading that was under way may have begun before the change.
    if (!isNewer() && (await isChanged()) && !isNewer()) await this.now(database);
    return isNewer();
  }

  /** Resolves when no reading is under way. */
  ended(): Promise<void> {
    return this.#running.ended();
  }

  /**
   * A call that failed after a reading without a change will fail again. A reading that shows a change may have come in the middle of
   * it: a table that is exchanged has no name for a moment.
   */
  #mayHelp(database: string, why: 'refused' | 'failed'): boolean {
    const last = this.#last.get(database);
    if (last === undefined || performance.now() - last.at >= afterFailure) return true;
    return last.changed && (why === 'failed' || this.#isRested(database));
  }

  /** Whether the last reading is so long ago that another one costs little. */
  #isRested(database: string): boolean {
    const last = this.#last.get(database);
    return last === undefined || performance.now() - last.at >= Math.max(leastPause, pausePerRead * last.took);
  }

  async #note(database: string): Promise<void> {
    const reading = await this.#read(database);
    if (reading !== null) this.#last.set(database, { ...reading, at: performance.now() });
  }
}
