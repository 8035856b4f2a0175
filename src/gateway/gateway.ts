/** The one value that a call takes: settings, catalogues, resources and the cache. */
import type { Trust } from '../accept/client.ts';
import type { Rates } from '../accept/rates.ts';
import type { Bounds } from '../actions/action.ts';
import type { Freshness } from '../cache/freshness.ts';
import type { Dependencies, OrderedEffects } from '../cache/invalidation.ts';
import type { ResourceSettings, Settings } from '../config/assemble.ts';
import type { Finding } from '../config/complaints.ts';
import type { Database } from '../execute/connection/database.ts';
import type { Spool } from '../execute/dump/spool.ts';
import type { ReplicaSet } from '../execute/replication/replica-set.ts';
import type { WriteDialect } from '../execute/write/write-dialect.ts';
import type { Assets } from '../explorer/assets.ts';
import type { Catalog, Server } from '../model/catalog.ts';
import type { Dialect } from '../model/dialect.ts';
import type { Emit } from '../model/events.ts';
import type { FeedFacts } from '../model/feed.ts';
import type { Access } from '../model/http.ts';
import type { Table } from '../model/table.ts';
import type { TokenSource } from '../model/token.ts';
import type { Cache } from './cache.ts';

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
  /** The read replicas that may answer its reads; null: there are none. */
  readonly replicas: ReplicaSet | null;
  /** Whether `freshness` notices every commit past the gateway: none is to a foreign table, for example. */
  readonly isSeen: boolean;
}

/** The client of a stream of change notices. */
export interface Subscriber {
  /** Its name or address, for the limit of streams. */
  readonly client: string;
  /**
   * The resources that it asked for and may read, by its names; null: it may no longer read all of them. Called with each new
   * gateway.
   */
  readable(gateway: Gateway): ReadonlyMap<string, Resolved> | null;
  readonly lastEventId: string | undefined;
  /** Aborted when the client has left. */
  readonly gone: AbortSignal;
}

/** All that one call needs, in one immutable value: a call takes it once (docs/architecture.md). */
export interface Gateway {
  readonly settings: Settings;
  readonly snapshots: ReadonlyMap<string, DatabaseSnapshot>;
  /** The limits of an action, and the sealing of its cursors. */
  readonly bounds: Bounds;
  /** Changes with settings and catalogues. */
  readonly version: number;
  /** The epoch of the generations in which this gateway was made. Counters of a resource may differ from those before. */
  readonly since: number;
  /** When it was made, by `performance.now()`. */
  readonly madeAt: number;
  /** Each once, as configured. */
  readonly resources: readonly Resolved[];
  /** The resource with this id or alias. */
  resource(name: string): Resolved | undefined;
  readonly cache: Cache;
  /**
   * Invalidates in every process all entries that a write to this resource affects. Answer the write when it has resolved.
   * @param transactions the ids of the write's transactions, as far as the engine says them
   */
  invalidate(resource: Resolved, transactions: readonly string[]): Promise<void>;
  /**
   * Suspends, in every process, caching of all entries that a write to this resource affects. Starts when it resolves, ends
   * when `settled` has.
   */
  suspend(resource: Resolved, settled: Promise<void>): Promise<void>;
  /**
   * Opens a stream of change notices for these resources, each under the name that the client has for it. It ends when the client
   * leaves, or may not read one of them any more.
   * @throws Refusal unavailable (503) over `limits.subscribers`
   */
  subscribe(resources: ReadonlyMap<string, Resolved>, by: Subscriber): AsyncIterable<string>;
  /** The files of downloads whose clients lag. */
  readonly spool: Spool;
  /** The files of the explorer. */
  readonly assets: Assets;
  readonly emit: Emit;
  readonly random: () => number;
  /** Null without a rate limit. */
  readonly rates: Rates | null;
  hash(token: string): string;
  /** The proxies whose forwarding headers are trusted. */
  readonly trust: Trust;
  /** Whether another configuration was taken over since: it may have revoked what this one granted. */
  isReplaced(): boolean;
  /**
   * Whether the table of this resource is as it was read. Asks the server, unless that was since `since`, by `performance.now()`.
   * Throws what the query threw.
   */
  isCurrent(resource: Resolved, since: number): Promise<boolean>;
  /** A gateway with a newer reading of the database of this resource, for a call that met an unknown name. Null: there is none. */
  reread(resource: string, why: 'refused' | 'failed'): Promise<Gateway | null>;
}
