/** Runs long work in slices: between two slices the event loop serves other requests. */

/** Work that can pause at each `yield`. A slice runs steps until `sliceMs` have passed, and finishes the current step. */
export type Steps<T> = Generator<undefined, T>;

/** Milliseconds for which one slice may block the event loop. */
const sliceMs = 5;

/**
 * Runs all steps and returns their value. If the work fits into one slice, it runs without a pause.
 * @throws what a step throws
 */
export async function inSlices<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const end = performance.now() + sliceMs;
    do {
      const step = steps.next();
      if (step.done === true) return step.value;
    } while (performance.now() < end);
    await turn();
  }
}

/** Runs steps to their end without a pause, and returns their value. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Tells an `async` function when it has blocked the event loop for a whole slice: `if (pace.isDue()) await pace.turn();` */
export class Pace {
  #end = performance.now() + sliceMs;

  isDue(): boolean {
    return performance.now() >= this.#end;
  }

  /** Yields to the event loop. */
  async turn(): Promise<void> {
    await turn();
    this.#end = performance.now() + sliceMs;
  }
}

/** Resolves after the event loop has processed its sockets and timers. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
