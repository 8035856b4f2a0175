import type { Relation } from './catalog.ts';

/** A committed transaction in a server's log. */
export interface Logged {
  /** By `Dialect.transactionOf`; null where the log has no such ids. */
  readonly id: string | null;
  /** The tables that it changed, those of its triggers too. Null: it may have changed anything, such as definitions. */
  readonly tables: readonly Relation[] | null;
  /** The position of the log after it. Positions are safe integers, and grow. */
  readonly end: number;
}

/** Called in the order of the log. */
export interface LogListener {
  committed(transaction: Logged): void;
  /** Every transaction that ends at this position, or before it, has been delivered. */
  reached(position: number): void;
  /** The stream has ended, by an error of the driver or of the server. Nothing follows. */
  ended(cause: unknown): void;
}

/** The log of a server as a stream. It delivers every transaction that was not yet visible when it was opened. */
export interface LogStream {
  /** Transactions that end after this position are delivered. */
  readonly start: number;
  /** Whether a transaction with this id is delivered if it is in the log: it was not yet visible when the stream was opened. */
  covers(id: string): boolean;
  /** Makes the server say soon how far the stream is, where it does not do so by itself. */
  ask(): void;
  /** Ends it at once, on the server too. `ended` is not called. */
  close(): void;
}

/** Tables that transactions past the gateway have changed: those with the given ids, or all between two positions. */
export interface LogQuestion {
  /** Null: the log has no ids, and `after` is given. */
  readonly ids: readonly string[] | null;
  readonly after: number | null;
  /**
   * When the stream has reached this position, a transaction that it has not delivered has changed no table. Null: each of `ids` is
   * in the log.
   */
  readonly until: number | null;
}
