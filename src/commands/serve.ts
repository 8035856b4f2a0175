import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { defaultLimits } from '../accept/limits.ts';
import { createGatewayServer } from '../accept/server.ts';
import { Current } from '../app/current.ts';
import { healthOf, type States } from '../app/health.ts';
import type { Configuration, Prepared } from '../app/opening.ts';
import { Probes } from '../app/probes.ts';
import type { Join } from '../cache/buses/bus.ts';
import { logReaders } from '../changes/log/log-readers.ts';
import type { OpenChangeFeed } from '../changes/log/names.ts';
import { needsRestart } from '../config/restart.ts';
import { Spool } from '../execute/dump/spool.ts';
import { openUpstream } from '../forward/proxy.ts';
import { Refusal } from '../model/errors.ts';
import type { Emit } from '../model/events.ts';
import { answer } from '../pipeline/answer.ts';
import { forwardedByTarget, forwardedUpgrade } from '../pipeline/classify.ts';
import { refuse } from '../pipeline/refuse.ts';
import { RequestCache } from '../pipeline/request-cache.ts';
import { corsHeaders, withCors } from '../reply/cors.ts';
import { send } from '../reply/send.ts';
import type { Pools } from '../servers/pools.ts';
import { urlOf } from '../values/http-url.ts';
import { openAdmin } from '../watch/admin.ts';
import { log } from '../watch/log.ts';
import { Metrics, type MetricValues } from '../watch/metrics.ts';
import { text } from '../watch/sum.ts';
import { listenError } from './listen-error.ts';
import { clientRoom, openFilesLimit } from './open-files.ts';

/** A running gateway of one or several processes. `C` is the type of its configuration. */
export interface Running<C> {
  readonly port: number;
  /** Adopts another configuration, or keeps the old one and returns the complaints, a line each. Wait for one call to finish before the next. */
  reload(next: C | InvalidConfiguration): Promise<readonly string[]>;
  /**
   * Continues to serve for `server.drainDelay`, while `/ready` is a 503. Then stops accepting connections, lets in-flight calls
   * finish for at most `graceMs` (by default `server.drainTimeout`), and closes the pools. Repeated calls share one shutdown.
   */
  close(graceMs?: number): Promise<void>;
}

/** The complaints about an invalid configuration, a line each. */
export interface InvalidConfiguration {
  readonly complaints: readonly string[];
}

export interface Serving extends Running<Configuration> {
  /** The first half of a reload, which may be refused; `adopt` of the result is the second half. */
  prepare(next: Configuration): Promise<PreparedConfiguration | InvalidConfiguration>;
  /** The states of the databases, for `/ready` of the admin port. */
  states(): Promise<States>;
  metrics(): Promise<MetricValues>;
}
/** The milliseconds that closing the connections to databases may take. */
const closeTimeoutMs = 2000;

export interface PreparedConfiguration extends Pick<Prepared, 'drop'> {
  adopt(): void;
}

export interface ServeOptions extends Configuration {
  /** Runs on the pools before any catalogue is read. The demo creates its tables here. */
  prepare?(pools: Pools): Promise<void>;
  readonly emit?: Emit;
  /** Joins the invalidation bus, by which the processes of this gateway invalidate each other's caches; null for a single process. */
  readonly bus?: Join | null;
  /** The configuration that the other processes adopted while this process started; null if they have none newer. */
  readonly newer?: () => Configuration | null;
  /** Reads the logs of the database servers; by default in this thread. */
  readonly names?: OpenChangeFeed;
  readonly secret?: string;
  readonly isLenient?: boolean;
  readonly readOnly?: boolean;
}

/**
 * Serves a configuration until it is closed.
 * @returns the running gateway, or the complaints that prevent the start, a line each
 */
export async function serve(options: ServeOptions): Promise<Serving | InvalidConfiguration> {
  const { settings, positions, emit: logEvent = log(options.settings.log, null) } = options;
  const probes = new Probes();
  const states = () => probes.states(current.gateway);
  const metrics = new Metrics({ levels: () => ({ ...current.levels(), ...server.levels() }), states });
  const emit: Emit = (event) => {
    metrics.emit(event);
    logEvent(event);
  };
  const { prepare = async () => undefined, bus = null, secret = randomBytes(32) } = options;
  const { newer = () => null, isLenient = false, readOnly = false } = options;
  const names = (options.names ?? logReaders)(emit);
  const spool = new Spool(settings.limits.spoolBytes);
  const opening = { prepare, bus, emit, names, spool, secret, isLenient, readOnly };
  const opened = await Current.open({ settings, positions }, opening);
  if ('complaints' in opened) return opened;
  const current = opened;
  const next = newer();
  // Unreachable databases are not fatal here: the other workers have validated the configuration, and a replacement worker must
  // start even while a database is down.
  const renewed = next === null ? null : await current.prepare(next, true);
  if (renewed !== null && 'complaints' in renewed) return renewed;
  renewed?.adopt(Promise.resolve());

  const requestCache = new RequestCache(() => current.gateway);
  const running = new Set<Promise<unknown>>();
  const upstream = settings.upstream === null ? null : openUpstream(settings.upstream);
  const { headerBytes, incomingBytes, unsentBytes } = settings.limits;
  const { connections, warning } = clientRoom(settings, openFilesLimit(), spool.maxFiles);
  if (warning !== null) emit({ on: 'warned', text: warning });
  const server = createGatewayServer({
    limits: { ...defaultLimits, connections, headerBytes, incomingBytes, unsentBytes },
    full: (closed) => emit({ on: 'connections full', closed }),
    requestCache,
    answer(request) {
      const reply = answer(current.gateway, request).then(async (answered) => {
        if ('to' in answered) return answered;
        // With `log.requests: all`, don't fill the fast path's cache: its hits lack the data for a log line.
        if (answered.hint !== null && settings.log.requests !== 'all')
          requestCache.store(request, (await request.read()).toString('latin1'), answered.hint, answered.call.log);
        return answered.reply;
      });
      running.add(reply);
      return reply.finally(() => running.delete(reply));
    },
    refuse(error, origin) {
      const { server, cors } = current.gateway.settings;
      const reply = refuse(error, server.siteUrl);
      return { ...reply, headers: withCors(reply.headers, origin, cors.origins) };
    },
    // The origin of an unreadable request is unknown; `null` is harmless, as the answer is only a message like "the URL is too long".
    unreadable: () => corsHeaders('null', current.gateway.settings.cors.origins),
    send,
    forwardedByTarget: upstream && ((head) => forwardedByTarget(current.gateway, head)),
    forward(req, res, forwarded, done) {
      const beganAt = performance.now();
      upstream?.pass(req, res, forwarded, (unsent) => {
        const id = String(req.headers['x-request-id']);
        // 499, as in nginx: the client disconnected before there was an answer.
        const status = unsent?.status ?? (res.headersSent ? res.statusCode : 499);
        const cause = unsent instanceof Refusal ? unsent.cause : undefined;
        const about = { id, address: forwarded.client.address, status, cause };
        emit({ on: 'forwarded', ...about, milliseconds: performance.now() - beganAt });
        done(unsent);
      });
    },
    upgrade:
      upstream &&
      ((req, socket, head, refuse) => {
        const beganAt = performance.now();
        const { method = '', url: target = '', headers } = req;
        const id = String(headers['x-request-id']);
        const remote = req.socket.remoteAddress ?? '';
        const forwarded = forwardedUpgrade(current.gateway, { method, target, headers, remote });
        if (forwarded === null) return false;
        upstream.upgrade(req, socket, head, forwarded, (error) => {
          const about = { id, address: forwarded.client.address, status: error.status, cause: error.cause };
          emit({ on: 'forwarded', ...about, milliseconds: performance.now() - beganAt });
          refuse(error);
        });
        return true;
      }),
  });
  const port = await server.listen(settings.server.port, settings.server.host).catch(async (error: unknown) => {
    await current.close();
    throw listenError(error, 'server', settings.server);
  });
  let closing: Promise<void> | null = null;
  const showMetrics = () => metrics.show();
  const admin = await openAdmin(settings.admin, {
    live: async () => undefined,
    health: async () => healthOf(await states(), { serving: 1, configured: 1 }, closing !== null),
    metrics: async () => text([await showMetrics()]),
  }).catch(async (error: unknown) => {
    await server.close(0);
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

  const close = async (graceMs: number) => {
    emit({ on: 'draining', milliseconds: graceMs });
    server.leave();
    await sleep(current.gateway.settings.server.drainDelay);
    current.endSubscriptions();
    await server.close(graceMs);
    upstream?.close();
    names.close();
    // Don't wait longer: a hanging database must not delay the end of the process.
    await Promise.race([current.close(), sleep(closeTimeoutMs, null, { ref: false })]);
    admin.close();
    emit({ on: 'stopped' });
  };
  const prepared = async (next: Configuration): ReturnType<Serving['prepare']> => {
    const ready = await current.prepare(next);
    if ('complaints' in ready) return ready;
    return { ...ready, adopt: () => ready.adopt(Promise.allSettled(running)) };
  };
  const needRestart = needsRestart(settings);
  const refused = ({ complaints }: InvalidConfiguration) => {
    emit({ on: 'configuration not taken over', complaints });
    return complaints;
  };
  return {
    port,
    prepare: prepared,
    states,
    metrics: showMetrics,
    async reload(next) {
      if ('complaints' in next) return refused(next);
      const ready = await prepared(next);
      if ('complaints' in ready) return refused(ready);
      ready.adopt();
      const resources = next.settings.resources.size;
      emit({ on: 'reloaded', resources, needRestart: needRestart(next.settings) });
      return [];
    },
    close(graceMs = current.gateway.settings.server.drainTimeout) {
      closing ??= close(graceMs);
      return closing;
    },
  };
}
