import type { Database as DatabaseSettings, Settings } from '../config/assemble.ts';
import * as dialects from '../dialects/index.ts';
import type { Database } from '../execute/connection/database.ts';
import { outageOf } from '../execute/connection/outage.ts';
import { ReplicaSet } from '../execute/replication/replica-set.ts';
import { NotOnReplica } from '../execute/replication/replica-state.ts';
import type { Emit } from '../model/events.ts';
import type { DatabaseSnapshot, Gateway, Resolved } from './gateway.ts';
import { outageText } from './outage-text.ts';

/** The read replicas of each database. They outlive a `Gateway`, as its pool does. */
export class ReplicaSets {
  readonly #emit: Emit;
  readonly #forget: (database: string) => void;
  readonly #known = new WeakMap<Database, { readonly server: string | null; readonly set: ReplicaSet }>();

  /** @param forget makes the answers of a database old that a server may have given which was no replica any more */
  constructor(emit: Emit, forget: (database: string) => void) {
    this.#emit = emit;
    this.#forget = forget;
  }

  /** Null where the database has none, or cannot be used. */
  of(settings: Settings, { name, connected, server }: DatabaseSnapshot): ReplicaSet | null {
    if (connected === null || connected.database.replicas.length === 0) return null;
    const { database, dialect } = connected;
    const own = settings.databases.get(name);
    const before = this.#known.get(database);
    // Positions of another server, or of the same one before a restart, say nothing.
    if (before?.server === server) return before.set;
    const set = new ReplicaSet({
      primary: database,
      replication: dialect.replication,
      maxLag: own?.maxLag ?? 0,
      report: (nth, why, cause) => {
        const replica = { database: name, replica: nth + 1 };
        if (why === null) this.#emit({ on: 'replica reached', ...replica });
        else this.#emit({ on: 'replica lost', ...replica, why: whyLost(own, nth, why, cause), cause });
      },
      strayed: () => this.#forget(name),
    });
    this.#known.set(database, { server, set });
    return set;
  }
}

/** A sentence. @param cause the driver's error, where that is why */
function whyLost(of: DatabaseSettings | undefined, nth: number, why: string, cause: unknown): string {
  const connection = of?.replicas[nth];
  if (of === undefined || connection === undefined || 'directory' in of || cause instanceof NotOnReplica) return why;
  return cause === undefined
    ? why
    : outageText(outageOf(cause, dialects[of.client].outage), { ...of, connection }, true);
}

/**
 * The moment up to which a read has to show every commit, by `performance.now()`. A cached answer may be `maxStaleness` behind, so
 * a read for the cache may be, too. But it holds all that has invalidated older answers: its key says so. Take the key first.
 * @param asked when the request came, by `performance.now()`
 */
export function shownSince({ settings, cache }: Gateway, resource: Resolved, asked: number): number {
  const { maxLag = 0, maxStaleness = null } = settings.databases.get(resource.settings.database) ?? {};
  const isCached = resource.freshness !== null && resource.settings.cache.ttl > 0;
  const lag = Math.max(maxLag, isCached ? (maxStaleness ?? 0) : 0);
  const bumped = cache.generations.bumpedAt(resource.dependencies?.dependsOn ?? []);
  return Math.max(asked - Math.min(lag, unannounced(settings, maxStaleness)), bumped);
}

/** Milliseconds for which the answer of a write waits for the other gateways, which learn of it only from the database. */
function unannounced({ cache }: Settings, maxStaleness: number | null): number {
  return cache.otherGateways ? (maxStaleness ?? 0) : Number.POSITIVE_INFINITY;
}
