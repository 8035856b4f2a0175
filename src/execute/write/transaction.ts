import { setTimeout as sleep } from 'node:timers/promises';
import type { ErrorKind } from '../../model/catalog.ts';
import type { EditDialect } from '../../model/dialect/edit.ts';
import type { SessionDialect } from '../../model/dialect/session.ts';
import { Refusal } from '../../model/errors.ts';
import { type Answer, plain, type Statement } from '../../model/rows.ts';
import type { Session, Sessions } from '../connection/call-sessions.ts';
import { outcomeOf } from './outcome.ts';

/**
 * The connection was lost during a commit, or another client cancelled the commit, so we can't know whether it took effect. On a table
 * without transactions, this can happen to any statement.
 */
export class UnknownOutcome extends Error {
  /** Resolves when the server has ended the session. The commit can't take effect after that. */
  readonly settled: Promise<void>;

  constructor(settled: Promise<void>, cause: unknown) {
    super('the connection was lost while writing', { cause });
    this.settled = settled;
  }
}

/**
 * Makes the error for a statement with an unknown outcome, and ends its session: if another client has only cancelled the statement,
 * the session would live on, and `settled` would never resolve.
 */
export function unknownOutcome(session: Session, cause: unknown): UnknownOutcome {
  session.discard();
  return new UnknownOutcome(session.ended(), cause);
}

/** A conflict with another writer: the whole call is tried again. */
export class Retry extends Error {}

/** How often a call is tried before a conflict becomes an error. */
export const maxAttempts = 12;

/** Throws a `Retry` if a statement failed only because of a concurrent writer: a deadlock or a lock timeout. */
export function orRetry(meaning: ErrorKind, cause: unknown): void {
  if (meaning.kind === 'retry') throw new Retry('deadlock or lock timeout', { cause });
}

export interface Transaction<T> {
  readonly dialect: Pick<EditDialect & SessionDialect, 'classifyError' | 'outcome' | 'settle' | 'transactionOf'>;
  random(): number;
  /** Whether to commit. A dry run is rolled back, and so is a write that has to be tried again in another order. */
  keeps(done: T): boolean;
  /** False for tables without rollback (MyISAM): their changes stay even if the session is lost. */
  readonly transactional: boolean;
}

/**
 * Runs `work` in a transaction, and commits or rolls back. After a `Retry` it runs all of `work` again after a pause, up to `maxAttempts`
 * times. Returns the value of `work`. Throws what `work` throws, the cause of the last `Retry`, or `UnknownOutcome`.
 */
export async function inTransaction<T>(
  database: Sessions,
  { dialect, random, keeps, transactional }: Transaction<T>,
  work: (session: Session, attempt: number) => Promise<T>,
): Promise<T> {
  const outcomeQuery = database.isRemote ? dialect.outcome : null;
  const noteTransaction = (answer: Answer) => {
    const id = dialect.transactionOf(answer);
    if (id !== null) database.recordTransaction(id);
  };
  for (let attempt = 1; ; attempt++) {
    let committing: { readonly done: T; readonly id: string } | null = null;
    try {
      return await database.use(async (session) => {
        let done: T;
        try {
          const begun = await session.run(plain(outcomeQuery === null ? 'BEGIN' : `BEGIN; ${outcomeQuery.id}`));
          noteTransaction(begun);
          done = await work(session, attempt);
          committing = { done, id: String(begun.cells[0]?.[0]) };
        } catch (error) {
          const isLost = !(await rollback(session));
          // The server has become a standby. A new session at the same address may reach the new primary.
          const cause = error instanceof Refusal ? error.cause : error;
          if (dialect.classifyError(cause).kind === 'read-only') session.discard();
          throw isLost && !transactional ? unknownOutcome(session, error) : error;
        }
        if (keeps(done)) noteTransaction(await commit(session, dialect, database.isRemote ? dialect.settle : null));
        else await rollback(session);
        return done;
      });
    } catch (error) {
      if (error instanceof UnknownOutcome && outcomeQuery !== null && committing !== null) {
        const { done, id }: { done: T; id: string } = committing;
        const outcome = await outcomeOf(database, outcomeQuery.ask(id));
        if (outcome === 'committed') return done;
        throw outcome === 'aborted' ? error.cause : error;
      }
      if (!(error instanceof Retry)) throw error;
      if (attempt === maxAttempts) throw error.cause ?? error;
      // Two writers in conflict must not conflict again, so each waits a random time, longer after every attempt.
      await sleep(random() * Math.min(20 * 2 ** attempt, 1000));
    }
  }
}

/**
 * Rolls back. If that fails, discards the session: MySQL would commit the changes at the session's next BEGIN.
 * @returns whether it rolled back
 */
function rollback(session: Session): Promise<boolean> {
  return session.run(plain('ROLLBACK')).then(
    () => true,
    () => {
      session.discard();
      return false;
    },
  );
}

/**
 * Runs deferred checks and commits, in one message. The server's statement timeout does not apply inside COMMIT: a check there could wait
 * for a lock and then commit, long after the client has given up.
 * @param settle the statement that runs the checks; null if no check can be deferred
 */
async function commit(
  session: Session,
  dialect: Pick<SessionDialect, 'classifyError'>,
  settle: Statement | null,
): Promise<Answer> {
  try {
    return await session.run(plain(settle === null ? 'COMMIT' : `${settle.text}; COMMIT`));
  } catch (error) {
    // After a deferred check has failed, the transaction is still open.
    await rollback(session);
    const { kind } = dialect.classifyError(error);
    if (kind === 'retry') throw new Retry('the commit was refused', { cause: error });
    if (kind === 'connection' || kind === 'timeout' || kind === 'unknown') throw unknownOutcome(session, error);
    throw error;
  }
}
