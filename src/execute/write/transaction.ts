import { setTimeout as sleep } from 'node:timers/promises';
import type { ErrorKind } from '../../model/catalog.ts';
import type { Dialect } from '../../model/dialect.ts';
import { Refusal } from '../../model/errors.ts';
import { type Answer, plain, type Statement } from '../../model/rows.ts';
import type { Session, Sessions } from '../connection/call-sessions.ts';
import { outcomeOf } from './outcome.ts';

/**
 * The connection was lost, or somebody cancelled the statement, during a commit: its outcome is unknown. The same applies to any
 * statement on a table without transactions.
 */
export class UnknownOutcome extends Error {
  /** Resolves when the server has ended the session: from then on the commit is done or never will be. */
  readonly settled: Promise<void>;

  constructor(settled: Promise<void>, cause: unknown) {
    super('the connection was lost while writing', { cause });
    this.settled = settled;
  }
}

/**
 * The error for a statement on this session whose outcome nobody knows. Ends the session: where another client has cancelled the
 * statement, the session would live on, and the outcome would never count as settled.
 */
export function unknownOutcome(session: Session, cause: unknown): UnknownOutcome {
  session.discard();
  return new UnknownOutcome(session.ended(), cause);
}

/** A conflict with another writer: the whole call is tried again. */
export class Retry extends Error {}

/** The number of attempts before a conflict becomes the answer. */
export const attempts = 12;

/** Throws a `Retry` where a statement failed only because of a concurrent writer. */
export function orRetry(meaning: ErrorKind, cause: unknown): void {
  if (meaning.kind === 'retry') throw new Retry('deadlock or lock timeout', { cause });
}

/** How a transaction is run. */
export interface Transaction<T> {
  readonly dialect: Pick<Dialect, 'classifyError' | 'outcome' | 'settle' | 'transactionOf'>;
  random(): number;
  /** Whether its changes are kept. A dry run is rolled back, and so is a write that has to be tried in another order. */
  keeps(done: T): boolean;
  /** Whether uncommitted changes vanish with the session. */
  readonly transactional: boolean;
}

/**
 * Runs `work` in one transaction and ends it. After a `Retry` it runs all of it again, a few times, each after a wait.
 * Returns the value of `work`. Throws what `work` throws, the cause of the last `Retry`, or `UnknownOutcome`.
 */
export async function inTransaction<T>(
  database: Sessions,
  { dialect, random, keeps, transactional }: Transaction<T>,
  work: (session: Session, attempt: number) => Promise<T>,
): Promise<T> {
  const asks = database.isRemote ? dialect.outcome : null;
  const note = (answer: Answer) => {
    const id = dialect.transactionOf(answer);
    if (id !== null) database.began(id);
  };
  for (let attempt = 1; ; attempt++) {
    let committing: { readonly done: T; readonly id: string } | null = null;
    try {
      return await database.use(async (session) => {
        let done: T;
        try {
          const begun = await session.run(plain(asks === null ? 'BEGIN' : `BEGIN; ${asks.id}`));
          note(begun);
          done = await work(session, attempt);
          committing = { done, id: String(begun.cells[0]?.[0]) };
        } catch (error) {
          const isLost = !(await rollback(session));
          // The server may be a standby by now, and the address may lead to another server.
          const cause = error instanceof Refusal ? error.cause : error;
          if (dialect.classifyError(cause).kind === 'read-only') session.discard();
          throw isLost && !transactional ? unknownOutcome(session, error) : error;
        }
        if (keeps(done)) note(await commit(session, dialect, database.isRemote ? dialect.settle : null));
        else await rollback(session);
        return done;
      });
    } catch (error) {
      if (error instanceof UnknownOutcome && asks !== null && committing !== null) {
        const { done, id }: { done: T; id: string } = committing;
        const said = await outcomeOf(database, asks.ask(id));
        if (said === 'committed') return done;
        throw said === 'aborted' ? error.cause : error;
      }
      if (!(error instanceof Retry)) throw error;
      if (attempt === attempts) throw error.cause ?? error;
      // Two conflicting writers must not conflict again: each waits a random time, longer at every attempt.
      await sleep(random() * Math.min(20 * 2 ** attempt, 1000));
    }
  }
}

/**
 * A session that failed to roll back is discarded: MySQL's next BEGIN would commit its changes.
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
 * Runs deferred checks and commits, in one message. Inside COMMIT the server's time limit would not end them. So they could wait for a
 * lock, and change the table, long after everybody has given up.
 * @param settle runs the checks; null: there are none that could wait
 */
async function commit(
  session: Session,
  dialect: Pick<Dialect, 'classifyError'>,
  settle: Statement | null,
): Promise<Answer> {
  try {
    return await session.run(plain(settle === null ? 'COMMIT' : `${settle.text}; COMMIT`));
  } catch (error) {
    // A check that fails leaves the transaction open.
    await rollback(session);
    const { kind } = dialect.classifyError(error);
    if (kind === 'retry') throw new Retry('the commit was refused', { cause: error });
    if (kind === 'connection' || kind === 'timeout' || kind === 'unknown') throw unknownOutcome(session, error);
    throw error;
  }
}
