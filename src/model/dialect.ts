import type { Advisor } from './advice.ts';
import type { Catalog, ErrorKind, Outage, Server, SurveyedTable, TableName } from './catalog.ts';
import type { LogCheck } from './feed.ts';
import type { Aggregate, ByRange, ByValue, Delete, Edge, Read, Sample, Shown, Sizes, Where } from './plan.ts';
import type { Replication } from './replication.ts';
import type { Answer, Copying, Encoder, Statement } from './rows.ts';
import type { Column, Table } from './table.ts';
import type { TokenSource } from './token.ts';
import type { BoundValue, Cell } from './value.ts';

/** One row of values, a value per column; null is NULL. */
export type Values = readonly (BoundValue | null)[];

/** What a session is for. */
export interface SessionUse {
  /** Milliseconds. */
  readonly statementTimeout: number;
  /**
   * Whether it runs transactions that write. If the line to the gateway is lost, the server must end them, and release their row
   * locks, within half a minute. Other sessions may be silent for longer: a client that reads a download may pause.
   */
  readonly writes: boolean;
}

/**
 * The capabilities of one kind of engine, as pure functions. Differences between engines are facts here; no other code asks for
 * the engine.
 */
export interface Dialect {
  /** Runs in every new session, so that no setting of a server, role or database changes the meaning of data. */
  readonly sessionSetup: (use: SessionUse) => readonly string[];
  /** Runs after `sessionSetup` in a session that must not change anything: each of its transactions is read-only. */
  readonly readOnlySetup: string;
  /**
   * Runs after `sessionSetup` in a session with a read replica. What the replica applies may hold a lock for long, which the primary
   * does not know of: a wait for one ends at once, or soon.
   */
  readonly replicaSetup: string;
  search(read: Read): Statement;
  /** The same for slow readers: it does not block writers to the table, even if the table has no transactions. */
  unlocked(read: Read): Statement;
  /**
   * A search for words by its hits, which does not depend on how many the planner expects. Null where it does as well as `search`,
   * or where an index that it needs is not there. Of `any`, and of `first` by rank where `all` is there, the number of hits that it
   * has looked at follows the columns of `types`.
   */
  hits(read: Read, which: HitsOf): Statement | null;
  /**
   * A COPY statement with the same lines as the encoders, except for the columns that it names. Null where the engine has no
   * COPY, a value must be bound, or a column's text has no exact SQL.
   */
  copy(read: Read, delimiter: string): Copying | null;
  /** `search` as a COPY in text format: much faster to read. Null where the engine has none, or where a value has to be bound. */
  copyRows(read: Read): string | null;
  count(read: Read): Statement;
  /** The planner's estimate for `count`. */
  estimate(read: Read): Statement;
  estimated(answer: Answer): number;
  /**
   * The groups of a column's values. A row is a value; whether it stands for one (0), for NULL (1) or for all long values (2); and
   * three numbers: of its records, of all values, of all records. Rows that stand for no value come first, and do not count for the
   * limit.
   */
  countValues(plan: Aggregate<ByValue>, sample: Sample | null): Statement;
  /** The planner's estimate for the number of values that a column has, in the answer's only row; NULL: it has none. */
  estimateValues(table: Table, column: Column): Statement;
  estimatedValues(answer: Answer): number | null;
  /** One row: the least and the greatest value of the records that the ranges have to cover. */
  extent(plan: Aggregate<ByRange>, sample: Sample | null): Statement;
  /** A row is the number of edges that are not above its records (NULL: they have no value), and the number of the records. */
  countRanges(plan: Aggregate<ByRange>, edges: readonly Edge[], sample: Sample | null): Statement;
  /**
   * Deletes the matching records. Where `returning.delete`, its result is what `plan.returned` asks for, in the order of the
   * key.
   * @param inOrder whether the first of them are locked in the order of `lock` before, where the engine has another one. Without an
   *   index for the condition this takes as long again
   */
  delete(plan: Delete, inOrder: boolean): Statement;
  /** The server's data on the table's size. */
  sizes(table: Table): Statement;
  sized(answer: Answer): Sizes;
  /** Reads no record; its result's types show whether these columns still have the catalogue's types. */
  check(table: Table, columns: readonly Column[]): Statement;

  /** Locks the records with these keys, in key order, and returns their key columns as stored. */
  lock(table: Table, columns: readonly Column[], keys: readonly Values[]): Statement;
  /** Where `returning.insert`, its result is these columns of the new records, in the order of `rows`. */
  insert(table: Table, columns: readonly Column[], rows: readonly Values[], returned: readonly Column[]): Statement;
  /** Sets `columns` of the records found by `key`; a row is its key's values followed by the values to set. */
  update(table: Table, key: readonly Column[], columns: readonly Column[], rows: readonly Values[]): Statement;
  /** The same for many records that this transaction has locked; null where `update` is as fast, or might mean something else. */
  lockedUpdate(table: Table, key: readonly Column[], columns: readonly Column[]): LockedUpdate | null;
  /**
   * Sets `columns` of the record whose key matches to the byte. The function that it returns takes the key's values, none of
   * them NULL, followed by the values to set.
   */
  updateOne(table: Table, key: readonly Column[], columns: readonly Column[]): (row: Values) => Statement;
  /** The id of the transaction, in the answer of `updateOne`, `outcome.id` or COMMIT; null where the engine does not say it. */
  transactionOf(answer: Answer): string | null;
  /** The statements that can return their records, after triggers and defaults. */
  readonly returning: { readonly insert: boolean; readonly delete: boolean };
  /** Columns of the matching records; `lock`: locked until the transaction ends. */
  records(table: Table, columns: readonly Column[], where: Where, how: Listing): Statement;
  /** Makes the engine run deferred checks at once; null where it has none. */
  readonly settle: Statement | null;
  /** Queries for the outcome of a commit whose answer was lost; null where no server has them. */
  readonly outcome: CommitOutcome | null;
  /** What a server runs only where it would run the statements of calls: for health checks. */
  readonly probe: Statement;
  /** `keys`: of one `lock` by one column; `rows`: of one insert or locked update; `updateRows`: of one `update`. */
  readonly limits: {
    readonly bindings: number;
    readonly keys: number;
    readonly rows: number;
    readonly updateRows: number;
  };

  encoder(shown: Shown): Encoder;
  /** The input of an encoder for the bytes of a cell. */
  cell(bytes: Uint8Array): Cell;
  /** A driver's error → its meaning. */
  classifyError(error: unknown): ErrorKind;
  /**
   * From now on, no text of the database has this character: a filter for it finds nothing, where the server would refuse the value.
   */
  exclude(character: string): void;

  /** The queries that read the catalogue: the same number for any number of tables. */
  catalogQueries(tables: readonly TableName[]): readonly Statement[];
  /** Their answers, in the same order → the catalogue. The answer of a query that was refused for lack of rights is null. */
  catalog(answers: readonly (Answer | null)[]): Catalog;

  /** The queries for the definition of one table. */
  definitionQueries(table: TableName): readonly Statement[];
  /** Their answers, in the same order → the definition, as the catalogue has it; null: there is no such table. */
  definition(answers: readonly Answer[], table: TableName): string | null;

  /** The queries for all tables and views of the database, with their comments. */
  readonly surveyQueries: readonly Statement[];
  /** Their answers, in the same order → the tables by schema and name. */
  surveyed(answers: readonly Answer[]): readonly SurveyedTable[];
  /** The first rows of a table, whichever these are, with the first characters of these columns. */
  sample(table: TableName, columns: readonly string[], rows: number, characters: number): Statement;

  /** What changes with every commit on the server, the best first. */
  readonly tokens: readonly TokenSource[];

  /** How far its replicas are. */
  readonly replication: Replication;

  /** What the log of the server needs to name the tables that others write; null: there is none that is read. */
  readonly feed: LogCheck | null;

  /** For `check --advise`: facts about the server, plans, and SQL for its operator. */
  readonly advisor: Advisor;
}

/**
 * An INSERT whose conflicts are updated: an update of locked records, or an upsert of any. It may be refused where `update` is not, for
 * example for lack of a right.
 */
export interface LockedUpdate {
  statement(rows: readonly Values[]): Statement;
  /** The number of records that it has found, by its answer. Where that is not their number, its effect must be undone. */
  found(answer: Answer): number;
  /** Whether the table is as the statement needs it. Once that is executed, it cannot change until the transaction ends. */
  proofs(): readonly Proof[];
}

/** A query, and whether its answer proves that the catalogue is right. Types of columns that it names are compared, too. */
export interface Proof {
  readonly statement: Statement;
  holds(answer: Answer): boolean;
}

/**
 * Which hits: `any` of them, one more than are ranked; the `first` in the order, as far as these are found among its first records;
 * `all`, to be sorted. By rank, `first` and `all` are as many as are ranked.
 */
export type HitsOf = 'any' | 'first' | 'all';

/** Queries for the outcome of a commit whose answer was lost. */
export interface CommitOutcome {
  /** A query for the id of the current transaction. */
  readonly id: string;
  /**
   * Ends the transaction if it still runs. Returns `committed`, `aborted`, null if it will stay unknown, or another word for
   * not yet.
   */
  ask(id: string): Statement;
}

/** The order, number and locking of listed records. */
export interface Listing {
  /** Ascending, NULLs last. */
  readonly order: readonly Column[];
  readonly limit: number | null;
  readonly lock: boolean;
}

/** A kind of engine: identifies a server and makes the dialect for it. */
export interface Family {
  readonly serverQuery: string;
  server(answer: Answer): Server;
  dialect(server: Server): Dialect;
  /** A driver's error that prevented or ended a connection → the reason. */
  outage(error: unknown): Outage;
}
