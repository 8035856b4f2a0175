/** The composition root: builds the parts of the gateway from the settings. */
import { hash as digest } from 'node:crypto';
import type { Trust } from '../accept/client.ts';
import type { Rates } from '../accept/rates.ts';
import type { Bounds } from '../actions/action.ts';
import type { Generations } from '../cache/generations.ts';
import { type Dependencies, dependenciesOf } from '../cache/invalidation.ts';
import type { Results } from '../cache/results.ts';
import type { Store } from '../cache/store.ts';
import type { Totals } from '../cache/totals.ts';
import type { Database as DatabaseSettings, ResourceSettings, Settings } from '../config/assemble.ts';
import type { Finding } from '../config/complaints.ts';
import * as dialects from '../dialects/index.ts';
import { meet, readCatalog } from '../execute/catalog.ts';
import { type Database, openDatabase } from '../execute/connection/database.ts';
import { outageOf } from '../execute/connection/outage.ts';
import type { Driver } from '../execute/connection/session.ts';
import * as drivers from '../execute/drivers/index.ts';
import type { Writer } from '../execute/write/writer.ts';
import type { Effects, Relation } from '../model/catalog.ts';
import type { Dialect } from '../model/dialect.ts';
import type { Emit } from '../model/events.ts';
import type { Sealing } from '../model/http.ts';
import type { Table } from '../model/table.ts';
import { bind } from './bind.ts';
import { withoutMilliseconds } from './compat.ts';
import { outageText } from './outage.ts';
import { writerOf } from './writer.ts';

/** A connected database, with the dialect of its server. */
export interface Connected {
  readonly database: Database;
  readonly dialect: Dialect;
  /** As the server reports it. */
  readonly version: string;
  readonly writer: Writer;
}

/** Why a configured resource cannot be served now. `unfit`: the configuration names columns that the table no longer has. */
export type Absent = 'unreachable' | 'missing' | 'unfit';

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
  /** Rights that its user lacks. */
  readonly denials: readonly Finding[];
  /** Null while it cannot be reached. */
  readonly effects: Effects | null;
  /** Equal for one server until it restarts; null while it cannot be reached. */
  readonly server: string | null;
  /** Equal for equal catalogues. */
  readonly fingerprint: string;
}

/** All that one call needs, in one immutable value: a call takes it once (docs/architecture.md). */
export interface Gateway {
  readonly settings: Settings;
  readonly snapshots: ReadonlyMap<string, DatabaseSnapshot>;
  /** The limits of an action, and the sealing of its cursors. */
  readonly bounds: Bounds;
  /** Changes with settings and catalogues. */
  readonly version: number;
  /** The counters that each resource's answers depend on, and those that a write to it bumps. */
  readonly dependencies: ReadonlyMap<string, Dependencies>;
  readonly cache: Cache;
  /** Invalidates in every process all entries that a write to this resource affects. Answer the write when it has resolved. */
  invalidate(resource: string): Promise<void>;
  /**
   * Suspends, in every process, caching of all entries that a write to this resource affects. Starts when it resolves, ends
   * when `settled` has.
   */
  suspend(resource: string, settled: Promise<void>): Promise<void>;
  readonly emit: Emit;
  readonly random: () => number;
  /** Null without a rate limit. */
  readonly rates: Rates | null;
  hash(token: string): string;
  /** The proxies whose forwarding headers are trusted. */
  readonly trust: Trust;
  /** Whether another configuration was taken over since: it may have revoked what this one granted. */
  isReplaced(): boolean;
  /** A gateway with a newer reading of this database, for a call that met an unknown name. Null: there is none. */
  reread(database: string, why: 'refused' | 'failed'): Promise<Gateway | null>;
}

/** Cached bodies and totals, and the counters that invalidate them. The cache belongs to the process and outlives a `Gateway`. */
export interface Cache {
  readonly memory: Store;
  readonly results: Results;
  readonly totals: Totals;
  readonly generations: Generations;
}

/** Connection pools by database. They outlive a `Gateway`: a rebuilt one takes them over. */
export type Pools = ReadonlyMap<string, Database>;

export function openPools(settings: Settings): Pools {
  return new Map(
    [...settings.databases.values()].map((database) => [database.name, openPool(database, settings.limits)]),
  );
}

export async function closePools(pools: Pools): Promise<void> {
  await Promise.all([...pools.values()].map((pool) => pool.close()));
}

/** SHA-256 as hex: settings hold tokens in this form. */
export const hash = (token: string): string => digest('sha256', token, 'hex');

export function boundsOf({ limits, server }: Settings, sealing: Sealing): Bounds {
  const older = server.compat === '2.11' ? { actions: `${server.basePath}/api/3/action` } : null;
  return { ...limits, sealing, older };
}

/** Reads all databases concurrently. */
export async function lookAt(settings: Settings, pools: Pools): Promise<ReadonlyMap<string, DatabaseSnapshot>> {
  const views = await Promise.all([...pools].map(([name, pool]) => look(settings, name, pool)));
  return new Map(views.map((view) => [view.name, view]));
}

/**
 * Connects to a database, reads its configured tables and binds the resources to them. Never throws: a mismatch becomes a
 * complaint, a failed connection becomes `connectError`.
 */
export async function look(settings: Settings, name: string, database: Database): Promise<DatabaseSnapshot> {
  const mine = [...settings.resources.values()].filter((resource) => resource.database === name);
  const family = dialects[settings.databases.get(name)?.client ?? 'postgres'];
  try {
    const server = await meet(database, family);
    const dialect = family.dialect(server);
    const read = await readCatalog(
      database,
      dialect,
      mine.map(({ schema, table }) => ({ schema, name: table })),
    );
    const catalog = settings.server.compat === '2.11' ? withoutMilliseconds(read) : read;
    const bound = mine.map((resource) => ({ resource, ...bind(resource, catalog) }));
    const absent = ({ table }: ResourceSettings): Absent =>
      catalog.names.some((known) => known.name === table) ? 'unfit' : 'missing';
    return {
      name,
      connected: {
        database,
        dialect,
        version: server.versionText,
        writer: writerOf(dialect, server.maxStatementBytes ?? 16_000_000, settings.limits.responseBytes),
      },
      connectError: null,
      tables: new Map(bound.map(({ resource, table }) => [resource.name, table ?? absent(resource)])),
      complaints: bound.flatMap((it) => it.complaints),
      warnings: bound.flatMap((it) => it.warnings),
      denials: bound.flatMap((it) => it.denials),
      effects: catalog.effects,
      server: JSON.stringify(server),
      fingerprint: JSON.stringify([catalog.tables, catalog.effects], (_, value) =>
        typeof value === 'bigint' ? String(value) : value,
      ),
    };
  } catch (cause) {
    const tables = new Map<string, Absent>(mine.map((resource) => [resource.name, 'unreachable']));
    return {
      name,
      connected: null,
      connectError: { why: whyUnavailable(settings, name, cause), cause },
      tables,
      complaints: [],
      warnings: [],
      denials: [],
      effects: null,
      server: null,
      fingerprint: '',
    };
  }
}

/**
 * Why a database cannot be used, in a sentence.
 * @param names whether the sentence may name the user and the database
 */
export function whyUnavailable({ databases }: Settings, name: string, cause: unknown, names = true): string {
  const database = databases.get(name);
  if (database === undefined) return 'it is not configured';
  return outageText(outageOf(cause, dialects[database.client].outage), database, names);
}

/** The counters of every resource whose database has been read. */
export function dependenciesByResource(
  settings: Settings,
  views: ReadonlyMap<string, DatabaseSnapshot>,
): ReadonlyMap<string, Dependencies> {
  const all = [...views.values()].flatMap(({ effects }) => (effects === null ? [] : [effects]));
  const place = (name: string): { readonly relation: Relation; readonly effects: Effects } | null => {
    const resource = settings.resources.get(name);
    const effects = resource === undefined ? null : (views.get(resource.database)?.effects ?? null);
    if (resource === undefined || effects === null) return null;
    return { relation: { database: effects.database, schema: resource.schema, name: resource.table }, effects };
  };
  const counters = [...settings.resources.values()].flatMap(({ name, invalidates }): [string, Dependencies][] => {
    const placed = place(name);
    if (placed === null) return [];
    const known = all.filter(({ server }) => server === placed.effects.server);
    const narrowed = invalidates === 'all' ? null : invalidates.flatMap((other) => place(other)?.relation ?? []);
    return [[name, dependenciesOf(placed.relation, known, narrowed)]];
  });
  return new Map(counters);
}

function openPool(settings: DatabaseSettings, limits: Settings['limits']): Database {
  const family = dialects[settings.client];
  const { statementTimeout, max, acquireTimeout } =
    settings.client === 'pglite'
      ? { statementTimeout: 60_000, max: 1, acquireTimeout: 30_000 }
      : { statementTimeout: settings.statementTimeout, ...settings.pool };
  return openDatabase({
    name: settings.name,
    driver: driverOf(settings),
    max,
    acquireTimeout,
    statementTimeout,
    dumps: { max: limits.dumpsPerDatabase, timeout: limits.dumpTimeout },
    // A server may be upgraded or fail over behind its address: every session identifies its server again.
    async initSession(run, setup, milliseconds) {
      const server = family.server(await run(family.serverQuery));
      for (const text of family.dialect(server).sessionSetup(milliseconds)) await setup(text);
    },
  });
}

function driverOf(settings: DatabaseSettings): Driver {
  if (settings.client === 'pglite') return drivers.pglite(settings.directory);
  return drivers[settings.client](settings.connection);
}
