import { isDeepStrictEqual } from 'node:util';
import { trusting } from '../accept/client.ts';
import type { Logins } from '../accept/logins/logins.ts';
import type { Rates } from '../accept/rates.ts';
import type { Verdicts } from '../accept/verdicts/verdicts.ts';
import { CoherentGenerations } from '../cache/coherent-generations.ts';
import { OutsideChanges } from '../changes/outside-changes.ts';
import { Proofs } from '../changes/proofs.ts';
import type { Settings } from '../config/assemble.ts';
import { afterReload } from '../config/restart.ts';
import type { Spool } from '../execute/dump/spool.ts';
import { Assets } from '../explorer/assets.ts';
import type { Questions } from '../forward/questions.ts';
import type { Shadow } from '../forward/shadow.ts';
import type { Emit } from '../model/events.ts';
import { Subscribers } from '../notices/subscribers.ts';
import type { SelectParser } from '../parse/select-parser.ts';
import { replicaSets } from '../replicas/replicas.ts';
import { closePools, levelsOf, openPools, type Pools, replacePools } from '../servers/pools.ts';
import { Definitions } from '../tables/definitions.ts';
import { resolveAll } from '../tables/resolve.ts';
import type { DatabaseSnapshot } from '../tables/served.ts';
import { complaintsOf, readDatabase, readDatabases } from '../tables/snapshot.ts';
import type { Levels } from '../watch/levels.ts';
import { boundsOf } from './bounds.ts';
import { type Cache, openCache } from './cache.ts';
import { type Configured, configured, loginsOf, ratesOf, varyOf, verdictsOf } from './callers.ts';
import { CatalogReadings, type Reading } from './catalog-readings.ts';
import { differenceOf } from './difference.ts';
import type { Gateway } from './gateway.ts';
import { LastChanges } from './last-changes.ts';
import type { Configuration, Opening, Prepared } from './opening.ts';
import { SnapshotReports } from './report-snapshots.ts';
import { hash } from './seal.ts';
import { watchDatabases } from './watch-databases.ts';
import { writeEffects } from './write-effects.ts';

/**
 * Holds the current gateway, and replaces it as a whole when a catalogue has changed, a database has come back, or the configuration
 * is reloaded. A running call keeps the gateway that it started with.
 */
export class Current {
  readonly #emit: Emit;
  readonly #spool: Spool;
  readonly #selects: SelectParser;
  #configuration: Configuration;
  readonly #cache: Cache;
  #rates: Rates | null;
  #logins: Logins | null;
  /** Sends the requests of `#verdicts` and `#shadow` to the upstream; null without one. */
  readonly #questions: Questions | null;
  readonly #shadow: Shadow | null;
  #verdicts: Verdicts | null;
  readonly #assets = new Assets();
  readonly #coherent: CoherentGenerations;
  #version = 0;
  #pools: Pools;
  #gateway: Gateway;
  readonly #readings = new CatalogReadings((database) => this.#read(database));
  readonly #definitions = new Definitions();
  readonly #secret: string | Uint8Array;
  readonly #proofs: Proofs;
  readonly #replicasOf: ReturnType<typeof replicaSets>;
  readonly #subscribers: Subscribers;
  readonly #reports: SnapshotReports;
  #stopWatching: () => void = () => undefined;

  private constructor(
    configuration: Configuration,
    pools: Pools,
    snapshots: ReadonlyMap<string, DatabaseSnapshot>,
    { emit, secret, names, spool, selects }: Opening,
    { rates, logins, upstream }: Configured,
  ) {
    this.#configuration = configuration;
    this.#pools = pools;
    this.#emit = emit;
    this.#spool = spool;
    this.#selects = selects;
    this.#reports = new SnapshotReports(emit);
    this.#secret = secret;
    this.#cache = openCache(configuration.settings.cache.maxBytes);
    const outside = new OutsideChanges();
    this.#proofs = new Proofs({
      ...{ generations: this.#cache.generations, emit, names },
      readCatalog: (database) => void this.#readings.soon(database),
      relatedTo: (database) => outside.related(this.#gateway, database),
      countersOf: (database, tables, namesCascades) => outside.counters(this.#gateway, database, tables, namesCascades),
    });
    this.#replicasOf = replicaSets(emit);
    // Ask the current gateway, not the call's: a view over the table may have been created since the call began.
    this.#coherent = new CoherentGenerations(
      this.#cache.generations,
      (resource) => this.#gateway.byName.get(resource)?.dependencies?.invalidates ?? [],
      ({ server, transactions }) => {
        for (const { name, effects } of this.#gateway.snapshots.values())
          if (effects?.server === server) this.#pools.get(name)?.ownTransactions.invalidated(transactions);
      },
    );
    this.#subscribers = new Subscribers(
      this.#cache.generations,
      () => this.#gateway,
      () => this.#coherent.synced,
    );
    this.#rates = rates;
    this.#logins = logins;
    this.#questions = upstream?.questions ?? null;
    this.#shadow = upstream?.shadow ?? null;
    this.#verdicts = verdictsOf(configuration.settings, this.#questions, emit);
    this.#gateway = this.#make(configuration.settings, snapshots);
    this.#reports.adopted(configuration, snapshots);
    this.#watch();
  }

  /** Opens the pools, reads every database and joins the bus. Returns complaints, one per line, if the configuration can't be served. */
  static async open(
    configuration: Configuration,
    opening: Opening,
  ): Promise<Current | { readonly complaints: readonly string[] }> {
    const pools = await openPools(configuration.settings, opening.readOnly);
    await opening.prepare(pools);
    const snapshots = await readDatabases(configuration.settings, pools);
    const complaints = complaintsOf(configuration, snapshots);
    if (complaints.length > 0 && !opening.isLenient) {
      await closePools(pools);
      return { complaints };
    }
    const parts = await configured(configuration.settings, opening.emit);
    const current = new Current(configuration, pools, snapshots, opening, parts);
    if (opening.bus !== null) await current.#coherent.join(opening.bus);
    return current;
  }

  /** How full the cache and the pools are. */
  levels(): Omit<Levels, 'connections' | 'incomingBytes'> {
    return {
      cache: this.#cache.store.level,
      pools: levelsOf(this.#pools),
      subscribers: this.#subscribers.size,
      spoolBytes: this.#spool.bytes,
      keyAges: this.#logins?.keyAges() ?? new Map(),
      workers: 1,
    };
  }

  get gateway(): Gateway {
    return this.#gateway;
  }

  /**
   * Checks a new configuration against its databases. The current one stays in service.
   * @param isLenient whether to accept it although a database does not match it
   * @returns complaints, one per line, if the new configuration can't be served
   */
  async prepare(
    loaded: Configuration,
    isLenient = false,
  ): Promise<Prepared | { readonly complaints: readonly string[] }> {
    const before = this.#configuration.settings;
    const next = { ...loaded, settings: afterReload(before, loaded.settings) };
    const { pools, fresh, dropped } = await replacePools(this.#pools, before, next.settings);
    const snapshots = await readDatabases(next.settings, pools);
    const complaints = complaintsOf(next, snapshots);
    if (complaints.length > 0 && !isLenient) {
      await closePools(fresh);
      return { complaints };
    }
    const logins = await loginsOf(next.settings, this.#emit);
    const rates = isDeepStrictEqual(before.rateLimit, next.settings.rateLimit)
      ? this.#rates
      : await ratesOf(next.settings);
    return {
      drop: () => closePools(fresh),
      adopt: (idle) => {
        this.#configuration = next;
        this.#rates = rates;
        this.#logins = logins;
        this.#verdicts = verdictsOf(next.settings, this.#questions, this.#emit);
        this.#pools = pools;
        this.#invalidateAll();
        const old = this.#gateway;
        this.#gateway = this.#make(next.settings, snapshots);
        this.#reports.widened(old, this.#gateway, next.positions);
        this.#reports.adopted(next, snapshots);
        this.#watch();
        idle.then(() => closePools(dropped));
      },
    };
  }

  /** Ends all change notice streams, and accepts no new ones. Call this before waiting for running calls: a stream never ends on its own. */
  endSubscriptions(): void {
    this.#subscribers.close();
  }

  async close(): Promise<void> {
    this.#stopWatching();
    this.#questions?.close();
    this.#selects.close();
    await this.#readings.ended();
    await closePools(this.#pools);
  }

  /** The version is part of every cache key, so old entries are not found. We clear them because they keep the old catalogue in memory. */
  #invalidateAll(): void {
    this.#version++;
    this.#cache.store.clear();
  }

  #make(settings: Settings, snapshots: ReadonlyMap<string, DatabaseSnapshot>): Gateway {
    const gateway: Gateway = {
      settings,
      snapshots,
      version: this.#version,
      sinceEpoch: this.#cache.generations.advance(),
      madeAt: performance.now(),
      changedAt: this.#configuration.changedAt,
      ...resolveAll(
        settings,
        snapshots,
        (snapshot) => this.#proofs.of(settings, snapshot),
        (snapshot) => this.#replicasOf(settings, snapshot),
      ),
      cache: this.#cache,
      lastChanges: new LastChanges(this.#version, this.#cache.generations),
      ...writeEffects(this.#coherent, settings, snapshots),
      subscribe: (permitted, by) => this.#subscribers.open(gateway, permitted, by),
      emit: this.#emit,
      random: Math.random,
      rates: this.#rates,
      logins: this.#logins,
      verdicts: this.#verdicts,
      shadow: this.#shadow,
      vary: varyOf(settings),
      assets: this.#assets,
      spool: this.#spool,
      selects: this.#selects,
      hash,
      trust: trusting(settings.server.trustProxy),
      bounds: boundsOf(settings, settings.server.secret ?? this.#secret),
      isReplaced: () => this.#configuration.settings !== settings,
      isCurrent: ({ settings: it }, since) => this.#definitions.isCurrent(snapshots.get(it.database), it, since),
      reread: async (id, why) => {
        const resource = gateway.byName.get(id);
        if (resource === undefined) return null;
        const { database } = resource.settings;
        const isNewer = () => this.#gateway.snapshots.get(database) !== snapshots.get(database);
        const isChanged = async () => !(await gateway.isCurrent(resource, Number.POSITIVE_INFINITY).catch(() => true));
        return (await this.#readings.again(database, why, isNewer, isChanged)) ? this.#gateway : null;
      },
    };
    return gateway;
  }

  /** Reads one catalogue and puts it into service. Returns null if a reload came first, or the database is no longer configured. */
  async #read(name: string): Promise<Reading | null> {
    const { settings } = this.#configuration;
    const pool = this.#pools.get(name);
    if (pool === undefined) return null;
    const after = await readDatabase(settings, name, pool);
    const before = this.#gateway.snapshots.get(name);
    // Meanwhile a reload has replaced the configuration, and has read the database itself.
    if (this.#configuration.settings !== settings || before === undefined) return null;
    this.#adopt(before, after);
    const changed = after.fingerprint !== before.fingerprint || after.definitions !== before.definitions;
    return { durationMs: performance.now() - after.readAt, changed };
  }

  #adopt(before: DatabaseSnapshot, after: DatabaseSnapshot): void {
    const { settings } = this.#configuration;
    const difference = differenceOf(before, after);
    if (difference === 'none') return;
    if (difference === 'time') {
      this.#proofs.of(settings, { ...before, readAt: after.readAt });
      return;
    }
    // If the content is the same, the cache stays valid: a table may only have a new index, or another server may have the same tables.
    if (difference === 'content') this.#invalidateAll();
    this.#gateway = this.#make(settings, new Map(this.#gateway.snapshots).set(after.name, after));
    if (difference !== 'unseen') this.#reports.report([after], this.#configuration.positions);
  }

  #watch(): void {
    this.#stopWatching();
    this.#stopWatching = watchDatabases({
      settings: this.#configuration.settings,
      pools: this.#pools,
      snapshots: () => this.#gateway.snapshots,
      read: (name) => this.#readings.now(name),
      emit: this.#emit,
    });
  }
}
