/** The connections to a database as a call sees them. */
import type { Answer, JsonRowWriter, Statement } from '../../model/rows.ts';

export interface RunBounds {
  readonly deadline?: number;
  /** Null for an answer that is known to be a few short cells. */
  readonly maxBytes?: number | null;
  /** Receives the rows if the driver exposes their bytes; the answer then contains none. */
  readonly into?: JsonRowWriter | undefined;
}

export interface Session {
  /**
   * Runs one statement. Throws the driver's error, `StatementTimeout` after `deadline` milliseconds, `TooLarge` above
   * `maxBytes`.
   */
  run(statement: Statement, bounds?: RunBounds): Promise<Answer>;
  /** Ends the session, whose state is unknown. */
  discard(): void;
  /** Resolves when the server has ended the session: from then on, its last statement can't take effect any more. */
  ended(): Promise<void>;
}

/** The part of a database that a call uses. */
export interface Sessions {
  /**
   * Lends a session for `work`. A session that broke, or whose statement was cancelled, is not lent again. Throws
   * `PoolTimeout`, or `DatabaseUnavailable` at once while the server does not respond.
   * @param gone cancels the running statement on the server when aborted; its reason is thrown then
   */
  use<T>(work: (session: Session) => Promise<T>, gone?: AbortSignal): Promise<T>;
  /** Whether the engine runs in another process, where a statement goes on if its session is lost; false for PGlite. */
  readonly isRemote: boolean;
  /** Records the id of a transaction of this gateway, so that its commit is not taken for another client's. */
  recordTransaction(transaction: string): void;
}

/** The sessions of one call. */
export interface CallSessions extends Sessions {
  /** The ids of the call's transactions. */
  readonly transactions: readonly string[];
}
