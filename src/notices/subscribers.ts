import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus } from '../cache/buses/bus.ts';
import type { Generations } from '../cache/generations.ts';
import { Refusal, unavailable } from '../model/errors.ts';
import type { Resolved } from '../tables/served.ts';
import { hashOfResources, openEpoch, readEventId, sealEpoch } from './event-ids.ts';
import { PendingLooks } from './looks.ts';
import type { NoticeGateway, Permitted, Subscriber } from './subscriber.ts';
import { type Notes, Subscription } from './subscription.ts';
import { assumeChangeAfter, type Watched, WatchedResources } from './watched-resources.ts';

/** An open stream. */
interface Open {
  readonly subscriber: Subscriber;
  /** The gateway that last checked the stream's permissions, and until when the result holds. */
  gateway: NoticeGateway;
  until: Permitted['until'];
  isBeingChecked: boolean;
  /** Since when permissions cannot be checked, for example with the upstream down; null if they can. This and the next by `performance.now()`. */
  unknownSince: number | null;
  checkAgainAt: number;
  /** The epoch when the stream was opened. Its first events are sent only after all changes up to this epoch are noted. */
  readonly sinceEpoch: number;
  /** Whether all changes up to `sinceEpoch` are noted. */
  isReached: boolean;
  watched: ReadonlyMap<Watched, readonly string[]>;
}

/** Milliseconds between two checks for changes. A resource is thus announced at most ten times a second. */
const lookIntervalMs = 100;
/** While a stream's permissions cannot be checked: milliseconds between two attempts, and until the stream ends. */
const [checkAgainMs, maxUnknownMs] = [1000, 60_000];
/** How many streams we wake in one turn of the event loop. Waking thousands at once would block requests. */
const streamsPerTurn = 16;
/** Clients reconnect after a random time between these, in milliseconds, so that they don't all come back at once. */
const [minReconnectMs, maxReconnectMs] = [1000, 5000];
/** After this many seconds, a refused client may try again. */
const retryAfterSeconds = 10;

/**
 * Sends clients the names of changed resources, which it learns from the cache's generations. While there are subscribers, one loop serves
 * all streams. It also polls the databases' commit markers, because there may be no request that does so (docs/change-notices.md).
 */
export class Subscribers {
  readonly #generations: Generations;
  readonly #current: () => NoticeGateway;
  readonly #resources: WatchedResources;
  /** This process's id, which is part of event ids: epochs from another process mean nothing here. */
  readonly #process = randomUUID();
  readonly #open = new Map<Subscription, Open>();
  /** Each client's number of open streams. */
  readonly #streamsOf = new Map<string, number>();
  readonly #notes: Notes;
  readonly #looks = new PendingLooks();
  readonly #synced: () => Bus['synced'] | null;
  /** For each database, the epoch up to which every change is noted. */
  readonly #epochs = new Map<string, number>();
  /** This round's epochs in encrypted form, so that each is encrypted once for all streams. */
  readonly #sealed = new Map<number, string>();
  #isRunning = false;
  #isClosed = false;

  /**
   * @param current returns the current gateway
   * @param synced returns `Bus.synced`; null if this is the only process
   */
  constructor(generations: Generations, current: () => NoticeGateway, synced: () => Bus['synced'] | null) {
    this.#synced = synced;
    this.#generations = generations;
    this.#current = current;
    this.#resources = new WatchedResources(generations, current);
    this.#notes = {
      epochOf: (subscription) => this.#epochOf(subscription),
      sealed: (epoch) => {
        const sealed = this.#sealed.get(epoch) ?? sealEpoch(current().bounds.sealing, this.#process, epoch);
        this.#sealed.set(epoch, sealed);
        return sealed;
      },
      isPermitted: (subscription) => {
        const open = this.#open.get(subscription);
        return open?.gateway === current() && performance.now() < open.until() && open.isReached;
      },
      noticed: (notices) => current().emit({ on: 'noticed', notices }),
    };
  }

  /** The number of open streams. */
  get size(): number {
    return this.#open.size;
  }

  /**
   * Opens a stream. Its first events name the resources that have changed since `lastEventId`, or all of them if we can't tell.
   * @param gateway the gateway that has checked the client's permissions
   * @throws Refusal unavailable (503) over `limits.subscribers`
   */
  open(gateway: NoticeGateway, { resources, until }: Permitted, subscriber: Subscriber): AsyncIterable<string> {
    const { client, lastEventId, disconnected } = subscriber;
    disconnected.throwIfAborted();
    this.#admit(client, gateway.settings.limits.subscribers);
    const to = hashOfResources(resources.keys());
    const id = readEventId(lastEventId, to);
    const isShown = [...resources.values()].every((resource) => assumeChangeAfter(resource, gateway) === null);
    const lastEpoch = isShown ? openEpoch(gateway.bounds.sealing, this.#process, id.sealed) : null;
    const subscription = new Subscription(this.#notes, id, lastEpoch, to);
    const open: Open = {
      subscriber,
      ...{ gateway, until, isBeingChecked: false, unknownSince: null, checkAgainAt: 0 },
      sinceEpoch: this.#generations.epoch,
      isReached: false,
      watched: new Map(),
    };
    this.#open.set(subscription, open);
    this.#streamsOf.set(client, (this.#streamsOf.get(client) ?? 0) + 1);
    this.#watch(subscription, open, resources);
    disconnected.addEventListener('abort', () => this.#end(subscription), { once: true });
    this.#run();
    return this.#textOf(subscription, minReconnectMs + gateway.random() * (maxReconnectMs - minReconnectMs));
  }

  /** Ends all streams, and refuses new ones. */
  close(): void {
    this.#isClosed = true;
    for (const subscription of [...this.#open.keys()]) this.#end(subscription);
  }

  #admit(client: string, maxStreams: number): void {
    if (this.#isClosed) throw unavailable('the gateway is stopping, try again');
    const isFull = this.#open.size >= maxStreams;
    if (!isFull && (this.#streamsOf.get(client) ?? 0) < Math.ceil(maxStreams / 2)) return;
    const whose = isFull ? 'there are' : 'this client has';
    const message = `${whose} as many event streams as limits.subscribers allows, try again later`;
    throw new Refusal('unavailable', { message }, { retryAfter: retryAfterSeconds });
  }

  async *#textOf(subscription: Subscription, wait: number): AsyncGenerator<string, void> {
    try {
      yield* subscription.text(wait);
    } finally {
      this.#end(subscription);
    }
  }

  #end(subscription: Subscription): void {
    const open = this.#open.get(subscription);
    if (open === undefined) return;
    const { client } = open.subscriber;
    const streams = (this.#streamsOf.get(client) ?? 1) - 1;
    if (streams === 0) this.#streamsOf.delete(client);
    else this.#streamsOf.set(client, streams);
    this.#watch(subscription, open, new Map());
    this.#open.delete(subscription);
    subscription.end();
  }

  #watch(subscription: Subscription, open: Open, resources: ReadonlyMap<string, Resolved>): void {
    open.watched = this.#resources.watch(subscription, open.watched, resources);
    subscription.resources = open.watched;
  }

  /** The loop that serves all streams. It ends with the last subscriber. */
  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    while (this.#open.size > 0) {
      const gateway = this.#current();
      await this.#checkPermissions(gateway);
      await this.#resources.prove();
      // If the gateway was replaced meanwhile, the streams still have the old one's resources: check permissions first.
      if (gateway === this.#current()) this.#look();
      await this.#announce();
      await sleep(lookIntervalMs, undefined, { ref: false });
    }
    this.#isRunning = false;
  }

  /** Checks the streams whose permissions have expired: after a reload, or when a login ends. Until then, none of them sends anything. */
  async #checkPermissions(gateway: NoticeGateway): Promise<void> {
    const now = performance.now();
    const due = [...this.#open].filter(
      ([, open]) =>
        (open.gateway !== gateway || now >= open.until()) && !open.isBeingChecked && now >= open.checkAgainAt,
    );
    // Don't await this: while the upstream decides about one stream, the others go on.
    await inTurns(due, ([subscription, open]) => void this.#check(subscription, open, gateway));
  }

  async #check(subscription: Subscription, open: Open, gateway: NoticeGateway): Promise<void> {
    open.isBeingChecked = true;
    try {
      const permitted = await open.subscriber.permitted(gateway);
      if (!this.#open.has(subscription)) return;
      if (permitted === null) return this.#end(subscription);
      this.#watch(subscription, open, permitted.resources);
      open.gateway = gateway;
      open.until = permitted.until;
      open.unknownSince = null;
      // The stream may have been woken before this check, when it could not send anything.
      subscription.wake();
    } catch (error) {
      const now = performance.now();
      open.unknownSince ??= now;
      open.checkAgainAt = now + checkAgainMs;
      if (!(error instanceof Refusal) || now - open.unknownSince >= maxUnknownMs) this.#end(subscription);
    } finally {
      open.isBeingChecked = false;
    }
  }

  #look(): void {
    const now = performance.now();
    const { cache, databases } = this.#current().settings;
    const synced = this.#synced();
    const isAlone = synced === null && !cache.otherGateways;
    const found = this.#resources.look(now);
    const isSynced = synced !== null && found.some(({ changed }) => changed.size > 0) ? synced() : null;
    for (const look of found) {
      // After this process has found a change, other processes may still serve older answers for this long.
      const maxStaleness = databases.get(look.database)?.maxStaleness ?? 0;
      if (isAlone || look.changed.size === 0) this.#looks.add(look, now, null);
      else this.#looks.add(look, look.at + maxStaleness, isSynced);
    }
  }

  /** The epoch up to which every change to a stream's resources is noted. */
  #epochOf(subscription: Subscription): number {
    const watched = this.#open.get(subscription)?.watched.keys() ?? [];
    return Math.min(...Array.from(watched, ({ resolved }) => this.#epochs.get(resolved.settings.database) ?? 0));
  }

  /** Notes the changes that need not wait any longer, and wakes the streams that have something to send. */
  async #announce(): Promise<void> {
    const now = performance.now();
    const due = new Set<Subscription>();
    this.#sealed.clear();
    for (const { database, epoch, changed } of this.#looks.take(now)) {
      this.#epochs.set(database, epoch);
      for (const [watched, changedAt] of changed) {
        watched.changedAt = changedAt;
        for (const subscription of watched.subscriptions) due.add(subscription);
      }
    }
    for (const [subscription, open] of this.#open) {
      const isFirst = !open.isReached && open.sinceEpoch <= this.#epochOf(subscription);
      if (isFirst) open.isReached = true;
      if (isFirst || subscription.isSilent(now)) due.add(subscription);
    }
    await inTurns(due, (subscription) => subscription.wake());
  }
}

/** Does the work in batches of `streamsPerTurn`, each in a turn of the event loop in which the woken streams also send. */
async function inTurns<T>(all: Iterable<T>, work: (one: T) => void): Promise<void> {
  let done = 0;
  for (const one of all) {
    work(one);
    done++;
    if (done % streamsPerTurn === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}
