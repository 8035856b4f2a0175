/** The vocabulary of advice: facts about a server, and SQL that its operator may carry out. Pure. */
import type { CatalogTable, Grant, TableName } from './catalog.ts';
import type { Answer, Statement } from './rows.ts';
import type { Column, Table } from './table.ts';

/** Reads facts about a server and writes SQL for its operator. Nothing that it proposes is ever executed. */
export interface Advisor {
  /**
   * The queries for the facts. One that is refused for lack of rights has the answer null.
   * @param redefined tables whose columns the advice may change
   */
  queries(tables: readonly TableName[], redefined: readonly TableName[]): readonly Statement[];
  /** Their answers, in the same order → the facts. */
  facts(answers: readonly (Answer | null)[]): ServerFacts;
  /** The statement that asks the planner about another; it executes nothing. */
  explain(statement: Statement): Statement;
  plan(answer: Answer): PlanFacts;
  /** Asks for a mark of each table that changes with its rows. */
  readonly writes: Statement;
  written(answer: Answer): readonly WriteMark[];
  /** Whether an index sorts a column that may be NULL as the API does: NULLs last for asc, first for desc. */
  readonly indexesSortNulls: boolean;
}

/** What a planner says about one of our statements. */
export interface PlanFacts {
  /** It reads all rows of a table, or all entries of an index. */
  readonly readsAll: boolean;
  /** It sorts all rows that it finds. */
  readonly sorts: boolean;
}

/** It differs after a table's rows were changed, by whomever. */
export interface WriteMark {
  readonly table: TableName;
  readonly mark: string;
}

export interface ServerFacts {
  /** What its user may do and a gateway does not need: `is a superuser`. */
  readonly powers: readonly string[];
  /** Tables with rows of which the planner has no statistics. */
  readonly unanalyzed: readonly TableName[];
  /** Foreign keys without an index, by the table that they refer to. */
  readonly unindexed: readonly UnindexedKey[];
  /** How large records are, for the tables with a size on the server. */
  readonly sizes: readonly RecordSize[];
  /** The server refuses writes: a replica, or a server that is set to read only. */
  readonly isReadOnly: boolean;
  /** Null: it is none, or does not say so. */
  readonly replica: Replica | null;
  /** Whether it ends a read at the time limit of its session; otherwise the gateway ends it. */
  readonly endsReads: boolean;
  /** Milliseconds after which it ends the session of a transaction; null: never. */
  readonly transactionTimeout: number | null;
  /** The most connections that this user may have. */
  readonly connections: number | null;
  /** Milliseconds after which the server ends an idle session; null: never. */
  readonly idleTimeout: number | null;
  readonly remedies: Remedies;
}

/** A server that follows another, its primary. */
export interface Replica {
  /** Milliseconds by which it is behind its primary, at most; null: unknown. */
  readonly lag: number | null;
  /** Whether its primary sends it changes at the moment. */
  readonly isReceiving: boolean;
}

/** The mean size of a table's records as they are stored, with all of their columns. */
export interface RecordSize {
  readonly table: TableName;
  readonly bytes: number;
}

/** A foreign key whose columns begin no index of its table. */
export interface UnindexedKey {
  readonly refersTo: TableName;
  readonly table: TableName;
  readonly columns: readonly string[];
  /** Null: unknown. */
  readonly rows: number | null;
}

/** SQL for an operator to copy, a statement each and without its semicolon. All names are quoted. */
export interface Remedies {
  /**
   * The indexes that let `q` find records of the table; null where there is none of that kind.
   * @param unfound searched columns of text that no index serves
   */
  search(table: Table, found: CatalogTable, unfound: ReadonlySet<string>): SearchRemedy | null;
  /** An index over these columns. */
  index(table: TableName, columns: readonly string[]): readonly string[];
  /** A new column that numbers the records; null where the kind of table has none. */
  key(table: TableName, column: string): readonly string[];
  /** Makes a column NOT NULL, or fails where it holds a NULL; null where its definition is unknown. */
  notNull(table: TableName, column: string): readonly string[] | null;
  /** Lets columns of text hold every character; null where their definitions are unknown. */
  unicode(table: CatalogTable, columns: readonly Column[]): readonly string[] | null;
  analyze(table: TableName): readonly string[];
  /** A query for values of these columns that several records have. */
  repeated(table: TableName, columns: readonly string[]): readonly string[];
  /** The same SQL without characters that a terminal does not show, where the engine has escapes for them in names. */
  copyable(sql: string): string;
  /** A user of its own with these rights and no others. */
  user(needs: readonly Need[]): NewUser;
}

export interface SearchRemedy {
  readonly sql: readonly string[];
  readonly mode: 'like' | 'native' | 'auto';
  /** What `search.columns` must name. */
  readonly columns: readonly string[];
}

/** The rights that a resource needs. */
export interface Need {
  readonly table: TableName;
  readonly grants: readonly Grant[];
  /** Columns that the file mentions, hidden ones among them. */
  readonly mentioned: readonly string[];
  /** Where it is a view: what it reads, and what each view among these reads. */
  readonly below: readonly { readonly view: TableName; readonly reads: TableName }[];
  /** Those below it with columns that a resource hides: no GRANT covers them as a whole. */
  readonly withheld: readonly TableName[];
}

export interface NewUser {
  /** As a GRANT names it. */
  readonly name: string;
  readonly sql: readonly string[];
  /** The steps before it can log in. */
  readonly next: string;
}
