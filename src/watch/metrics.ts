import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Emit } from '../model/events.ts';
import { registerGauges } from './gauges.ts';
import type { GaugeSources } from './levels.ts';
import { Tally } from './tally.ts';

/** The metrics of one process. The primary aggregates the metrics of all workers. */
export type MetricValues = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

const latencyBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** The label for a status, by its first digit. */
const statusClasses = ['', '1xx', '2xx', '3xx', '4xx', '5xx'];

/** Counts events. Unknown names of actions and resources share one label value, so that clients cannot fill the memory. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #tally = new Tally();
  #collectsProcessMetrics = false;
  readonly emit: Emit;

  constructor(sources: GaugeSources) {
    this.#answers();
    registerGauges(this.#registry, sources);
    const registers = [this.#registry];
    const requests = new Histogram({
      name: 'gateway_request_seconds',
      help: 'Time from the head of a request to its answer, by action and cache; without exact matches of the request cache.',
      labelNames: ['action', 'cache'],
      buckets: latencyBuckets,
      registers,
    });
    const queries = new Histogram({
      name: 'gateway_query_seconds',
      help: 'Time that a call waited for answers of the database, by resource and effect: read, write, delete, describe, aggregate, dump.',
      labelNames: ['resource', 'effect'],
      buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10],
      registers,
    });
    const waits = new Histogram({
      name: 'gateway_pool_wait_seconds',
      help: 'Time that a call waited for a connection, by database.',
      labelNames: ['database'],
      buckets: [0.001, 0.01, 0.1, 1, 2, 5],
      registers,
    });
    const proofs = new Histogram({
      name: 'gateway_proof_seconds',
      help: 'Time to prove that cached answers hold what others wrote, by database and by: same (nothing was written), named (tables that are known), anything (all answers are made anew), pending (by the gateway itself, just now), failed.',
      labelNames: ['database', 'by'],
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1],
      registers,
    });
    const logs = new Gauge({
      name: 'gateway_log_up',
      help: 'Whether the log of a database names the tables that others write: 1, or 0 while it is lost, so that each of their commits invalidates all answers over it. Absent while nobody asks, and while too many commits let it rest.',
      labelNames: ['database'],
      registers,
      aggregator: 'max',
    });
    const reads = new Counter({
      name: 'gateway_server_reads_total',
      help: 'Reads by the server that has answered them: primary, or replica 1 and so on; without answers from the cache.',
      labelNames: ['database', 'server'],
      registers,
    });
    const replicas = new Gauge({
      name: 'gateway_replica_up',
      help: 'Whether a read replica answers reads: 1 or 0. Absent until a read could have been answered by it.',
      labelNames: ['database', 'server'],
      registers,
      // A replica is up if any process says so: a process without reads does not notice when the replica is back.
      aggregator: 'max',
    });
    const forwarded = new Histogram({
      name: 'gateway_forwarded_seconds',
      help: 'Time until the upstream had answered, by class of status.',
      labelNames: ['status'],
      buckets: latencyBuckets,
      registers,
    });
    const reloads = new Counter({
      name: 'gateway_reloads_total',
      help: 'Reloads: taken is yes for a configuration that was taken over, no for one with mistakes.',
      labelNames: ['taken'],
      registers,
    });
    const ended = new Counter({
      name: 'gateway_workers_ended_total',
      help: 'Workers that ended unexpectedly.',
      registers,
    });
    const notices = new Counter({
      name: 'gateway_notices_total',
      help: 'Change notices that subscribers were sent (datastore_changes).',
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
          return requests.observe({ action: event.action, cache: event.cache ?? '' }, event.milliseconds / 1000);
        case 'queried':
          if (event.effect !== 'write' && event.effect !== 'delete')
            reads.inc({ database: event.database, server: event.server });
          queries.observe({ resource: event.resource, effect: event.effect }, event.queried / 1000);
          // Leave out downloads: they use a separate pool, and would distort the waiting times of calls.
          if (event.effect !== 'dump') waits.observe({ database: event.database }, event.waited / 1000);
          return;
        case 'proved':
          return proofs.observe({ database: event.database, by: event.by }, event.milliseconds / 1000);
        case 'replica reached':
        case 'replica lost':
          return replicas.set(
            { database: event.database, server: `replica ${event.replica}` },
            event.on === 'replica reached' ? 1 : 0,
          );
        case 'log opened':
        case 'log lost':
          return logs.set({ database: event.database }, event.on === 'log opened' ? 1 : 0);
        // A log that we stopped reading on purpose is neither up nor down, so remove its metric.
        case 'log closed':
          return logs.remove({ database: event.database });
        case 'forwarded':
          return forwarded.observe(
            { status: statusClasses[Math.floor(event.status / 100)] ?? '' },
            event.milliseconds / 1000,
          );
        case 'reloaded':
          return reloads.inc({ taken: 'yes' });
        case 'configuration not taken over':
          return reloads.inc({ taken: 'no' });
        case 'worker ended':
          return ended.inc();
        case 'noticed':
          return notices.inc(event.notices);
        case 'connections full':
          return closed.inc({ connection: event.closed });
      }
    };
  }

  /** The current metrics. Node's metrics of the process are collected from the first call on. */
  show(): Promise<MetricValues> {
    if (!this.#collectsProcessMetrics) collectDefaultMetrics({ register: this.#registry });
    this.#collectsProcessMetrics = true;
    return this.#registry.getMetricsAsJSON();
  }

  #answers(): void {
    const tally = this.#tally;
    new Counter({
      name: 'gateway_requests_total',
      help: 'Answers, by action, resource, status and cache: hit, miss, stale, bypass, or empty where no cache is used.',
      labelNames: ['action', 'resource', 'status', 'cache'],
      registers: [this.#registry],
      collect() {
        this.reset();
        for (const { action, resource, status, cache, count } of tally.all())
          this.inc({ action, resource: resource ?? '', status, cache: cache ?? '' }, count);
      },
    });
  }
}
