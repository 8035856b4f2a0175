import { setTimeout as sleep } from 'node:timers/promises';
import type { Blame, Statement } from '../plan.ts';
import type { Database, Session } from './database.ts';

/** A commit whose outcome nobody knows: the connection was lost while it was under way. */
export class UnknownOutcome extends Error {}

/** Another writer was faster: the whole call is tried again. */
export class Retry extends Error {}

/** How often a call is tried before a conflict is its answer. */
export const attempts = 12;

/** A statement without values. */
export const plain = (text: string): Statement => ({ text, values: [] });

/**
 * Runs `work` in one transaction and commits it; after a `Retry` the whole of it again, a few times, each after a wait.
 * Throws what `work` throws, the cause of the last `Retry`, or `UnknownOutcome`.
 */
export async function inTransaction(
  database: Database,
  blame: (error: unknown) => Blame,
  random: () => number,
  work: (session: Session, attempt: number) => Promise<void>,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await database.use(async (session) => {
        await session.run(plain('BEGIN'));
        try {
          await work(session, attempt);
        } catch (error) {
          await session.run(plain('ROLLBACK')).catch(() => undefined);
          throw error;
        }
        await commit(session, blame);
      });
    } catch (error) {
      const again = error instanceof Retry && attempt < attempts;
      if (!again) throw error instanceof Retry ? (error.cause ?? error) : error;
      // Writers who met once must not meet again: each waits a time of its own, longer every time.
      await sleep(random() * Math.min(20 * 2 ** attempt, 1000));
    }
  }
}

async function commit(session: Session, blame: (error: unknown) => Blame): Promise<void> {
  try {
    await session.run(plain('COMMIT'));
  } catch (error) {
    const { kind } = blame(error);
    if (kind === 'retry') throw new Retry('the commit was refused', { cause: error });
    if (kind === 'connection' || kind === 'timeout' || kind === 'unknown')
      throw new UnknownOutcome('the connection was lost while committing', { cause: error });
    throw error;
  }
}
