import type { Relation } from './catalog.ts';
import type { LogQuestion } from './feed.ts';
import type { Answer, Statement } from './rows.ts';

/**
 * A source of commit markers: a text that a server shows, and that changes with every commit. If it is the same twice, no commit has
 * become visible in between, so cached answers are still fresh (docs/caching.md). Pure.
 */
export interface CommitMarkerSource {
  /** Shown in `check --list`. Two sources with the same name are the same. */
  readonly name: string;
  /** If one of these queries returns a row, this source cannot be used on the server. */
  readonly unless: readonly string[];
  /** The statements that read the marker, in this order. */
  readonly statements: readonly Statement[];
  /** Reads the marker from the answers to `statements`; null if this server has none, or does not show it to this user. */
  readMarker(answers: readonly Answer[]): string | null;
  /**
   * The ids (as in `EditDialect.transactionOf`) of the transactions that ended between two markers, committed or not. Null if the markers
   * do not tell, or there are too many.
   */
  ended(before: string, after: string): readonly string[] | null;
  /** Finds in the server's log the tables that were changed between two markers; null if that is not possible. */
  readonly log: CommitMarkerLog | null;
  /** Whether there are open transactions whose commit may leave the marker unchanged. Absent: there never are. */
  isOpen?(answers: readonly Answer[]): boolean;
  /** Whether the marker may include a commit that becomes visible only later: then it proves nothing. Absent: it never does. */
  isUnsure?(answers: readonly Answer[]): boolean;
  /** How many milliseconds the marker may change before the commit is visible; 0 if it never changes early. */
  readonly maxEarlyMs: number;
  /** Whether the marker also changes with writes to tables of storage engines other than InnoDB. */
  readonly coversAllStorageEngines: boolean;
}

export interface CommitMarkerLog {
  /** Whether the log also names the tables that are changed by cascading foreign keys. */
  readonly namesCascades: boolean;
  /**
   * Queries for changes that the log does not show, such as DDL. Absent if the log shows everything.
   * @param ids the transactions that ended since `before`, as far as the markers tell
   * @param related the resources' tables and views, and all others whose definitions their answers depend on
   */
  inspect?(before: string, ids: readonly string[], related: readonly Relation[]): readonly Statement[];
  /**
   * What to ask the log about the changes between two markers; null if anything may have changed.
   * @param ids the other clients' transactions between the markers; null if the markers do not tell
   * @param inspected the answers to the queries of `inspect`; empty if one of them has failed
   */
  question(between: MarkerPair, ids: readonly string[] | null, inspected: readonly Answer[]): LogQuestion | null;
  /**
   * Whether one of these transactions may have begun before `marker`, when tables were renamed: the log then has their old names. Absent:
   * on this server, renaming waits for the transactions that use the table.
   * @param ids the transactions that the log was asked about
   */
  mayHaveOldNames?(ids: readonly string[], marker: string): boolean;
}

/** The commit marker of a database at one moment. */
export interface MarkerSample {
  readonly marker: string;
  /** The number of the session that read the marker. A later session may reach another server, which may have an equal marker. */
  readonly session: number;
  /** Whether there were open transactions whose commit may leave the marker unchanged. */
  readonly isOpen: boolean;
}

export interface MarkerPair {
  readonly before: string;
  readonly after: string;
}
