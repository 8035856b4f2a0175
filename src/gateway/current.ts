import { isDeepStrictEqual } from 'node:util';
import { trusting } from '../accept/client.ts';
import { Rates } from '../accept/rates.ts';
import type { Join } from '../cache/buses/bus.ts';
import { CoherentGenerations } from '../cache/coherent-generations.ts';
import { Generations } from '../cache/generations.ts';
import { Results } from '../cache/results.ts';
import { Store } from '../cache/store.ts';
import { Totals } from '../cache/totals.ts';
import type { Settings } from '../config/assemble.ts';
import { complaintLines, type Positions } from '../config/complaints.ts';
import type { Emit } from '../model/events.ts';
import type { Levels } from '../watch/metrics.ts';
import {
  boundsOf,
  type Cache,
  closePools,
  type DatabaseSnapshot,
  dependenciesByResource,
  type Gateway,
  hash,
  look,
  lookAt,
  openPools,
  type Pools,
  whyUnavailable,
} from './build.ts';
import { sealing } from './seal.ts';

/** Loaded settings and the source position of each. */
export interface Configuration {
  readonly settings: Settings;
  readonly positions: Positions;
}

export interface Opening {
  /** Runs on the pools before any catalogue is read. */
  prepare(pools: Pools): Promise<void>;
  readonly bus: Join;
  readonly emit: Emit;
  /**
   * Replaces an absent `server.secret`. One for all processes, and the same after a reload, so that no client's paging breaks.
   */
  readonly secret: string | Uint8Array;
  /** Whether to serve the remaining resources where the database disagrees, as after a table has changed. */
  readonly lenient: boolean;
}

/** A configuration that was checked against its databases: to be adopted or dropped. */
export interface Prepared {
  /** `idle` resolves when the calls that run now have ended: dropped pools are closed then. */
  adopt(idle: Promise<unknown>): void;
  drop(): Promise<void>;
}

/** Milliseconds between two readings of a database for a caller's unknown name (design, issue of schema changes). */
const patience = 5000;
/** Milliseconds between two attempts to reach a database. */
const lookAgain = 500;

/**
 * Holds the current gateway and replaces it whole. That happens when a catalogue was read again, a database came back, or the
 * configuration was reloaded. Running calls keep the gateway they took.
 */
export class Current {
  readonly #emit: Emit;
  #configuration: Configuration;
  readonly #cache: Cache;
  #rates: Rates | null;
  readonly #shared: CoherentGenerations;
  #version = 0;
  #pools: Pools;
  #gateway: Gateway;
  /** Readings under way, and the time of the last one, by database. */
  readonly #reading = new Map<string, Promise<void>>();
  readonly #read = new Map<string, { readonly at: number; readonly changed: boolean }>();
  readonly #secret: string | Uint8Array;
  readonly #timers: NodeJS.Timeout[] = [];
  /** By database that was never reached: the reasons already logged. Two reasons may alternate. */
  readonly #said = new Map<string, Set<string>>();

  private constructor(
    configuration: Configuration,
    pools: Pools,
    views: ReadonlyMap<string, DatabaseSnapshot>,
    { emit, secret }: Opening,
  ) {
    this.#configuration = configuration;
    this.#pools = pools;
    this.#emit = emit;
    this.#secret = secret;
    const memory = new Store(Math.max(1, configuration.settings.cache.maxBytes));
    this.#cache = {
      memory,
      results: new Results(memory),
      totals: new Totals(memory),
      generations: new Generations(),
    };
    // Since a call took its gateway, or another process read its catalogue, a new view over the table may exist.
    this.#shared = new CoherentGenerations(
      this.#cache.generations,
      (resource) => this.#gateway.dependencies.get(resource)?.invalidates ?? [],
    );
    this.#rates = ratesOf(configuration.settings);
    this.#gateway = this.#make(configuration.settings, views);
    for (const view of views.values()) this.#announce(view);
    this.#watch();
  }

  /** Opens the pools, reads every database and joins the bus. Returns the complaints, a line each, where they forbid serving. */
  static async open(
    configuration: Configuration,
    opening: Opening,
  ): Promise<Current | { readonly complaints: readonly string[] }> {
    const pools = openPools(configuration.settings);
    await opening.prepare(pools);
    const views = await lookAt(configuration.settings, pools);
    const complaints = complaintsOf(views, configuration.positions);
    if (complaints.length > 0 && !opening.lenient) {
      await closePools(pools);
      return { complaints };
    }
    const current = new Current(configuration, pools, views, opening);
    await current.#shared.join(opening.bus);
    return current;
  }

  /** How full the cache and the pools are. */
  levels(): Omit<Levels, 'connections' | 'incomingBytes'> {
    const pools = [...this.#pools].flatMap(([database, pool]) =>
      Object.entries(pool.usage()).map(([name, usage]) => ({ database, pool: name, ...usage })),
    );
    return { cache: this.#cache.memory.level, pools, workers: 1 };
  }

  get gateway(): Gateway {
    return this.#gateway;
  }

  /** Reads the databases of another configuration, or returns the complaints about it. The current one stays in service. */
  async prepare(next: Configuration): Promise<Prepared | { readonly complaints: readonly string[] }> {
    const before = this.#configuration.settings;
    const shapes = ({ databases, limits }: Settings, name: string) => [
      databases.get(name),
      limits.dumpsPerDatabase,
      limits.dumpTimeout,
    ];
    const kept = new Map(
      [...this.#pools].filter(([name]) => isDeepStrictEqual(shapes(before, name), shapes(next.settings, name))),
    );
    const fresh = openPools({
      ...next.settings,
      databases: new Map([...next.settings.databases].filter(([name]) => !kept.has(name))),
    });
    const pools = new Map([...kept, ...fresh]);
    const views = await lookAt(next.settings, pools);
    const complaints = complaintsOf(views, next.positions);
    if (complaints.length > 0) {
      await closePools(fresh);
      return { complaints };
    }
    return {
      drop: () => closePools(fresh),
      adopt: (idle) => {
        const dropped = new Map([...this.#pools].filter(([name]) => !kept.has(name)));
        this.#configuration = next;
        if (!isDeepStrictEqual(before.rateLimit, next.settings.rateLimit)) this.#rates = ratesOf(next.settings);
        this.#pools = pools;
        this.#outdate();
        this.#gateway = this.#make(next.settings, views);
        for (const view of views.values()) this.#announce(view);
        this.#watch();
        idle.then(() => closePools(dropped));
      },
    };
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.allSettled(this.#reading.values());
    await closePools(this.#pools);
  }

  /** The version is in every key, so old entries would never match again. They hold on to the old gateway and its catalogue. */
  #outdate(): void {
    this.#version++;
    this.#cache.memory.clear();
  }

  #make(settings: Settings, snapshots: ReadonlyMap<string, DatabaseSnapshot>): Gateway {
    const raises = (resource: string) => gateway.dependencies.get(resource)?.invalidates ?? [];
    const gateway: Gateway = {
      settings,
      snapshots,
      version: this.#version,
      dependencies: dependenciesByResource(settings, snapshots),
      cache: this.#cache,
      invalidate: (resource) => this.#shared.invalidate(resource, raises(resource)),
      suspend: (resource, settled) => this.#shared.suspend(resource, raises(resource), settled),
      emit: this.#emit,
      random: Math.random,
      rates: this.#rates,
      hash,
      trust: trusting(settings.server.trustProxy),
      bounds: boundsOf(settings, sealing(settings.server.secret ?? this.#secret)),
      isReplaced: () => this.#configuration.settings !== settings,
      reread: (database, why) => this.#reread(gateway, database, why),
    };
    return gateway;
  }

  async #reread(seen: Gateway, database: string, why: 'refused' | 'failed'): Promise<Gateway | null> {
    const isNewer = () => this.#gateway.snapshots.get(database) !== seen.snapshots.get(database);
    if (isNewer()) return this.#gateway;
    const last = this.#read.get(database);
    // A call that failed although the catalogue was just read, and had not changed, will fail again.
    const recent = last !== undefined && performance.now() - last.at < patience;
    if (recent && (why === 'refused' || !last.changed)) return null;
    await this.#look(database);
    return isNewer() ? this.#gateway : null;
  }

  /** Reads one catalogue; concurrent readings share one. */
  #look(name: string): Promise<void> {
    const running = this.#reading.get(name);
    if (running !== undefined) return running;
    const reading = this.#replace(name).finally(() => this.#reading.delete(name));
    this.#reading.set(name, reading);
    return reading;
  }

  async #replace(name: string): Promise<void> {
    const { settings } = this.#configuration;
    const pool = this.#pools.get(name);
    if (pool === undefined) return;
    const view = await look(settings, name, pool);
    const before = this.#gateway.snapshots.get(name);
    // A reload has read it meanwhile.
    if (this.#configuration.settings !== settings || before === undefined) return;
    const changed = view.fingerprint !== before.fingerprint;
    this.#read.set(name, { at: performance.now(), changed });
    // A database that was read once stays in service while it is down. Its calls fail fast, and the pool reconnects. Still
    // being down is no reason for a new gateway, whose cache would be empty for the other databases. A new cause is a reason: a
    // server that has come back refuses the login.
    if (view.connectError !== null) {
      if (before.connectError === null || before.connectError.why === view.connectError.why) return;
      this.#gateway = this.#make(settings, new Map(this.#gateway.snapshots).set(name, view));
      this.#announce(view);
      return;
    }
    const isNews = changed || before.connected === null;
    if (!isNews && before.server === view.server) return;
    // Another server with the same tables: the cache stays valid.
    if (isNews) this.#outdate();
    this.#gateway = this.#make(settings, new Map(this.#gateway.snapshots).set(name, view));
    if (isNews) this.#announce(view);
  }

  #watch(): void {
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
    const every = (milliseconds: number, work: () => unknown) =>
      this.#timers.push(setInterval(work, milliseconds).unref());
    every(lookAgain, () => {
      for (const view of this.#gateway.snapshots.values()) if (view.connected === null) this.#look(view.name);
    });
    for (const [name, pool] of this.#pools) {
      pool.watch((news) => {
        const version = this.#gateway.snapshots.get(name)?.connected?.version;
        if (version === undefined) return;
        const { settings } = this.#configuration;
        if (news.is === 'away')
          this.#emit({
            on: 'database lost',
            database: name,
            why: whyUnavailable(settings, name, news.cause),
            cause: news.cause,
          });
        else this.#emit({ on: 'database reached', database: name, version });
        // A different server may answer at that address by now.
        if (news.is === 'back') this.#look(name);
      });
    }
    for (const database of this.#configuration.settings.databases.values()) {
      if (database.client !== 'pglite' && database.refresh > 0)
        every(database.refresh, () => this.#look(database.name));
    }
  }

  #announce({ name, connected, connectError, complaints, warnings, denials }: DatabaseSnapshot): void {
    const said = this.#said.get(name) ?? new Set();
    if (connectError === null) this.#said.delete(name);
    else if (!said.has(connectError.why)) {
      this.#said.set(name, said.add(connectError.why));
      this.#emit({ on: 'database lost', database: name, ...connectError });
    }
    if (connected !== null) this.#emit({ on: 'database reached', database: name, version: connected.version });
    const findings = [...complaints, ...denials, ...warnings];
    for (const text of complaintLines(findings, this.#configuration.positions)) this.#emit({ on: 'warned', text });
  }
}

const ratesOf = ({ rateLimit }: Settings): Rates | null => (rateLimit === null ? null : new Rates(rateLimit));

function complaintsOf(views: ReadonlyMap<string, DatabaseSnapshot>, positions: Positions): readonly string[] {
  return [...views.values()].flatMap((view) => complaintLines(view.complaints, positions));
}
