import type { Relation } from './catalog.ts';
import type { LogQuestion } from './feed.ts';
import type { Answer, Statement } from './rows.ts';

/**
 * A text that a server shows, and that changes with every commit. Two equal texts mean that no commit became visible between
 * them. Pure (docs/caching.md).
 */
export interface TokenSource {
  /** For people, and equal for equal sources. */
  readonly name: string;
  /** The source is of no use where one of these queries returns a row. */
  readonly unless: readonly string[];
  /** Run in this order, each time. */
  readonly statements: readonly string[];
  /** Their answers → the token. Null: this server, or this user, has none. */
  token(answers: readonly Answer[]): string | null;
  /**
   * The transactions that ended between two tokens, committed or not, by the ids of `Dialect.transactionOf`. Null: the tokens do
   * not say, or there are too many.
   */
  ended(before: string, after: string): readonly string[] | null;
  /** How the server's log names the tables that were changed between two tokens; null: it cannot. */
  readonly log: TokenLog | null;
  /** Whether transactions are open whose commit may leave the token unchanged. Absent: there are no such. */
  isOpen?(answers: readonly Answer[]): boolean;
  /** Whether the token may show a commit that will be visible at an unknown time: then it proves nothing. Absent: it never does. */
  isUnsure?(answers: readonly Answer[]): boolean;
  /** Milliseconds by which the token may change before the commit is visible. 0: never before. */
  readonly early: number;
  /** Whether commits to tables of other engines than InnoDB change it, too. */
  readonly ofAllTables: boolean;
}

export interface TokenLog {
  /** Whether it names the tables that foreign keys change. */
  readonly namesCascades: boolean;
  /**
   * Queries for what the log does not say. Absent: it says all.
   * @param ids of transactions that ended since `before`, as far as the tokens say them
   * @param related the tables and views of the resources, and all whose definitions their answers depend on
   */
  inspect?(before: string, ids: readonly string[], related: readonly Relation[]): readonly Statement[];
  /**
   * Null: anything may have changed.
   * @param ids of transactions between the tokens that are not the gateway's own; null: the tokens do not say them
   * @param inspected the answers of the queries; none where one of them has failed
   */
  question(tokens: TokenPair, ids: readonly string[] | null, inspected: readonly Answer[]): LogQuestion | null;
  /**
   * Whether the log may name tables by names from before a token, at which definitions had changed. Absent: a definition waits until the
   * transactions that use its table have ended.
   * @param ids those of the question
   */
  mayBeEarlier?(ids: readonly string[], token: string): boolean;
}

/** A token of a database at one moment. */
export interface Sample {
  readonly token: string;
  /** The number of the session that it was read in. A later session may reach another server, with an equal token. */
  readonly session: number;
  /** Whether transactions are open whose commit may leave the token unchanged. */
  readonly isOpen: boolean;
}

export interface TokenPair {
  readonly before: string;
  readonly after: string;
}
