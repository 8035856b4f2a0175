/** The time that a call has spent on its database, in milliseconds. */
export interface Spent {
  /** Waiting for a connection. */
  waited: number;
  /** In statements, from sending until the whole result has arrived. */
  queried: number;
}

export const unspent = (): Spent => ({ waited: 0, queried: 0 });

/** The same batches. The time spent waiting for them is added to `spent`; the reader's own time is not. */
export async function* meteredBatches<T>(batches: AsyncIterable<T>, spent: Spent): AsyncGenerator<T, void> {
  let asked: number | null = performance.now();
  const stop = () => {
    if (asked !== null) spent.queried += performance.now() - asked;
    asked = null;
  };
  try {
    for await (const batch of batches) {
      stop();
      yield batch;
      asked = performance.now();
    }
  } finally {
    stop();
  }
}
