/** The connections to a database as a call sees them. */
import type { Answer, JsonRowWriter, Statement } from '../../model/rows.ts';

export interface RunBounds {
  readonly deadline?: number;
  /** Null if the answer is certain to be a few short cells. */
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
  /** Resolves when the server has ended the session. Its last statement can't take effect after that. */
  ended(): Promise<void>;
}

/** The part of a database that a call uses. */
export interface Sessions {
  /**
   * Lends a session to `work`. If the session broke, or its statement was cancelled, it is not lent again. Throws `PoolTimeout`;
   * while the server does not respond, it throws `DatabaseUnavailable` at once.
   * @param gone cancels the running statement on the server when aborted; its reason is thrown then
   */
  use<T>(work: (session: Session) => Promise<T>, gone?: AbortSignal): Promise<T>;
  /** Whether the engine runs in another process, where a statement goes on even if we lose its session; false for PGlite. */
  readonly isRemote: boolean;
  /** Records the id of one of the gateway's own transactions, so that we don't take its commit for another client's. */
  recordTransaction(transaction: string): void;
}

/** The sessions of one call. */
export interface CallSessions extends Sessions {
  /** The ids of the call's transactions. */
  readonly transactions: readonly string[];
}
