/** What a call has cost its database, in milliseconds. */
export interface Spent {
  /** Waiting for a connection. */
  waited: number;
  /** In statements, from when they were sent until all of the answer was there. */
  queried: number;
}

export const unspent = (): Spent => ({ waited: 0, queried: 0 });

/** The same batches; what they are waited for is added to `spent`, what their reader takes is not. */
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
