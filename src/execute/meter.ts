import type { Database } from './database.ts';

/** What a call has cost its database, in milliseconds. */
export interface Spent {
  /** Waiting for a connection. */
  waited: number;
  /** In statements, from when they were sent until all of the answer was there. */
  queried: number;
}

export const unspent = (): Spent => ({ waited: 0, queried: 0 });

/** The same database; what its sessions are waited for and do is added to `spent`. */
export function metered(database: Database, spent: Spent): Database {
  return {
    ...database,
    async use(work, gone) {
      const asked = performance.now();
      let isLent = false;
      const lent = () => {
        if (!isLent) spent.waited += performance.now() - asked;
        isLent = true;
      };
      try {
        return await database.use((session) => {
          lent();
          return work({
            ...session,
            async run(statement, bounds) {
              const sent = performance.now();
              try {
                return await session.run(statement, bounds);
              } finally {
                spent.queried += performance.now() - sent;
              }
            },
          });
        }, gone);
      } finally {
        // Where none was free, the wait was all there was.
        lent();
      }
    },
  };
}

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
