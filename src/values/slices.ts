/** Pure. Work that takes long is done a slice at a time: between two slices the event loop answers other requests. */

/** Steps of one piece of work; each `yield` is a place where the work may pause. A step should take microseconds. */
export type Steps<T> = Generator<undefined, T>;

/** Milliseconds that one slice may hold the event loop. */
const slice = 5;

/**
 * Runs steps to their end and gives their value. Work that fits into one slice is done at once, without a pause.
 * @throws what a step throws
 */
export async function inSlices<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const end = performance.now() + slice;
    do {
      const step = steps.next();
      if (step.done === true) return step.value;
    } while (performance.now() < end);
    await turn();
  }
}

/** Says when work inside an `async` function has held the event loop for a slice: `if (pace.isDue()) await pace.turn();` */
export class Pace {
  #end = performance.now() + slice;

  isDue(): boolean {
    return performance.now() >= this.#end;
  }

  /** Lets the event loop take its turn. */
  async turn(): Promise<void> {
    await turn();
    this.#end = performance.now() + slice;
  }
}

/** Resolves after the event loop has looked at its sockets and timers. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
