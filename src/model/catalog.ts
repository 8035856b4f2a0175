/** The vocabulary of databases: a server's catalogue, its tables and its errors. Pure. */
import type { SearchIndex } from './search-index.ts';
import type { Column, ForeignKey, Index, Sequence, UniqueKey } from './table.ts';

/** A table as its database describes it, before the settings of a resource are applied. */
export interface CatalogTable {
  readonly schema: string | null;
  readonly name: string;
  readonly kind: 'table' | 'view';
  /** `label` is the column's own name here. */
  readonly columns: readonly Column[];
  readonly primaryKey: readonly string[];
  /** Unique keys over whole columns, the primary key among them. */
  readonly uniqueKeys: readonly UniqueKey[];
  readonly foreignKeys: readonly ForeignKey[];
  /** Whether the keys hold for all its rows: PostgreSQL's do not cover the rows of tables that inherit from it, unless they are partitions. */
  readonly keysHold: boolean;
  /** PostgreSQL: the user may read where each record is stored (`tableoid`, `ctid`), and no two are at one place. */
  readonly hasPlaces?: true;
  readonly sequence: Sequence;
  /** As in `Table`. */
  readonly mayDefer: boolean;
  /** As in `Table`. */
  readonly definition: string | null;
  /**
   * Primary first, then unique, then the rest by name. Excludes indexes over expressions, parts of columns or some of the rows.
   */
  readonly indexes: readonly Index[];
  readonly transactional: boolean;
  readonly searchIndexes: readonly CatalogSearchIndex[];
  readonly rights: TableRights;
}

/** The rights that a connection's user lacks on a table, as far as the server reveals them. */
export interface TableRights {
  /** By privilege, the columns without it. A privilege on the table covers all of its columns. */
  readonly without: Readonly<Record<'SELECT' | 'INSERT' | 'UPDATE', readonly string[]>>;
  /** Null where the server does not reveal it. */
  readonly mayDelete: boolean | null;
  /** The GRANT of the right to use the table's schema, where the user lacks it. */
  readonly schema: string | null;
  /** The GRANTs on sequences that number new records, where the user lacks them. */
  readonly sequences: readonly string[];
  /** The table may have columns that the server does not show to the user, who has no right to any of them. */
  readonly hidesColumns?: true;
}

/** A privilege on a table, or on some of its columns. */
export interface Grant {
  readonly privilege: 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE';
  /** Null: the whole table. */
  readonly columns: readonly string[] | null;
}

export interface CatalogSearchIndex extends SearchIndex {
  /** Every column the index takes words from. */
  readonly columns: readonly string[];
  /** The text search configuration it was built with; null where the engine has none. */
  readonly language: string | null;
}

/** The name of a table in its database. */
export interface TableName {
  readonly schema: string | null;
  readonly name: string;
}

/** A table of a server. */
export interface Relation {
  readonly database: string;
  readonly schema: string | null;
  readonly name: string;
}

/** The side effects of writes, as far as the catalogue shows them. Covers all tables of the server that the user may see. */
export interface Effects {
  /** An id of the server: equal for two connections to one server. */
  readonly server: string;
  /** The database of the connection. */
  readonly database: string;
  /** A write to `from` changes rows of `to`: cascades, partitions, the tables below a view. */
  readonly changes: readonly Dependency[];
  /** `to` shows rows of `from`: views, parents of partitions. */
  readonly shows: readonly Dependency[];
  /** Triggers, rules, foreign tables: a write to these may change any table of the server. */
  readonly mayChangeAnything: readonly UnprovedEffect[];
  /** Views that cannot be read, or call functions; foreign tables: any write may change their rows. */
  readonly mayShowAnything: readonly UnprovedEffect[];
  /** Tables whose rows another server or program keeps: no token of this server changes with them. */
  readonly elsewhere: readonly UnprovedEffect[];
  /** PostgreSQL: tables whose changes are not in the log. */
  readonly unlogged: readonly Relation[];
  /** MySQL: tables of other engines than InnoDB. */
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

/** The catalogue of one database: the requested tables, and the names of all, for suggestions. */
export interface Catalog {
  readonly tables: readonly CatalogTable[];
  readonly names: readonly TableName[];
  /** Text search configurations; null where the engine has none. */
  readonly languages: readonly string[] | null;
  /**
   * PostgreSQL: roles that may create functions in a schema of the search path, and so may run code with the rights of the user. Both as
   * SQL names them.
   */
  readonly creators: readonly { readonly schema: string; readonly role: string }[];
  readonly effects: Effects;
  /** The user of the connection, as a GRANT names it. */
  readonly user: string;
  /** The GRANT that gives the user these privileges on a table. */
  grant(table: TableName, grants: readonly Grant[]): string;
  /** The SQL of a full-text index over exactly these columns; null where the engine has none for their types. */
  fullTextIndex(table: TableName, columns: readonly Column[], language: string): string | null;
  /** Whoever locks a record needs UPDATE on a column of its table. */
  readonly locksByUpdate?: true;
  /** Whether `names` lacks the tables that the user has no right to. */
  readonly hidesTables: boolean;
}

/** A table or view of a database, configured or not. */
export interface SurveyedTable extends TableName {
  readonly is: 'table' | 'view' | 'foreign table' | 'partition' | 'table of an extension';
  /** The engine's estimate; null where it has none: of a view, or of a table that was never analysed. */
  readonly rows: number | null;
  readonly comment: string;
  /** The user of the connection has no right to any of its columns. */
  readonly unreadable?: true;
  /** The comments of its columns, by name. */
  readonly notes: ReadonlyMap<string, string>;
  /** The query of a view, as the server writes it; null where the user may not see it, and for tables. */
  readonly definition: string | null;
}

/** The first rows of a table as text, each value cut off. */
export interface Sample {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** The identity and settings of a server, read at the first connection. */
export interface Server {
  readonly product: 'postgres' | 'mysql' | 'mariadb';
  /** `[major, minor, patch]`. */
  readonly version: readonly number[];
  /** As the server reports it. */
  readonly versionText: string;
  /** The largest statement it accepts, in bytes; null where there is no such limit. */
  readonly maxStatementBytes: number | null;
  /** MySQL: the binary log has the format STATEMENT, with which InnoDB refuses writes under READ COMMITTED. */
  readonly logsStatements: boolean;
  /** PostgreSQL: a collation that folds the case of every alphabet, where the database's own folds ASCII only. */
  readonly foldCollation: string | null;
  /** PostgreSQL: an id of the running server; another server, a restart or a crash gives a different one. */
  readonly startId: string | null;
  /** PostgreSQL: that of the database. */
  readonly encoding?: Encoding;
}

export interface Encoding {
  /** As `UTF8` or `LATIN1`. */
  readonly name: string;
  /** Characters that the server has refused to convert: no query tells which an encoding has. */
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
        /** It ended a statement at its time limit. */
        | 'late'
        | 'starting'
        /** A node of a cluster that has no majority, or has not joined it yet. */
        | 'cut off'
        | 'offline'
        | 'tls required'
        | 'no tls'
        /** A pooler that gives its sessions to several programs at once. */
        | 'shared'
        /** Our own pool has no connection free. */
        | 'busy';
    }
  /** Null where the waiting time is unknown. */
  | { readonly is: 'silent'; readonly milliseconds: number | null }
  /** `why`: the text of the TLS error, which contains no secret. */
  | { readonly is: 'tls failed'; readonly why: string }
  /** The code of any other error. */
  | { readonly is: 'other'; readonly code: string };

/** The meaning of a driver error. Translated once, by the dialect; the driver's own text goes to the log only. */
export type ErrorKind =
  | { readonly kind: 'duplicate'; readonly constraint: string | null }
  | { readonly kind: 'null'; readonly column: string | null }
  | { readonly kind: 'missing reference'; readonly constraint: string | null }
  | { readonly kind: 'still referenced'; readonly constraint: string | null }
  | { readonly kind: 'check' }
  | { readonly kind: 'trigger' }
  /**
   * The engine refused a value that conversion accepted (an opaque type, a character set). It names the column, or the binding
   * by its position in the statement, from 1; or neither. `lacks`: a character of the value that the encoding of the database lacks.
   */
  | { readonly kind: 'value'; readonly column: string | null; readonly binding?: number; readonly lacks?: string }
  /** A stored text has bytes that are no characters in the encoding of the database. */
  | { readonly kind: 'unreadable'; readonly encoding: string }
  | { readonly kind: 'retry' }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'schema' }
  /** Something that a view or a trigger needs is gone, or its definer. */
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
