/** The vocabulary of advice: facts about a server, and SQL that its operator may carry out. Pure. */
import type { CatalogTable, Grant, TableName } from './catalog.ts';
import type { Answer, Statement } from './rows.ts';
import type { Column, Table } from './table.ts';

/** Reads facts about a server, and proposes SQL to its operator. The gateway never executes a proposal. */
export interface Advisor {
  /**
   * The queries for the facts.
   * @param redefined tables whose columns the advice may propose to change
   */
  queries(tables: readonly TableName[], redefined: readonly TableName[]): readonly Statement[];
  /** @param answers the answers to `queries`, in the same order; null for a query that the user has no right to run */
  facts(answers: readonly (Answer | null)[]): ServerFacts;
  /** The statement that asks the planner how it would run another one, without executing it. */
  explain(statement: Statement): Statement;
  plan(answer: Answer): PlanFacts;
  /** Reads a mark per table, which changes whenever the table's rows do. */
  readonly writes: Statement;
  written(answer: Answer): readonly WriteMark[];
  /** Whether indexes sort NULLs as the API does, last for asc and first for desc, so that an index can serve the sort. */
  readonly indexesSortNulls: boolean;
}

/** What the planner says about one of our statements. */
export interface PlanFacts {
  /** Whether it would read all rows of a table, or all entries of an index. */
  readonly readsAll: boolean;
  /** Whether it would sort all rows that it finds. */
  readonly sorts: boolean;
}

/** A mark that differs after any client has changed rows of the table. */
export interface WriteMark {
  readonly table: TableName;
  readonly mark: string;
}

export interface ServerFacts {
  /** Privileges of the gateway's user beyond what it needs, worded like `is a superuser`. */
  readonly powers: readonly string[];
  /** Tables that have rows, but no statistics for the planner. */
  readonly unanalyzed: readonly TableName[];
  /** Foreign keys without an index: deleting a row of `refersTo` has to scan `table`. */
  readonly unindexed: readonly UnindexedKey[];
  /** The mean size of records, for tables whose size the server knows. */
  readonly sizes: readonly RecordSize[];
  /** Whether the server refuses writes, because it is a replica or is set to read-only. */
  readonly isReadOnly: boolean;
  /** The state of the server as a replica; null if it is not a replica, or does not say so. */
  readonly replica: Replica | null;
  /** Whether the server ends a read at the statement timeout of the session; if not, the gateway has to. */
  readonly endsReads: boolean;
  /** Milliseconds after which the server ends a transaction, with its session; null if never. */
  readonly transactionTimeout: number | null;
  /** The most connections that the gateway's user may have; null if unknown. */
  readonly connections: number | null;
  /** Milliseconds after which the server ends an idle session; null if never. */
  readonly idleTimeout: number | null;
  readonly remedies: Remedies;
}

/** The state of a server that replicates another one, its primary. */
export interface Replica {
  /** An upper bound of the lag behind the primary, in milliseconds; null if unknown. */
  readonly lag: number | null;
  /** Whether it is receiving changes from the primary at the moment. */
  readonly isReceiving: boolean;
}

/** The mean size of a table's stored records, with all columns. */
export interface RecordSize {
  readonly table: TableName;
  readonly bytes: number;
}

/** A foreign key whose columns are not the leading columns of any index. */
export interface UnindexedKey {
  readonly refersTo: TableName;
  readonly table: TableName;
  readonly columns: readonly string[];
  /** The number of rows of `table`; null if unknown. */
  readonly rows: number | null;
}

/** SQL for an operator to copy. Each text is one statement without a semicolon; all names are quoted. */
export interface Remedies {
  /**
   * The indexes that make `q` fast on the table; null if the engine has no such indexes for it.
   * @param unfound text columns that `q` searches without an index
   */
  search(table: Table, found: CatalogTable, unfound: ReadonlySet<string>): SearchRemedy | null;
  /** Creates an index over these columns. */
  index(table: TableName, columns: readonly string[]): readonly string[];
  /** Adds a column that numbers the records, as a key; null if this kind of table cannot have one. */
  key(table: TableName, column: string): readonly string[];
  /** Makes a column NOT NULL (the SQL fails if it holds a NULL); null if we do not know its full definition. */
  notNull(table: TableName, column: string): readonly string[] | null;
  /** Converts text columns to a character set with all of Unicode; null if we do not know their full definitions. */
  unicode(table: CatalogTable, columns: readonly Column[]): readonly string[] | null;
  analyze(table: TableName): readonly string[];
  /** A query for duplicates: values of these columns that several records share. */
  repeated(table: TableName, columns: readonly string[]): readonly string[];
  /** The same SQL with escapes for characters in names that a terminal does not show, if the engine has such escapes. */
  copyable(sql: string): string;
  /** Creates a user for the gateway, with these rights and no others. */
  user(needs: readonly Need[]): NewUser;
}

export interface SearchRemedy {
  readonly sql: readonly string[];
  readonly mode: 'like' | 'native' | 'auto';
  /** The columns to name in `search.columns`. */
  readonly columns: readonly string[];
}

/** The rights that a resource needs. */
export interface Need {
  readonly table: TableName;
  readonly grants: readonly Grant[];
  /** The columns that the configuration file mentions, including hidden ones. */
  readonly mentioned: readonly string[];
  /** For a view: the tables and views that it reads, directly or through another view. */
  readonly below: readonly { readonly view: TableName; readonly reads: TableName }[];
  /** Tables below the view with a column that a resource hides: SELECT must not be granted on the whole table. */
  readonly withheld: readonly TableName[];
}

export interface NewUser {
  /** The user's name as a GRANT writes it. */
  readonly name: string;
  readonly sql: readonly string[];
  /** What the operator has to do before the user can log in. */
  readonly next: string;
}
