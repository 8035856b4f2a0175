import type { Relation, Server } from './catalog.ts';
import type { Connection, ServerClient } from './engines.ts';
import type { Answer, Statement } from './rows.ts';

/** A committed transaction in a server's log. */
export interface Logged {
  /** The id of the transaction, as `EditDialect.transactionOf` returns it; null if the log does not contain it. */
  readonly id: string | null;
  /** The tables that the transaction changed, also by triggers. Null: it may have changed anything, for example by DDL. */
  readonly tables: readonly Relation[] | null;
  /** The position in the log where the transaction ends. Positions are safe integers, and grow. */
  readonly end: number;
}

/** Receives what a log's stream delivers, in the order of the log. */
export interface LogListener {
  committed(transaction: Logged): void;
  /** Every transaction that ends at or before this position has been delivered. */
  reached(position: number): void;
  /** The stream has ended with an error of the driver or the server. No other call follows. */
  ended(cause: unknown): void;
}

/** Where a stream starts, and which transactions it therefore delivers. */
export interface LogStart {
  /** Transactions that end after this position are delivered. */
  readonly start: number;
  /** Whether the stream delivers the transaction with this id if the log has it: it was not yet visible when the stream was opened. */
  covers(id: string): boolean;
  /** The listener has dropped this transaction. From now on `covers` must be false for it, or it would count as a transaction without changes. */
  forget?(id: string): void;
}

/** The log of a server as a stream. It delivers every transaction that was not yet visible when it was opened. */
export interface LogStream {
  readonly start: LogStart;
  /** Makes the server report its position in the stream soon, if it does not do so on its own. */
  ask(): void;
  /** Ends the stream at once, also on the server. `ended` is not called. */
  close(): void;
}

/** Asks which tables other clients have changed, in the transactions of `ids` and in all others between two positions. */
export interface LogQuestion {
  readonly ids: readonly string[];
  /** The position after which other transactions count, too; null if only `ids` count. */
  readonly after: number | null;
  /**
   * Once the stream has reached this position, any of `ids` that it has not delivered has changed no table. Null: the log has all of `ids`,
   * so wait for each.
   */
  readonly until: number | null;
  /**
   * Marks of recent DDL that the log does not show. If one of them is new since the last question, anything may have changed.
   */
  readonly ddlMarks: readonly string[];
  /** Milliseconds that the server took to find out whether DDL has run. Absent where that costs no more than reading the commit marker. */
  readonly workMs?: number;
}

/** Checks whether the server's settings and the user's rights allow a feed: reading from the log what other clients change. */
export interface LogCheck {
  readonly queries: readonly Statement[];
  /** @param answers the answers to `queries`, in the same order; null for a query that was refused */
  facts(answers: readonly (Answer | null)[]): FeedFacts;
  /** A query whose answer identifies the log: no other log gives the same answer. */
  readonly identity: Statement;
}

export interface FeedFacts {
  /** The identity of the server, for a stream whose positions do not name it. */
  readonly log?: string;
  /** Facts that prevent the feed. */
  readonly obstacles: readonly FeedFact[];
  /** Facts that make the feed name fewer tables, or cost the server more. */
  readonly remarks: readonly FeedFact[];
}

export interface FeedFact {
  readonly why: string;
  /** The SQL that changes this fact; null if no SQL does. */
  readonly remedy: string | null;
}

/** Begins the decoding of PostgreSQL's log, with a query in the session that then becomes the stream. Pure. */
export interface DecodingSource {
  /** The name of the connection, for the server's operator. */
  readonly name: string;
  /** The query to run once the replication slot has been created. */
  readonly query: string;
  /** Reads the answer to `query`; null if the server does not say where its log is. */
  begin(answer: readonly string[]): DecodingStart | null;
}

export interface DecodingStart extends LogStart {
  /** The most bytes of a message that `read` needs. */
  readonly keep: number;
  /**
   * @param message at least its first `keep` bytes
   * @param end the position after the message
   * @returns the transaction, if this message is its commit; else null
   */
  read(message: Uint8Array, end: number): Logged | null;
}

/** How to start reading a binary log: the statements to run, and how to read their answers. Pure. */
export interface BinlogSource {
  /** Run in this order, in the session that then becomes the stream. */
  readonly statements: readonly string[];
  /**
   * @param answers the answers to `statements`; null for a statement that was refused
   * @returns null if the server has no log, or does not say where it is. Throws if the log belongs to another server.
   */
  begin(answers: readonly (Answer | null)[]): BinlogStart | null;
}

/** The position in a binary log at one moment, what was visible then, and a reader for the log from there on. */
export interface BinlogStart extends LogStart {
  readonly file: string;
  /** The offset in the file, in bytes. */
  readonly offset: number;
  /** The GTIDs that the server need not send, encoded for the protocol. Null: it sends all from the offset on. */
  readonly gtids: Uint8Array | null;
  /** Milliseconds until everything before `start` is visible to queries. */
  readonly early: number;
  /** The server ids of its replicas, as far as the server shows them. */
  readonly replicas: readonly number[];
  reader(committed: LogListener['committed']): BinlogReader;
}

/** Reads the events of a binary log, in order. */
export interface BinlogReader {
  /** Every transaction that ends at or before this position has been delivered. */
  readonly position: number;
  /**
   * Reads the next event. Throws if it cannot follow the log any further.
   * @param event the event; of a large one, the beginning is enough
   */
  read(event: Uint8Array): void;
}

/** A server whose log is read, and the login for it. Plain data, because it is sent between threads and processes. */
export interface FeedSource {
  /** The name of the database in the configuration, for the log. */
  readonly database: string;
  readonly client: ServerClient;
  readonly connection: Connection;
  readonly server: Server;
  /** See `FeedFacts.log`. */
  readonly log: string | undefined;
  /** Above this many commits per second, reading the server's log pauses for a while; null: no limit. */
  readonly maxCommitsPerSecond: number | null;
}
