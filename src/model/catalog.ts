/** The vocabulary of databases: a server's catalogue, its tables and its errors. Pure. */
import type { SearchIndex } from './search-index.ts';
import type { Column, ForeignKey, Index, Sequence, UniqueKey } from './table.ts';

/** A table as its database describes it, before the settings of a resource are applied. */
export interface CatalogTable {
  readonly schema: string | null;
  readonly name: string;
  readonly kind: 'table' | 'view';
  /** The columns; `label` is the column's own name, since the configuration is not applied yet. */
  readonly columns: readonly Column[];
  readonly primaryKey: readonly string[];
  /** Unique keys over whole columns, the primary key among them. */
  readonly uniqueKeys: readonly UniqueKey[];
  readonly foreignKeys: readonly ForeignKey[];
  /** Whether the keys are unique over all rows. In PostgreSQL, a table that inherits from this one may repeat them (a partition may not). */
  readonly keysHold: boolean;
  /** PostgreSQL: the user may read the address of each row (`tableoid`, `ctid`), and it is unique. */
  readonly hasPlaces?: true;
  readonly sequence: Sequence;
  /** Whether a write may defer checks to its commit, to which no statement timeout applies. */
  readonly mayDefer: boolean;
  /** A string that changes when the table is altered; null if the server has none. */
  readonly definition: string | null;
  /**
   * The primary key first, then unique indexes, then the rest by name. Leaves out indexes over expressions, prefixes or some of the rows.
   */
  readonly indexes: readonly Index[];
  readonly transactional: boolean;
  readonly searchIndexes: readonly CatalogSearchIndex[];
  readonly rights: TableRights;
}

/** The rights that the gateway's user lacks on a table, as far as the server reveals them. */
export interface TableRights {
  /** For each privilege, the columns without it. A privilege on the table covers all of its columns. */
  readonly without: Readonly<Record<'SELECT' | 'INSERT' | 'UPDATE', readonly string[]>>;
  /** Whether the user may delete rows; null if the server does not reveal it. */
  readonly mayDelete: boolean | null;
  /** The GRANT of USAGE on the table's schema; null if the user already has it. */
  readonly schema: string | null;
  /** The missing GRANTs on sequences that number new records. */
  readonly sequences: readonly string[];
  /** The table may have more columns: the server hides those on which the user has no rights. */
  readonly hidesColumns?: true;
}

/** A privilege on a table, or on some of its columns. */
export interface Grant {
  readonly privilege: 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE';
  /** Null for the whole table. */
  readonly columns: readonly string[] | null;
}

export interface CatalogSearchIndex extends SearchIndex {
  /** All columns whose words are in the index. */
  readonly columns: readonly string[];
  /** The text search configuration with which the index was built; null if the engine has none. */
  readonly language: string | null;
}

/** The name of a table in its database. */
export interface TableName {
  readonly schema: string | null;
  readonly name: string;
}

/** The name of a table on its server, across all databases. */
export interface Relation {
  readonly database: string;
  readonly schema: string | null;
  readonly name: string;
}

/** The side effects of writes on other tables, as the catalogue shows them, for all tables of the server that the user may see. */
export interface Effects {
  /** An id of the server, the same for all connections to it. */
  readonly server: string;
  /** The database to which the gateway is connected. */
  readonly database: string;
  /** A write to `from` changes rows of `to`: cascades, partitions, the base tables of a view. */
  readonly changes: readonly Dependency[];
  /** `to` shows rows of `from`: views, parents of partitions. */
  readonly shows: readonly Dependency[];
  /** Tables where a write may change any other table of the server: they have triggers or rules, or are foreign tables. */
  readonly mayChangeAnything: readonly UnprovedEffect[];
  /** Tables whose rows any write may change: foreign tables, and views that call functions or whose query we may not read. */
  readonly mayShowAnything: readonly UnprovedEffect[];
  /** Tables whose rows are kept by another server or program: the commit marker of this server does not change with them. */
  readonly elsewhere: readonly UnprovedEffect[];
  /** PostgreSQL: unlogged tables, whose changes are not in the server's log. */
  readonly unlogged: readonly Relation[];
  /** MySQL: tables with a storage engine other than InnoDB. */
  readonly outsideInnodb: readonly UnprovedEffect[];
}

export interface Dependency {
  readonly from: Relation;
  readonly to: Relation;
}

export interface UnprovedEffect {
  readonly table: Relation;
  readonly why: string;
}

/** The catalogue of one database: the requested tables, and the names of all tables, to suggest one for a misspelt name. */
export interface Catalog {
  readonly tables: readonly CatalogTable[];
  readonly names: readonly TableName[];
  /** The text search configurations of the server; null if the engine has none. */
  readonly languages: readonly string[] | null;
  /**
   * PostgreSQL: roles that may create functions in a schema of the search path. Such a function could run with our user's rights. Both
   * names are quoted for SQL.
   */
  readonly creators: readonly { readonly schema: string; readonly role: string }[];
  readonly effects: Effects;
  /** The gateway's user, as a GRANT names it. */
  readonly user: string;
  /** The GRANT that gives the user these privileges on a table. */
  grant(table: TableName, grants: readonly Grant[]): string;
  /** The SQL that creates a full-text index over exactly these columns; null if the engine has none for their types. */
  fullTextIndex(table: TableName, columns: readonly Column[], language: string): string | null;
  /** Locking a record requires the right UPDATE on some column of its table. */
  readonly locksByUpdate?: true;
  /** Whether the server hides tables on which the user has no rights, so that `names` lacks them. */
  readonly hidesTables: boolean;
}

/** A table or view of a database, configured or not. */
export interface SurveyedTable extends TableName {
  readonly is: 'table' | 'view' | 'foreign table' | 'partition' | 'table of an extension';
  /** The engine's estimate; null if it has none, as for a view, or a table that was never analysed. */
  readonly rows: number | null;
  readonly comment: string;
  /** The gateway's user may not read any of its columns. */
  readonly unreadable?: true;
  /** Its columns' comments, by column name. */
  readonly notes: ReadonlyMap<string, string>;
  /** The query of a view, as the server prints it; null for tables, and if the user may not see it. */
  readonly definition: string | null;
}

/** The planner's estimate of a table's row count. */
export interface RowEstimate extends TableName {
  readonly rows: number;
}

/** The first rows of a table as text; long values are cut off. */
export interface Sample {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** The identity and settings of a server, read at the first connection. */
export interface Server {
  readonly product: 'postgres' | 'mysql' | 'mariadb';
  /** The version as `[major, minor, patch]`. */
  readonly version: readonly number[];
  /** The version as the server reports it. */
  readonly versionText: string;
  /** The largest statement that the server accepts, in bytes; null if there is no limit. */
  readonly maxStatementBytes: number | null;
  /** MySQL: the binary log has the format STATEMENT. InnoDB then refuses writes in READ COMMITTED transactions. */
  readonly logsStatements: boolean;
  /** PostgreSQL: a collation that folds the case of every alphabet, if the database's default folds ASCII only; else null. */
  readonly foldCollation: string | null;
  /** PostgreSQL: identifies one run of the server. It differs after a restart or a crash, and on another server. */
  readonly startId: string | null;
  /** PostgreSQL: the encoding of the database. */
  readonly encoding?: Encoding;
}

export interface Encoding {
  /** The encoding's name, such as `UTF8` or `LATIN1`. */
  readonly name: string;
  /** Characters that the server has refused so far: no query tells which characters an encoding has. */
  readonly lacks: Set<string>;
}

/** Why a server cannot be used. */
export type Outage =
  | {
      readonly is:
        | 'refused'
        | 'unknown host'
        | 'unreachable'
        | 'closed'
        | 'no socket'
        | 'login'
        | 'no login from here'
        | 'blocked'
        | 'no database'
        | 'no right'
        | 'full'
        /** The server ended a statement at its own timeout. */
        | 'late'
        | 'starting'
        /** A node that has lost the majority of its cluster, or has not joined it yet. */
        | 'cut off'
        | 'offline'
        | 'tls required'
        | 'no tls'
        /** A pooler that gives its sessions to several programs at once. */
        | 'shared'
        /** Our own pool has no free connection. */
        | 'busy';
    }
  /** The server did not respond within `milliseconds`; null if we do not know how long we waited. */
  | { readonly is: 'silent'; readonly milliseconds: number | null }
  /** `why`: the text of the TLS error, which contains no secret. */
  | { readonly is: 'tls failed'; readonly why: string }
  /** Any other error, with its code. */
  | { readonly is: 'other'; readonly code: string };

/** The meaning of a driver error, as the dialect classifies it. The driver's own text only goes to the log. */
export type ErrorKind =
  | { readonly kind: 'duplicate'; readonly constraint: string | null }
  | { readonly kind: 'null'; readonly column: string | null }
  | { readonly kind: 'missing reference'; readonly constraint: string | null }
  | { readonly kind: 'still referenced'; readonly constraint: string | null }
  | { readonly kind: 'check' }
  | { readonly kind: 'trigger' }
  /**
   * The engine refused a value that conversion accepted, because of an opaque type or a character set. The engine names the column, or
   * the position of the binding in the statement, from 1, or neither. `lacks`: a character that the database's encoding does not have.
   * `isOverflow`: a computed number is too large.
   */
  | {
      readonly kind: 'value';
      readonly column: string | null;
      readonly binding?: number;
      readonly lacks?: string;
      readonly isOverflow?: true;
    }
  /** A stored text has bytes that are not valid in the encoding of the database. */
  | { readonly kind: 'unreadable'; readonly encoding: string }
  | { readonly kind: 'retry' }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'schema' }
  /** A view or trigger does not work any more: a table or function that it needs, or its definer, has been dropped. */
  | { readonly kind: 'broken view' }
  /** A materialized view that has never been filled. */
  | { readonly kind: 'not populated' }
  | { readonly kind: 'permission' }
  /** A view that the engine cannot write through. */
  | { readonly kind: 'not writable' }
  | { readonly kind: 'read-only' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'connection' }
  | { readonly kind: 'too large' }
  | { readonly kind: 'unknown' };
