import { setTimeout as sleep } from 'node:timers/promises';
import type { Freshness } from '../cache/freshness.ts';
import type { Generations } from '../cache/generations.ts';
import type { Resolved } from '../tables/served.ts';
import type { NoticeGateway } from './subscriber.ts';
import type { Noted, Subscription } from './subscription.ts';

/** A resource that clients subscribe to: one for all of them, so that a change is looked for once. */
export interface Watched extends Noted {
  resolved: Resolved;
  /** 0 until its streams may send its changes. */
  changedAt: number;
  /** The last change that a look has found, in the same epochs. */
  foundAt: number;
  /**
   * When it last counted as changed although nothing showed that, by `performance.now()`. At first, when it was added; a resource with
   * a token may count so at once.
   */
  assumedAt: number;
  readonly subscriptions: Set<Subscription>;
}

/** What a look at the resources of one database that have a subscriber has found. */
export interface Look {
  readonly database: string;
  /** The epoch of the generations: the look has found every change until then. */
  readonly epoch: number;
  /** The epochs of the last changes, for resources that have changed since the look before. */
  readonly changed: ReadonlyMap<Watched, number>;
  /** When the last of them was found, by `performance.now()`. */
  readonly at: number;
}

/** Milliseconds to wait for databases to show their tokens. What a slower one shows is found by the next look. */
const patience = 50;
/** Milliseconds after which a resource counts as changed if others may write it unseen, and no cached answer is older. */
const minute = 60_000;

/** The resources with a subscriber, and when each has changed. */
export class WatchedResources {
  readonly #generations: Generations;
  readonly #current: () => NoticeGateway;
  readonly #byId = new Map<string, Watched>();
  readonly #asked = new Set<Freshness>();

  /** @param current gives the current gateway */
  constructor(generations: Generations, current: () => NoticeGateway) {
    this.#generations = generations;
    this.#current = current;
  }

  /**
   * Makes these the resources of a stream.
   * @param before those that it had
   * @param resources by the names that its client has for them
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

  /** Asks the databases for their tokens; a new one bumps the generations. */
  async prove(): Promise<void> {
    const sent = performance.now();
    const all = new Set<Freshness>();
    for (const { resolved } of this.#byId.values()) if (resolved.freshness !== null) all.add(resolved.freshness);
    const proofs = [...all].filter((it) => !this.#asked.has(it)).map((freshness) => this.#ask(freshness, sent));
    if (proofs.length > 0) await Promise.race([Promise.all(proofs), sleep(patience, undefined, { ref: false })]);
  }

  /** Finds what has changed since the last look. */
  look(now: number): readonly Look[] {
    const found = new Map<string, { changed: Map<Watched, number>; at: number }>();
    const { since, madeAt } = this.#current();
    for (const watched of this.#byId.values()) {
      const { database } = watched.resolved.settings;
      const look = found.get(database) ?? { changed: new Map(), at: Number.NEGATIVE_INFINITY };
      found.set(database, look);
      const last = this.#changed(watched, now);
      const changedAt = Math.max(since, last.epoch);
      if (changedAt <= watched.foundAt) continue;
      watched.foundAt = changedAt;
      look.changed.set(watched, changedAt);
      look.at = Math.max(look.at, last.at, since > last.epoch ? madeAt : look.at);
    }
    const { epoch } = this.#generations;
    return Array.from(found, ([database, look]) => ({ database, epoch, ...look }));
  }

  #add(resolved: Resolved): Watched {
    const assumedAt = resolved.isSeen ? Number.NEGATIVE_INFINITY : performance.now();
    const watched = { resolved, changedAt: 0, foundAt: 0, assumedAt, subscriptions: new Set<Subscription>() };
    this.#byId.set(resolved.id, watched);
    return watched;
  }

  async #ask(freshness: Freshness, sent: number): Promise<void> {
    this.#asked.add(freshness);
    await freshness.prove(sent);
    this.#asked.delete(freshness);
  }

  /** The epoch of the last change, and when it was found. */
  #changed(watched: Watched, now: number): { readonly epoch: number; readonly at: number } {
    const { resolved } = watched;
    const after = assumedAfter(resolved, this.#current()) ?? unprovedAfter(resolved, now);
    if (after !== null && now - watched.assumedAt >= after) {
      watched.assumedAt = now;
      return { epoch: this.#generations.advance(), at: now };
    }
    const counters = resolved.dependencies?.dependsOn ?? [];
    return { epoch: this.#generations.changedAt(counters), at: this.#generations.bumpedAt(counters) };
  }
}

/**
 * Milliseconds after which a resource counts as changed, where nothing shows the writes of others. Null: something does, or no
 * other program can write to its database.
 */
export function assumedAfter({ isSeen, settings }: Resolved, gateway: NoticeGateway): number | null {
  const database = gateway.settings.databases.get(settings.database);
  if (isSeen || database === undefined || 'directory' in database) return null;
  return settings.cache.ttl === 0 ? minute : settings.cache.ttl;
}

/**
 * The same for a resource whose database has not shown its token for as long, such as a server without a free connection. Null: it
 * has, or none is needed. Calls may go on meanwhile: what others write is read, and seen nowhere else.
 */
function unprovedAfter({ freshness, settings }: Resolved, now: number): number | null {
  if (freshness === null) return null;
  const after = settings.cache.ttl === 0 ? minute : Math.min(settings.cache.ttl, minute);
  return freshness.unprovedFor(now) >= after ? after : null;
}
