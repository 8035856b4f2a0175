import { setTimeout as sleep } from 'node:timers/promises';
import type { Freshness } from '../cache/freshness.ts';
import type { Generations } from '../cache/generations.ts';
import type { Resolved } from '../tables/served.ts';
import type { NoticeGateway } from './subscriber.ts';
import type { NotedChange, Subscription } from './subscription.ts';

/** A resource that clients subscribe to. All subscribers share it, so that we check for changes only once. */
export interface Watched extends NotedChange {
  resolved: Resolved;
  /** The epoch of the last change that streams may announce; 0 if there is none. */
  changedAt: number;
  /** The epoch of the last change that we have found. Streams may not be allowed to announce it yet. */
  foundAt: number;
  /**
   * When we last assumed a change without knowing about one, by `performance.now()`. It starts as the time when the resource was added; or as
   * minus infinity if its database shows a commit marker, so that we assume a change at once if we lose the marker.
   */
  assumedAt: number;
  readonly subscriptions: Set<Subscription>;
}

/** The changes that one look has found among a database's watched resources. */
export interface Look {
  readonly database: string;
  /** The generations' epoch up to which the look has found every change. */
  readonly epoch: number;
  /** The resources that have changed since the previous look, each with the epoch of its last change. */
  readonly changed: ReadonlyMap<Watched, number>;
  /** When the last of these changes became known, by `performance.now()`. */
  readonly at: number;
}

/** How many milliseconds a look waits for the databases' commit markers. The next look finds a slower database's changes. */
const markerTimeoutMs = 50;
/** If we can't see other clients' writes to a resource that is not cached, we assume a change after this many milliseconds. */
const assumeChangeMs = 60_000;

/** The resources with a subscriber, and when each of them last changed. */
export class WatchedResources {
  readonly #generations: Generations;
  readonly #current: () => NoticeGateway;
  readonly #byId = new Map<string, Watched>();
  readonly #running = new Set<Freshness>();

  /** @param current returns the current gateway */
  constructor(generations: Generations, current: () => NoticeGateway) {
    this.#generations = generations;
    this.#current = current;
  }

  /**
   * Sets a stream's resources.
   * @param before the stream's resources until now
   * @param resources the new ones, by the client's names for them
   */
  watch(
    subscription: Subscription,
    before: ReadonlyMap<Watched, readonly string[]>,
    resources: ReadonlyMap<string, Resolved>,
  ): ReadonlyMap<Watched, readonly string[]> {
    const after = new Map<Watched, string[]>();
    for (const [name, resolved] of resources) {
      const watched = this.#byId.get(resolved.id) ?? this.#add(resolved);
      watched.resolved = resolved;
      watched.subscriptions.add(subscription);
      after.set(watched, [...(after.get(watched) ?? []), name]);
    }
    for (const watched of before.keys()) {
      if (after.has(watched)) continue;
      watched.subscriptions.delete(subscription);
      if (watched.subscriptions.size === 0) this.#byId.delete(watched.resolved.id);
    }
    return after;
  }

  /** Asks the databases for their commit markers. A new marker bumps the generations of the changed tables. */
  async prove(): Promise<void> {
    const sent = performance.now();
    const all = new Set<Freshness>();
    for (const { resolved } of this.#byId.values()) if (resolved.freshness !== null) all.add(resolved.freshness);
    const proofs = [...all].filter((it) => !this.#running.has(it)).map((freshness) => this.#prove(freshness, sent));
    if (proofs.length > 0) await Promise.race([Promise.all(proofs), sleep(markerTimeoutMs, undefined, { ref: false })]);
  }

  /** Finds the resources that have changed since the last look. */
  look(now: number): readonly Look[] {
    const looks = new Map<string, { changed: Map<Watched, number>; at: number }>();
    const { sinceEpoch, madeAt } = this.#current();
    for (const watched of this.#byId.values()) {
      const { database } = watched.resolved.settings;
      const look = looks.get(database) ?? { changed: new Map(), at: Number.NEGATIVE_INFINITY };
      looks.set(database, look);
      const last = this.#lastChange(watched, now);
      const changedAt = Math.max(sinceEpoch, last.epoch);
      if (changedAt <= watched.foundAt) continue;
      watched.foundAt = changedAt;
      look.changed.set(watched, changedAt);
      look.at = Math.max(look.at, last.at, sinceEpoch > last.epoch ? madeAt : look.at);
    }
    const { epoch } = this.#generations;
    return Array.from(looks, ([database, look]) => ({ database, epoch, ...look }));
  }

  #add(resolved: Resolved): Watched {
    const assumedAt = resolved.noticesAllWrites ? Number.NEGATIVE_INFINITY : performance.now();
    const watched = { resolved, changedAt: 0, foundAt: 0, assumedAt, subscriptions: new Set<Subscription>() };
    this.#byId.set(resolved.id, watched);
    return watched;
  }

  async #prove(freshness: Freshness, sent: number): Promise<void> {
    this.#running.add(freshness);
    await freshness.prove(sent);
    this.#running.delete(freshness);
  }

  /** The epoch of a resource's last change, and when it became known. */
  #lastChange(watched: Watched, now: number): { readonly epoch: number; readonly at: number } {
    const { resolved } = watched;
    const after = assumeChangeAfter(resolved, this.#current()) ?? unprovedAfter(resolved, now);
    if (after !== null && now - watched.assumedAt >= after) {
      watched.assumedAt = now;
      return { epoch: this.#generations.advance(), at: now };
    }
    const counters = resolved.dependencies?.dependsOn ?? [];
    return { epoch: this.#generations.lastBumpEpoch(counters), at: this.#generations.lastBumpTime(counters) };
  }
}

/**
 * After how many milliseconds we assume that a resource has changed, because we can't see other clients' writes. Null if we can, or if no
 * other program can write to its database.
 */
export function assumeChangeAfter({ noticesAllWrites, settings }: Resolved, gateway: NoticeGateway): number | null {
  const database = gateway.settings.databases.get(settings.database);
  if (noticesAllWrites || database === undefined || 'directory' in database) return null;
  return settings.cache.ttl === 0 ? assumeChangeMs : settings.cache.ttl;
}

/**
 * Like `assumeChangeAfter`, for a database whose commit marker we could not read for that long, for example because no connection was free:
 * calls may still show other clients' writes that we don't notice. Null if we could read it, or if there is no marker.
 */
function unprovedAfter({ freshness, settings }: Resolved, now: number): number | null {
  if (freshness === null) return null;
  const after = settings.cache.ttl === 0 ? assumeChangeMs : Math.min(settings.cache.ttl, assumeChangeMs);
  return freshness.expiredForMs(now) >= after ? after : null;
}
