/** The longest sleep in milliseconds: `active` until a second after the last query, then `idle`. */
const maxNapMs = { active: 10, idle: 100 };
const activeMs = 1000;

/**
 * Makes the thread that reads logs sleep between turns of its event loop, so that it reads many commits at once: waking up for each commit
 * costs gateway and server more than reading it. A query for changed tables wakes it, and keeps it awake until the query is answered.
 */
export class ThreadSleep {
  /** How many queries have come, in memory shared with the main thread, which notifies this thread of each new one. */
  readonly #bell: Int32Array;
  #lastBell: number;
  /** The databases whose logs are open. If there are none, no data arrives, and sleeping would save nothing. */
  readonly #open = new Set<string>();
  #questions = 0;
  #askedAt = 0;
  #isPlanned = false;

  constructor(bell: Int32Array) {
    this.#bell = bell;
    this.#lastBell = Atomics.load(bell, 0);
  }

  opened(database: string): void {
    this.#open.add(database);
    this.#plan();
  }

  closed(database: string): void {
    this.#open.delete(database);
  }

  /** Stays awake until the query is answered. */
  async awake<T>(answer: Promise<T>): Promise<T> {
    this.#questions++;
    this.#askedAt = performance.now();
    try {
      return await answer;
    } finally {
      this.#questions--;
      this.#plan();
    }
  }

  /** Sleeps after the next turn of the event loop, in which the thread reads what has arrived. */
  #plan(): void {
    if (this.#isPlanned || this.#open.size === 0 || this.#questions > 0) return;
    this.#isPlanned = true;
    setImmediate(() => {
      this.#isPlanned = false;
      if (this.#open.size === 0 || this.#questions > 0) return;
      const napMs = performance.now() - this.#askedAt < activeMs ? maxNapMs.active : maxNapMs.idle;
      Atomics.wait(this.#bell, 0, this.#lastBell, napMs);
      this.#lastBell = Atomics.load(this.#bell, 0);
      this.#plan();
    });
  }
}
