/** Milliseconds that the thread sleeps at most: while questions come, and a second after the last one. */
const nap = { asked: 10, idle: 100 };
const soon = 1000;

/**
 * Lets the thread that reads logs sleep between its turns, so that it reads many commits at once. Waking up for each one costs reader
 * and server more than reading it. A question rings the bell, and is answered awake.
 */
export class Naps {
  /** Counts the questions, in memory that both threads share. */
  readonly #bell: Int32Array;
  #heard: number;
  /** The databases whose logs are open. */
  readonly #open = new Set<string>();
  #questions = 0;
  #askedAt = 0;
  #isPlanned = false;

  constructor(bell: Int32Array) {
    this.#bell = bell;
    this.#heard = Atomics.load(bell, 0);
  }

  opened(database: string): void {
    this.#open.add(database);
    this.#plan();
  }

  closed(database: string): void {
    this.#open.delete(database);
  }

  /** Stays awake until the question is answered. */
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

  /** After the next turn: what has arrived is read before. */
  #plan(): void {
    if (this.#isPlanned || this.#open.size === 0 || this.#questions > 0) return;
    this.#isPlanned = true;
    setImmediate(() => {
      this.#isPlanned = false;
      if (this.#open.size === 0 || this.#questions > 0) return;
      const most = performance.now() - this.#askedAt < soon ? nap.asked : nap.idle;
      Atomics.wait(this.#bell, 0, this.#heard, most);
      this.#heard = Atomics.load(this.#bell, 0);
      this.#plan();
    });
  }
}
