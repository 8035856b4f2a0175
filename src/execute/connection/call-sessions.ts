/** The connections to a database as a call sees them. */
import type { Answer, JsonRowWriter, Statement } from '../../model/rows.ts';

export interface RunBounds {
  readonly deadline?: number;
  readonly maxBytes?: number;
  /** Takes the rows where the driver exposes their bytes; the answer then has none. */
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
  /** Resolves when the server has ended the session: by then its last statement is either done or never will be. */
  ended(): Promise<void>;
}

/** The part of a database that a call uses. */
export interface Sessions {
  /**
   * Lends a session for `work`. A session whose statement was cancelled, or that broke, is not lent again. Throws
   * `PoolTimeout`, and `DatabaseUnavailable` at once while the server does not respond.
   * @param gone cancels the running statement on the server; its reason is thrown then
   */
  use<T>(work: (session: Session) => Promise<T>, gone?: AbortSignal): Promise<T>;
  /** Whether its sessions can be lost while the engine goes on. */
  readonly isRemote: boolean;
  /** Notes the id of a transaction, as soon as it is known. */
  began(transaction: string): void;
}

/** The sessions of one call. */
export interface CallSessions extends Sessions {
  /** The ids of its transactions. */
  readonly transactions: readonly string[];
}
