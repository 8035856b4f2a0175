import { InFlight } from '../values/in-flight.ts';

/** The result of reading a catalogue again. */
export interface Reading {
  /** How long the reading took, in milliseconds. */
  readonly durationMs: number;
  /** Whether the tables differ from the previous reading's. */
  readonly changed: boolean;
}

/** For this many milliseconds after a reading, failed calls usually don't cause another one. */
const failurePauseMs = 5000;
/** The pause between readings caused by other clients' writes: a multiple of the last reading's duration, and at least `minPauseMs`. */
const minPauseMs = 500;
const pausePerRead = 20;

/** Decides when to read a catalogue again. Concurrent callers share one reading. */
export class CatalogReadings {
  readonly #read: (database: string) => Promise<Reading | null>;
  readonly #running = new InFlight<string, void>();
  /** Each database's last reading, and when it ended, by `performance.now()`. */
  readonly #last = new Map<string, Reading & { readonly at: number }>();

  /** @param read reads a catalogue and puts it into service; returns null if it could not */
  constructor(read: (database: string) => Promise<Reading | null>) {
    this.#read = read;
  }

  /** Reads the catalogue now, or waits for the reading that is already running. */
  now(database: string): Promise<void> {
    return this.#running.share(database, () => this.#readAndRemember(database));
  }

  /** Reads the catalogue after another client's write, which may have been DDL. The longer a catalogue takes to read, the less often we do so. */
  async soon(database: string): Promise<void> {
    if (this.#isPauseOver(database)) await this.now(database);
  }

  /**
   * Reads the catalogue again for a failed call, if that call's catalogue may have been outdated.
   * @param isNewer whether a newer catalogue than the call's is in service
   * @param isChanged asks the server whether the table differs from the call's catalogue
   * @returns whether a newer catalogue is in service now
   */
  async again(
    database: string,
    why: 'refused' | 'failed',
    isNewer: () => boolean,
    isChanged: () => Promise<boolean>,
  ): Promise<boolean> {
    if (!isNewer() && this.#mayHelp(database, why)) await this.now(database);
    // The reading that we shared may have begun before the table was changed.
    if (!isNewer() && (await isChanged()) && !isNewer()) await this.now(database);
    return isNewer();
  }

  /** Resolves when no reading is running. */
  ended(): Promise<void> {
    return this.#running.ended();
  }

  /**
   * Whether reading the catalogue again may help a failed call. If the last reading showed no change, the call would fail again. If it did
   * show one, it may have come too early: while a table is swapped by renaming, its name is missing for a moment.
   */
  #mayHelp(database: string, why: 'refused' | 'failed'): boolean {
    const last = this.#last.get(database);
    if (last === undefined || performance.now() - last.at >= failurePauseMs) return true;
    return last.changed && (why === 'failed' || this.#isPauseOver(database));
  }

  /** Whether the next reading may start: after each one we wait twenty times its duration, so reading takes at most 5 % of the time. */
  #isPauseOver(database: string): boolean {
    const last = this.#last.get(database);
    return last === undefined || performance.now() - last.at >= Math.max(minPauseMs, pausePerRead * last.durationMs);
  }

  async #readAndRemember(database: string): Promise<void> {
    const reading = await this.#read(database);
    if (reading !== null) this.#last.set(database, { ...reading, at: performance.now() });
  }
}
