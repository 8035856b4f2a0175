import type { Relation, Server } from './catalog.ts';
import type { Connection, ServerClient } from './engines.ts';
import type { Answer, Statement } from './rows.ts';

/** A committed transaction in a server's log. */
export interface Logged {
  /** By `Dialect.transactionOf`; null where the log does not say it. */
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

/** The transactions that a stream delivers. */
export interface LogStart {
  /** Transactions that end after this position are delivered. */
  readonly start: number;
  /** Whether a transaction with this id is delivered if it is in the log: it was not yet visible when the stream was opened. */
  covers(id: string): boolean;
  /** It is not covered any more: the listener has dropped it. Absent: a dropped one is never taken for one that is not in the log. */
  forget?(id: string): void;
}

/** The log of a server as a stream. It delivers every transaction that was not yet visible when it was opened. */
export interface LogStream {
  readonly start: LogStart;
  /** Makes the server say soon how far the stream is, where it does not do so by itself. */
  ask(): void;
  /** Ends it at once, on the server too. `ended` is not called. */
  close(): void;
}

/** Tables that transactions past the gateway have changed: those with the given ids, and all between two positions. */
export interface LogQuestion {
  readonly ids: readonly string[];
  /** Null: `ids` are all. */
  readonly after: number | null;
  /**
   * When the stream has reached this position, a transaction that it has not delivered has changed no table. Null: each of `ids` is
   * in the log.
   */
  readonly until: number | null;
  /**
   * Marks of recent changes of definitions, as far as the log does not say those. With a mark that the last question did not have,
   * anything may have changed.
   */
  readonly definitions: readonly string[];
  /** Milliseconds that the server took to compare definitions. Absent: about as long as for a token. */
  readonly compared?: number;
}

/** Whether a server and its user let the tables be named that others write, as pure functions. */
export interface LogCheck {
  readonly queries: readonly Statement[];
  /** Their answers, in the same order. The answer of a query that was refused is null. */
  facts(answers: readonly (Answer | null)[]): FeedFacts;
  /** Its answer is that of no other log. */
  readonly identity: Statement;
}

export interface FeedFacts {
  /** The identity of the server, for a stream whose positions do not name it. */
  readonly log?: string;
  /** Each of them prevents it. */
  readonly obstacles: readonly FeedFact[];
  /** With these it names fewer tables, or costs more. */
  readonly remarks: readonly FeedFact[];
}

export interface FeedFact {
  readonly why: string;
  /** The SQL that changes it; null where there is none. */
  readonly remedy: string | null;
}

/** How decoding of the log is begun, by a query in the session that then becomes the stream. Pure. */
export interface DecodingSource {
  /** The name of the connection, for the server's operator. */
  readonly name: string;
  /** Asked when the slot is made. */
  readonly query: string;
  /** Null: the server does not say where its log is. */
  begin(answer: readonly string[]): DecodingStart | null;
}

export interface DecodingStart extends LogStart {
  /** The most bytes of a message that `read` needs. */
  readonly keep: number;
  /**
   * @param message at least its first `keep` bytes
   * @param end the position after it
   * @returns the transaction that this message commits, else null
   */
  read(message: Uint8Array, end: number): Logged | null;
}

/** How a binary log is begun: statements, and what their answers say. Pure. */
export interface BinlogSource {
  /** Run in this order, in the session that then becomes the stream. */
  readonly statements: readonly string[];
  /**
   * The answer of a statement that was refused is null. Null: the server has no log, or does not show where it is. Throws where it is
   * the log of another server.
   */
  begin(answers: readonly (Answer | null)[]): BinlogStart | null;
}

/** The visible state of one moment, and the log from there on. */
export interface BinlogStart extends LogStart {
  readonly file: string;
  /** In bytes. */
  readonly offset: number;
  /** The transactions that the server leaves out, in the protocol's bytes. Null: all from the offset on are sent. */
  readonly gtids: Uint8Array | null;
  /** Milliseconds until all before `start` is visible. */
  readonly early: number;
  /** The ids of the server's replicas, as far as it shows them. */
  readonly replicas: readonly number[];
  reader(committed: LogListener['committed']): BinlogReader;
}

/** Takes the events of a log in their order. */
export interface BinlogReader {
  /** Every transaction that ends here, or before, has been delivered. */
  readonly position: number;
  /**
   * Throws where it cannot follow the log any further.
   * @param event of a large one the beginning is enough
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
  /** As `FeedFacts.log`. */
  readonly log: string | undefined;
  /** With more commits per second, the log of the server is not read for a while; null: no limit. */
  readonly mostCommits: number | null;
}
