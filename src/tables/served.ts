/** What is served: the configured resources, as their databases' catalogues show them. */
import type { Logins } from '../accept/logins/logins.ts';
import type { Verdicts } from '../accept/verdicts/verdicts.ts';
import type { Freshness } from '../cache/freshness.ts';
import type { Dependencies, IndexedEffects } from '../cache/invalidation.ts';
import type { ResourceSettings, Settings } from '../config/assemble.ts';
import type { Finding } from '../config/complaints.ts';
import type { Database } from '../execute/connection/database.ts';
import type { Spent } from '../execute/connection/meter.ts';
import type { WriteDialect } from '../execute/write/write-dialect.ts';
import type { Catalog, Server } from '../model/catalog.ts';
import type { CommitMarkerLog, CommitMarkerSource } from '../model/commit-marker.ts';
import type { Dialect } from '../model/dialect.ts';
import type { FeedFacts, FeedSource } from '../model/feed.ts';
import type { Access, References } from '../model/http.ts';
import type { Dataset } from '../model/metadata.ts';
import type { Table } from '../model/table.ts';
import type { RowRules } from './row-rules.ts';

/** A connected database, with the dialect of its server. */
export interface Connected {
  readonly database: Database;
  readonly dialect: Dialect;
  readonly server: Server;
  readonly writeDialect: WriteDialect;
  /** The source of the server's commit markers; null if the database user can't see any. */
  readonly commitMarker: CommitMarkerSource | null;
  /** What prevents reading the server's log; null if `feed` is none, or the engine has no log. */
  readonly feed: FeedFacts | null;
}

/**
 * Why a configured resource cannot be served now. `unfit`: the configuration names columns that the table no longer has. `broken`: the
 * server has a view of this name, but not its columns.
 */
export type Absent = 'unreachable' | 'missing' | 'unfit' | 'broken';

/** Why a database cannot be used. */
export interface ConnectError {
  /** A sentence for the operator. */
  readonly why: string;
  /** The driver's error. */
  readonly cause: unknown;
}

/** The state of one database when its catalogue was last read. */
export interface DatabaseSnapshot {
  readonly name: string;
  /** Null while the database cannot be used; `connectError` is the reason. */
  readonly connected: Connected | null;
  readonly connectError: ConnectError | null;
  /** Each resource's table, or why it cannot be served; by resource id. */
  readonly tables: ReadonlyMap<string, Table | Absent>;
  readonly complaints: readonly Finding[];
  readonly warnings: readonly Finding[];
  /** Rights that the database user lacks, and broken views. */
  readonly denials: readonly Finding[];
  /** Null while the database cannot be used; so is `effects`. */
  readonly catalog: Catalog | null;
  readonly effects: IndexedEffects | null;
  /** Identifies the server until it restarts; null while the database cannot be used. */
  readonly server: string | null;
  /** Equal in two snapshots if their catalogues are equal, apart from the tables' definitions. */
  readonly fingerprint: string;
  /** The definitions of all tables, as one string. It also changes with details that no answer shows, such as an index. */
  readonly definitions: string;
  /** When we began to read the catalogue, by `performance.now()`. */
  readonly readAt: number;
}

/** A configured resource with everything that its calls need, looked up once per gateway. */
export interface Resolved extends References {
  readonly id: string;
  readonly settings: ResourceSettings;
  readonly access: Access;
  readonly table: Table | Absent;
  /** Which of the resource's rows each caller may see and write. */
  readonly rows: RowRules;
  /** Null while its database has not been read, or cannot be used. */
  readonly connected: Connected | null;
  /** The generation counters that its answers depend on, and those that a write to it bumps; null until its database has been read. */
  readonly dependencies: Dependencies | null;
  /** Proves that cached answers show other clients' commits; null if answers only expire by age. */
  readonly freshness: Freshness | null;
  /** Read replicas that may answer reads of the resource; null if there are none. */
  readonly replicas: Replicas | null;
  /** How long answers are cached, in milliseconds; 0 if they are not. */
  readonly cacheTtl: number;
  /** Whether `freshness` notices every commit by other clients. False for a foreign table, for example. */
  readonly noticesAllWrites: boolean;
}

/** The server's log, which names the tables that other clients change. */
export interface TableNameSource {
  readonly log: CommitMarkerLog;
  readonly feed: FeedSource;
  /** Whether to stop querying the log for a while when that costs the server too much. */
  readonly mayPause: boolean;
}

/** A database's read replicas. */
export interface Replicas {
  /**
   * The next usable replica, in turn; null if there is none, or the primary does not report its log position.
   * @param since the read must show every commit that clients had been told about at this moment, by `performance.now()`
   */
  choose(since: number, spent: Spent): Promise<ChosenReplica | null>;
}

/** A replica for one read. */
export interface ChosenReplica {
  readonly name: string;
  /** Sessions that throw `NotOnReplica` if the replica lacks a commit that the read must show. */
  readonly sessions: ReturnType<Database['metered']> & Pick<Database, 'streams'>;
  /** Keeps other reads off the replica for a second. */
  pause(): void;
}

/** The settings in force, and the resources that they name. */
export interface Served {
  readonly settings: Settings;
  readonly snapshots: ReadonlyMap<string, DatabaseSnapshot>;
  /** Each resource once, in the order of the configuration. */
  readonly resources: readonly Resolved[];
  /** The resources by their ids, aliases and UUIDs. */
  readonly byName: ReadonlyMap<string, Resolved>;
  /** The catalogue: datasets of public tables, by name. */
  readonly datasets: readonly Dataset[];
  /** Verifies JWTs; null if no issuer is configured. */
  readonly logins: Logins | null;
  /** What the upstream decides about callers; null if no resource has `access: upstream`. */
  readonly verdicts: Verdicts | null;
  /** A token's SHA-256, as the settings have it. */
  hash(token: string): string;
}
