/** What is served: the configured resources as the catalogues of their databases show them. */
import type { Freshness } from '../cache/freshness.ts';
import type { Dependencies, OrderedEffects } from '../cache/invalidation.ts';
import type { ResourceSettings, Settings } from '../config/assemble.ts';
import type { Finding } from '../config/complaints.ts';
import type { Database } from '../execute/connection/database.ts';
import type { Spent } from '../execute/connection/meter.ts';
import type { WriteDialect } from '../execute/write/write-dialect.ts';
import type { Catalog, Server } from '../model/catalog.ts';
import type { Dialect } from '../model/dialect.ts';
import type { FeedFacts, FeedSource } from '../model/feed.ts';
import type { Access } from '../model/http.ts';
import type { Table } from '../model/table.ts';
import type { TokenLog, TokenSource } from '../model/token.ts';

/** A connected database, with the dialect of its server. */
export interface Connected {
  readonly database: Database;
  readonly dialect: Dialect;
  readonly server: Server;
  readonly writeDialect: WriteDialect;
  /** What changes with every commit on its server; null: nothing that its user may see. */
  readonly token: TokenSource | null;
  /** Whether the log of its server can be read; null: it is not to be, or the engine has none. */
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
  /** Null while it cannot be used; `connectError` is the reason. */
  readonly connected: Connected | null;
  readonly connectError: ConnectError | null;
  /** By resource id. */
  readonly tables: ReadonlyMap<string, Table | Absent>;
  readonly complaints: readonly Finding[];
  readonly warnings: readonly Finding[];
  /** Rights that its user lacks, and views that are broken. */
  readonly denials: readonly Finding[];
  /** Null while it cannot be reached, as `effects` is. */
  readonly catalog: Catalog | null;
  readonly effects: OrderedEffects | null;
  /** Equal for one server until it restarts; null while it cannot be reached. */
  readonly server: string | null;
  /** Equal for equal catalogues, but for the definitions of their tables. */
  readonly fingerprint: string;
  /** Equal where the definitions are. They may differ by what no answer shows. */
  readonly definitions: string;
  /** When reading it began, by `performance.now()`. */
  readonly readAt: number;
}

/** A configured resource with all that its calls need: looked up once, and valid for one gateway. */
export interface Resolved {
  readonly id: string;
  readonly settings: ResourceSettings;
  readonly access: Access;
  readonly table: Table | Absent;
  /** Null while its database has not been read, or cannot be used. */
  readonly connected: Connected | null;
  /** The counters that its answers depend on, and those that a write to it bumps; null until its database has been read. */
  readonly dependencies: Dependencies | null;
  /** Proves that its answers hold commits past the gateway; null where only their age counts. */
  readonly freshness: Freshness | null;
  /** Read replicas that may answer its reads; null: there are none. */
  readonly replicas: Replicas | null;
  /** Milliseconds for which answers may be kept; 0: they are not cached. */
  readonly cacheTtl: number;
  /** Whether `freshness` notices every commit past the gateway: none is to a foreign table, for example. */
  readonly isSeen: boolean;
}

/** What names the tables that others write. */
export interface NameSource {
  readonly log: TokenLog;
  readonly feed: FeedSource;
  /** Whether its queries may be left out for a while where they cost the server much. */
  readonly mayRest: boolean;
}

/** The read replicas of a database. */
export interface Replicas {
  /**
   * The next usable replica, in turn; null where none is, or where the primary does not give its position.
   * @param since the read shows every commit that a client knew of at this moment, by `performance.now()`
   */
  choose(since: number, spent: Spent): Promise<ChosenReplica | null>;
}

/** A replica for one read. */
export interface ChosenReplica {
  readonly name: string;
  /** They throw `NotOnReplica` where the replica does not show what the read must. */
  readonly sessions: ReturnType<Database['metered']> & Pick<Database, 'streams'>;
  /** Keeps other reads from it for a second. */
  rest(): void;
}

/** The settings in force, and the resources that they name. */
export interface Served {
  readonly settings: Settings;
  readonly snapshots: ReadonlyMap<string, DatabaseSnapshot>;
  /** Each once, as configured. */
  readonly resources: readonly Resolved[];
  /** The resource with this id or alias. */
  resource(name: string): Resolved | undefined;
  /** SHA-256 of a token, as settings hold it. */
  hash(token: string): string;
}
