/** The time that a call has spent on its database, in milliseconds. */
export interface Spent {
  /** The wait for a free connection. */
  waited: number;
  /** The time of all statements, from sending each until its whole result has arrived. */
  queried: number;
}

/** Passes batches on, and adds the time spent waiting for them to `spent`. The reader's own time between batches does not count. */
export async function* meteredBatches<T>(batches: AsyncIterable<T>, spent: Spent): AsyncGenerator<T, void> {
  let waitingSince: number | null = performance.now();
  const stop = () => {
    if (waitingSince !== null) spent.queried += performance.now() - waitingSince;
    waitingSince = null;
  };
  try {
    for await (const batch of batches) {
      stop();
      yield batch;
      waitingSince = performance.now();
    }
  } finally {
    stop();
  }
}
