import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Current } from '../app/current.ts';
import { healthOf, type States } from '../app/health.ts';
import type { Configuration, Opening, Prepared } from '../app/opening.ts';
import { Probes } from '../app/probes.ts';
import type { Join } from '../cache/buses/bus.ts';
import { logReaders } from '../changes/log/log-readers.ts';
import type { ChangeFeed, OpenChangeFeed } from '../changes/log/names.ts';
import type { Settings } from '../config/assemble.ts';
import { needsRestart } from '../config/restart.ts';
import { Spool } from '../execute/dump/spool.ts';
import type { Emit } from '../model/events.ts';
import { SelectParser } from '../parse/select-parser.ts';
import { takesSql } from '../pipeline/select.ts';
import type { Pools } from '../servers/pools.ts';
import { urlOf } from '../values/http-url.ts';
import { type Admin, openAdmin } from '../watch/admin.ts';
import { log } from '../watch/log.ts';
import { Metrics, type MetricValues } from '../watch/metrics.ts';
import { text } from '../watch/sum.ts';
import { listenError } from './listen-error.ts';
import { MainPort } from './main-port.ts';

/** A running gateway, in one process or several. `C` is the type of its configuration. */
export interface Running<C> {
  readonly port: number;
  /** Adopts another configuration, or keeps the old one and returns complaints, one per line. Wait for one call to finish before the next. */
  reload(next: C | InvalidConfiguration): Promise<readonly string[]>;
  /**
   * Keeps serving for `server.drainDelay`, while `/ready` answers 503. Then stops accepting connections, lets in-flight calls finish for at
   * most `graceMs` (by default `server.drainTimeout`), and closes the pools. Repeated calls share one shutdown.
   */
  close(graceMs?: number): Promise<void>;
}

/** The complaints about an invalid configuration, one per line. */
export interface InvalidConfiguration {
  readonly complaints: readonly string[];
}

export interface Serving extends Running<Configuration> {
  /** The first half of a reload, which may be refused; calling `adopt` on the result is the second half. */
  prepare(next: Configuration): Promise<PreparedConfiguration | InvalidConfiguration>;
  /** The databases' states, for the admin port's `/ready`. */
  states(): Promise<States>;
  metrics(): Promise<MetricValues>;
}

export interface PreparedConfiguration extends Pick<Prepared, 'drop'> {
  adopt(): void;
}

export interface ServeOptions extends Configuration {
  /** Runs on the pools before any catalogue is read. The demo creates its tables here. */
  prepare?(pools: Pools): Promise<void>;
  readonly emit?: Emit;
  /** Joins the invalidation bus, over which this gateway's processes invalidate each other's caches; null for a single process. */
  readonly bus?: Join | null;
  /** The configuration that the other processes adopted while this one started; null if they have none newer. */
  readonly newer?: () => Configuration | null;
  /** Reads the database servers' logs; by default in this thread. */
  readonly names?: OpenChangeFeed;
  /** Parses the clients' SQL; by default in a thread of compiled code. */
  readonly selects?: SelectParser;
  readonly secret?: string;
  readonly isLenient?: boolean;
  readonly readOnly?: boolean;
}

/** How long closing the database connections may take, in milliseconds. */
const closeTimeoutMs = 2000;

/**
 * Serves a configuration until it is closed.
 * @returns the running gateway, or the complaints that prevent the start, one per line
 */
export async function serve(options: ServeOptions): Promise<Serving | InvalidConfiguration> {
  const { settings, emit: logEvent = log(options.settings.log, null) } = options;
  const probes = new Probes();
  const states = () => probes.states(current.gateway);
  const metrics = new Metrics({ levels: () => ({ ...current.levels(), ...mainPort.levels() }), states });
  const emit: Emit = (event) => {
    metrics.emit(event);
    logEvent(event);
  };
  const changeFeed = (options.names ?? logReaders)(emit);
  const spool = new Spool(settings.limits.spoolBytes);

  const selects = options.selects ?? new SelectParser();
  const opened = await openCurrent(options, { emit, names: changeFeed, spool, selects });
  if ('complaints' in opened) return opened;
  const current = opened;
  if (takesSql(current.gateway)) await selects.load();
  const upstream = settings.upstream && new (await import('../forward/proxy.ts')).Upstream(settings.upstream, emit);
  const mainPort = new MainPort(settings, current, upstream, spool, emit);
  const port = await mainPort.listen(settings.server).catch(async (error: unknown) => {
    await current.close();
    throw listenError(error, 'server', settings.server);
  });
  const admin = await openAdmin(settings.admin, {
    live: async () => undefined,
    health: async () => healthOf(await states(), { serving: 1, configured: 1 }, mainPort.isLeaving),
    metrics: async () => text([await metrics.show()]),
  }).catch(async (error: unknown) => {
    await mainPort.close(0);
    await current.close();
    throw settings.admin === null ? error : listenError(error, 'admin', settings.admin);
  });
  emit({
    on: 'started',
    address: urlOf({ host: settings.server.host, port }),
    admin: admin.address,
    resources: settings.resources.size,
    workers: 1,
  });
  return new ServingGateway({ settings, current, port, mainPort, admin, changeFeed, metrics, states, emit });
}

/** Reads the databases, then adopts the configuration that the other processes adopted meanwhile, if there is one. */
async function openCurrent(
  {
    settings,
    positions,
    changedAt,
    prepare = async () => undefined,
    bus = null,
    newer = () => null,
    ...options
  }: ServeOptions,
  shared: Pick<Opening, 'emit' | 'names' | 'spool' | 'selects'>,
): Promise<Current | InvalidConfiguration> {
  const { secret = randomBytes(32), isLenient = false, readOnly = false } = options;
  const current = await Current.open(
    { settings, positions, changedAt },
    { ...shared, prepare, bus, secret, isLenient, readOnly },
  );
  if ('complaints' in current) return current;
  const next = newer();
  if (next === null) return current;
  // Unreachable databases are not fatal here: the other workers have validated the configuration, and a replacement worker must
  // start even while a database is down.
  const prepared = await current.prepare(next, true);
  if ('complaints' in prepared) return prepared;
  prepared.adopt(Promise.resolve());
  return current;
}

/** The parts of a running gateway. */
interface Parts extends Pick<Serving, 'port' | 'states'> {
  /** The settings with which the gateway started. */
  readonly settings: Settings;
  readonly current: Current;
  readonly mainPort: MainPort;
  readonly admin: Admin;
  readonly changeFeed: ChangeFeed;
  readonly metrics: Metrics;
  readonly emit: Emit;
}

/** A gateway that serves: it can be reloaded and closed. */
class ServingGateway implements Serving {
  readonly port: number;
  readonly #parts: Parts;
  readonly #needsRestart: ReturnType<typeof needsRestart>;
  #closing: Promise<void> | null = null;

  constructor(parts: Parts) {
    this.port = parts.port;
    this.#parts = parts;
    this.#needsRestart = needsRestart(parts.settings);
  }

  states(): Promise<States> {
    return this.#parts.states();
  }

  metrics(): Promise<MetricValues> {
    return this.#parts.metrics.show();
  }

  async prepare(next: Configuration): Promise<PreparedConfiguration | InvalidConfiguration> {
    const { current, mainPort } = this.#parts;
    const prepared = await current.prepare(next);
    if ('complaints' in prepared) return prepared;
    return { ...prepared, adopt: () => prepared.adopt(mainPort.idle()) };
  }

  async reload(next: Configuration | InvalidConfiguration): Promise<readonly string[]> {
    if ('complaints' in next) return this.#refuse(next);
    const prepared = await this.prepare(next);
    if ('complaints' in prepared) return this.#refuse(prepared);
    prepared.adopt();
    const resources = next.settings.resources.size;
    this.#parts.emit({ on: 'reloaded', resources, needRestart: this.#needsRestart(next.settings) });
    return [];
  }

  #refuse({ complaints }: InvalidConfiguration): readonly string[] {
    this.#parts.emit({ on: 'configuration not taken over', complaints });
    return complaints;
  }

  close(graceMs = this.#parts.current.gateway.settings.server.drainTimeout): Promise<void> {
    this.#closing ??= this.#close(graceMs);
    return this.#closing;
  }

  async #close(graceMs: number): Promise<void> {
    const { current, mainPort, admin, changeFeed, emit } = this.#parts;
    emit({ on: 'draining', milliseconds: graceMs });
    mainPort.leave();
    await sleep(current.gateway.settings.server.drainDelay);
    current.endSubscriptions();
    await mainPort.close(graceMs);
    changeFeed.close();
    // Don't wait any longer: a hanging database must not keep the process alive.
    await Promise.race([current.close(), sleep(closeTimeoutMs, null, { ref: false })]);
    admin.close();
    emit({ on: 'stopped' });
  }
}
