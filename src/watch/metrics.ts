import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Emit } from '../model/events.ts';
import { Tally } from './tally.ts';
import { Times } from './times.ts';

/** Current levels, beside the counted events. */
export interface Levels {
  readonly cache: { readonly entries: number; readonly bytes: number; readonly maxBytes: number };
  readonly pools: readonly PoolLevel[];
  /** 1 for a process that serves. */
  readonly workers: number;
  /** Open connections of clients. */
  readonly connections: number;
  /** Bytes of request bodies that are held. */
  readonly incomingBytes: number;
}
/** The sources of gauges, called at each scrape. */
export interface Asked {
  levels(): Levels;
  /** Whether each database responds now. */
  states(): Promise<Readonly<Record<string, { readonly up: boolean }>>>;
}
export interface PoolLevel {
  readonly database: string;
  /** `calls` or `dumps`. */
  readonly pool: string;
  readonly max: number;
  readonly used: number;
  readonly idle: number;
  readonly waiting: number;
}

/** The metrics of a process; those of several processes are aggregated. */
export type Shown = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

const fast = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** The label of a status, by its hundreds. */
const classes = ['', '1xx', '2xx', '3xx', '4xx', '5xx'];

/** Counts events. Every label has few values: unknown names share one value, resources are those of the configuration. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #tally = new Tally();
  readonly #asked: Asked;
  #isWatched = false;
  readonly emit: Emit;

  constructor(asked: Asked) {
    this.#asked = asked;
    this.#answers();
    this.#cache();
    this.#pools();
    this.#databases();
    const registers = [this.#registry];
    const requests = new Times({
      name: 'gateway_request_seconds',
      help: 'Time from the head of a request to its answer, by action and cache; without hits that need no reading.',
      labelNames: ['action', 'cache'],
      buckets: fast,
    });
    const queries = new Times({
      name: 'gateway_query_seconds',
      help: 'Time that a call waited for answers of the database, by resource and effect: read, write, delete, describe, dump.',
      labelNames: ['resource', 'effect'],
      buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10],
    });
    const waits = new Times({
      name: 'gateway_pool_wait_seconds',
      help: 'Time that a call waited for a connection, by database.',
      labelNames: ['database'],
      buckets: [0.001, 0.01, 0.1, 1, 2, 5],
    });
    const forwarded = new Times({
      name: 'gateway_forwarded_seconds',
      help: 'Time until the application behind had answered, by class of status.',
      labelNames: ['status'],
      buckets: fast,
    });
    for (const times of [requests, queries, waits, forwarded]) this.#registry.registerMetric(times);
    const reloads = new Counter({
      name: 'gateway_reloads_total',
      help: 'Configurations that were taken over, or were wrong: taken is yes or no.',
      labelNames: ['taken'],
      registers,
    });
    const ended = new Counter({
      name: 'gateway_workers_ended_total',
      help: 'Workers that ended without having been asked to.',
      registers,
    });
    const closed = new Counter({
      name: 'gateway_connections_closed_total',
      help: 'Connections that were closed because of limits.connections: idle ones, or new ones where none was idle.',
      labelNames: ['connection'],
      registers,
    });
    this.emit = (event) => {
      switch (event.on) {
        case 'hit':
          return this.#tally.add({
            action: event.action,
            resource: event.resource,
            status: event.status,
            cache: 'hit',
          });
        case 'answered':
          this.#tally.add(event);
          return requests.add(event.milliseconds, event.action, event.cache ?? '');
        case 'queried':
          queries.add(event.queried, event.resource, event.effect);
          // Dumps have their own connections, and report themselves when none is free.
          if (event.effect !== 'dump') waits.add(event.waited, event.database);
          return;
        case 'forwarded':
          return forwarded.add(event.milliseconds, classes[Math.floor(event.status / 100)] ?? '');
        case 'reloaded':
          return reloads.inc({ taken: 'yes' });
        case 'configuration not taken over':
          return reloads.inc({ taken: 'no' });
        case 'worker ended':
          return ended.inc();
        case 'connections full':
          return closed.inc({ connection: event.closed });
      }
    };
  }

  /** The current metrics. The process's own metrics are collected from the first call on. */
  show(): Promise<Shown> {
    if (!this.#isWatched) collectDefaultMetrics({ register: this.#registry });
    this.#isWatched = true;
    return this.#registry.getMetricsAsJSON();
  }

  #answers(): void {
    const tally = this.#tally;
    new Counter({
      name: 'gateway_requests_total',
      help: 'Answers, by action, resource, status and cache: hit, miss, stale, bypass, or empty for what is not kept.',
      labelNames: ['action', 'resource', 'status', 'cache'],
      registers: [this.#registry],
      collect() {
        this.reset();
        for (const { action, resource, status, cache, count } of tally.all())
          this.inc({ action, resource: resource ?? '', status, cache: cache ?? '' }, count);
      },
    });
  }

  #cache(): void {
    const gauge = (name: string, help: string, level: () => number) =>
      new Gauge({
        name,
        help,
        registers: [this.#registry],
        collect() {
          this.set(level());
        },
      });
    const { levels } = this.#asked;
    gauge('gateway_workers', 'Processes that serve.', () => levels().workers);
    gauge('gateway_connections', 'Connections of clients that are open.', () => levels().connections);
    gauge(
      'gateway_incoming_bytes',
      'Bytes of request bodies that are held until their calls have been answered.',
      () => levels().incomingBytes,
    );
    gauge(
      'gateway_cache_entries',
      'What is kept: answers, totals, and requests that are known to the letter.',
      () => levels().cache.entries,
    );
    gauge('gateway_cache_bytes', 'Bytes that all of it takes.', () => levels().cache.bytes);
    gauge('gateway_cache_max_bytes', 'Bytes that all of it may take.', () => levels().cache.maxBytes);
  }

  #databases(): void {
    const { states } = this.#asked;
    new Gauge({
      name: 'gateway_database_up',
      help: 'Whether a database answers: 1 or 0.',
      labelNames: ['database'],
      registers: [this.#registry],
      // A database is up if any process reaches it.
      aggregator: 'max',
      async collect() {
        const known = await states();
        this.reset();
        for (const [database, { up }] of Object.entries(known)) this.set({ database }, up ? 1 : 0);
      },
    });
  }

  #pools(): void {
    const { levels } = this.#asked;
    const gauge = (name: string, help: string, level: 'max' | 'used' | 'idle' | 'waiting') =>
      new Gauge({
        name,
        help,
        labelNames: ['database', 'pool'],
        registers: [this.#registry],
        collect() {
          this.reset();
          for (const it of levels().pools) this.set({ database: it.database, pool: it.pool }, it[level]);
        },
      });
    gauge('gateway_pool_max', 'Connections to a database at most, by pool: calls or dumps.', 'max');
    gauge('gateway_pool_used', 'Connections to a database that work.', 'used');
    gauge('gateway_pool_idle', 'Connections to a database that are open and wait for work.', 'idle');
    gauge('gateway_pool_waiting', 'Calls that wait for a connection.', 'waiting');
  }
}
