/** The metrics that count events. Each group registers its metrics, and returns how its events change them. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Event } from '../model/events.ts';

export type EventOf<K extends Event['on']> = Extract<Event, { on: K }>;

/** For each kind of event, the function that counts it. Other events are not counted. */
export type Counters = { readonly [K in Event['on']]?: (event: EventOf<K>) => void };

const latencyBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** A status's label, by its first digit. */
const statusClasses = ['', '1xx', '2xx', '3xx', '4xx', '5xx'];

/** Counts and times the answers to calls. */
export function countAnswers(registers: Registry[]): Counters {
  const tally = new Tally();
  new Counter({
    name: 'gateway_requests_total',
    help: 'Answers, by action, resource, status and cache: hit, miss, stale, bypass, or empty where no cache is used; with via="mcp" for calls of tools.',
    labelNames: ['action', 'resource', 'status', 'cache', 'via'],
    registers,
    collect() {
      this.reset();
      for (const { action, resource, status, cache, via, count } of tally.all()) {
        const labels = { action, resource: resource ?? '', status, cache: cache ?? '' };
        this.inc(via === undefined ? labels : { ...labels, via }, count);
      }
    },
  });
  const requests = new Histogram({
    name: 'gateway_request_seconds',
    help: 'Time from the head of a request to its answer, by action and cache; without exact matches of the request cache.',
    labelNames: ['action', 'cache'],
    buckets: latencyBuckets,
    registers,
  });
  return {
    hit: ({ action, resource, status }) => tally.add({ action, resource, status, cache: 'hit' }),
    answered(event) {
      tally.add(event);
      requests.observe({ action: event.action, cache: event.cache ?? '' }, event.milliseconds / 1000);
    },
  };
}

/** Times what calls wait for: database answers and connections. */
export function countQueries(registers: Registry[]): Counters {
  const queries = new Histogram({
    name: 'gateway_query_seconds',
    help: 'Time that a call waited for answers of the database, by resource and effect: read, write, delete, describe, aggregate, ask, dump.',
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
  const reads = new Counter({
    name: 'gateway_server_reads_total',
    help: 'Reads by the server that has answered them: primary, or replica 1 and so on; without answers from the cache.',
    labelNames: ['database', 'server'],
    registers,
  });
  return {
    queried({ database, resource, server, effect, queried, waited }) {
      if (effect !== 'write' && effect !== 'delete') reads.inc({ database, server });
      queries.observe({ resource, effect }, queried / 1000);
      // Leave out downloads: they use a separate pool, and would distort the calls' waiting times.
      if (effect !== 'dump') waits.observe({ database }, waited / 1000);
    },
  };
}

/** Times the proofs of freshness, and shows which logs and replicas can be used. */
export function countDatabases(registers: Registry[]): Counters {
  const proofs = new Histogram({
    name: 'gateway_proof_seconds',
    help: 'Time to check the commit marker, by database and by: same (nothing to invalidate), named (the log names the changed tables), anything (all answers are invalidated), pending (a write of the gateway, just now), failed.',
    labelNames: ['database', 'by'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1],
    registers,
  });
  const logs = new Gauge({
    name: 'gateway_log_up',
    help: 'Whether the log of a database names the changed tables: 1, or 0 while it is lost, so that each commit of another client invalidates all answers. Absent while it is not read.',
    labelNames: ['database'],
    registers,
    aggregator: 'max',
  });
  const replicas = new Gauge({
    name: 'gateway_replica_up',
    help: 'Whether a read replica answers reads: 1 or 0. Absent until a read could have been answered by it.',
    labelNames: ['database', 'server'],
    registers,
    // A replica is up if any process says so: a process that sends it no reads does not notice that it is back.
    aggregator: 'max',
  });
  return {
    proved: ({ database, by, milliseconds }) => proofs.observe({ database, by }, milliseconds / 1000),
    'log opened': ({ database }) => logs.set({ database }, 1),
    'log lost': ({ database }) => logs.set({ database }, 0),
    // A log that we stopped reading on purpose is neither up nor down, so remove its metric.
    'log closed': ({ database }) => logs.remove({ database }),
    'replica reached': ({ database, replica }) => replicas.set({ database, server: `replica ${replica}` }, 1),
    'replica lost': ({ database, replica }) => replicas.set({ database, server: `replica ${replica}` }, 0),
  };
}

/** Counts verified logins, and the upstream's decisions. */
export function countLogins(registers: Registry[]): Counters {
  const logins = new Counter({
    name: 'gateway_auth_verdicts_total',
    help: 'Verified JWTs, by issuer and result: valid, expired, refused, unchecked (no keys).',
    labelNames: ['issuer', 'result'],
    registers,
  });
  const verdicts = new Counter({
    name: 'gateway_upstream_verdicts_total',
    help: 'Questions to the upstream for a right of a caller, by right and result: yes, no, none (no decision).',
    labelNames: ['right', 'result'],
    registers,
  });
  return {
    'login checked': ({ issuer, result }) => logins.inc({ issuer, result }),
    'upstream asked': ({ right, result }) => verdicts.inc({ right, result }),
  };
}

/** Counts comparisons with the upstream. */
export function countShadows(registers: Registry[]): Counters {
  const compared = new Counter({
    name: 'gateway_shadow_total',
    help: 'Searches compared with the upstream (resources.X.shadow), by resource and result: same, different; or not compared: denied, failed, busy, large.',
    labelNames: ['resource', 'result'],
    registers,
  });
  const differences = new Counter({
    name: 'gateway_shadow_differences_total',
    help: 'Compared searches with a difference of this kind, by resource and kind.',
    labelNames: ['resource', 'kind'],
    registers,
  });
  return {
    shadowed: ({ resource, result }) => compared.inc({ resource, result }),
    'shadow differs': ({ resource, kind }) => differences.inc({ resource, kind }),
  };
}

/** Counts everything that is not about a database: forwarded requests, reloads, workers, notices and connections. */
export function countProcess(registers: Registry[]): Counters {
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
  return {
    forwarded({ status, milliseconds }) {
      forwarded.observe({ status: statusClasses[Math.floor(status / 100)] ?? '' }, milliseconds / 1000);
    },
    reloaded: () => reloads.inc({ taken: 'yes' }),
    'configuration not taken over': () => reloads.inc({ taken: 'no' }),
    'worker ended': () => ended.inc(),
    noticed: (event) => notices.inc(event.notices),
    'connections full': ({ closed: connection }) => closed.inc({ connection }),
  };
}

/** An answer's labels in the metrics. Clients cannot invent label values, so there are few combinations. */
interface AnswerKind {
  readonly action: string;
  readonly resource: string | null;
  readonly status: number;
  readonly cache: string | null;
  readonly via?: 'mcp' | undefined;
}

interface Counted extends AnswerKind {
  count: number;
}

/** Counts answers in plain numbers, which become labelled metrics at a scrape: calling prom-client for every cache hit is too slow. */
class Tally {
  readonly #counts = new Map<string, Map<string | null, Counted[]>>();

  add({ action, resource, status, cache, via }: AnswerKind): void {
    const all = this.#of(action, resource);
    for (const counted of all) {
      if (counted.status === status && counted.cache === cache && counted.via === via) {
        counted.count++;
        return;
      }
    }
    all.push({ action, resource, status, cache, via, count: 1 });
  }

  all(): readonly Counted[] {
    return [...this.#counts.values()].flatMap((byResource) => [...byResource.values()].flat());
  }

  #of(action: string, resource: string | null): Counted[] {
    const existing = this.#counts.get(action)?.get(resource);
    if (existing !== undefined) return existing;
    const byResource = this.#counts.get(action) ?? new Map<string | null, Counted[]>();
    const counts: Counted[] = [];
    this.#counts.set(action, byResource.set(resource, counts));
    return counts;
  }
}
