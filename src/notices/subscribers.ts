import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus } from '../cache/buses/bus.ts';
import type { Generations } from '../cache/generations.ts';
import { Refusal, unavailable } from '../model/errors.ts';
import type { Resolved } from '../tables/served.ts';
import { openEpoch, readEventId, sealEpoch, subscribed } from './event-ids.ts';
import { Looks } from './looks.ts';
import type { NoticeGateway, Subscriber } from './subscriber.ts';
import { type Notes, Subscription } from './subscription.ts';
import { assumedAfter, type Watched, WatchedResources } from './watched-resources.ts';

/** An open stream. */
interface Open {
  readonly subscriber: Subscriber;
  /** The gateway that checked its permissions last. */
  gateway: NoticeGateway;
  /** The epoch in which it was opened: its first events say how all was then, or later. */
  readonly since: number;
  /** Whether that epoch is noted by now. */
  isReached: boolean;
  watched: ReadonlyMap<Watched, readonly string[]>;
}

/** Milliseconds between two looks for changes: a resource is announced ten times a second at most. */
const interval = 100;
/** Streams that are woken in one turn of the event loop. */
const perTurn = 16;
/** Milliseconds until a client connects again. They differ, so that clients do not all come back at once. */
const [soonest, latest] = [1000, 5000];
/** Seconds after which a refused client may try again. */
const refusedFor = 10;

/**
 * Sends clients the names of changed resources, as the generations of the cache show them. While there are subscribers, the
 * databases are asked for their tokens, because no request may do so. One loop serves all streams (docs/change-notices.md).
 */
export class Subscribers {
  readonly #generations: Generations;
  readonly #current: () => NoticeGateway;
  readonly #resources: WatchedResources;
  /** Epochs of other processes mean nothing here. */
  readonly #process = randomUUID();
  readonly #open = new Map<Subscription, Open>();
  /** The number of streams of each client. */
  readonly #ofClient = new Map<string, number>();
  readonly #notes: Notes;
  readonly #looks = new Looks();
  readonly #heard: () => Bus['heard'] | null;
  /** The gateway by which the loop has checked all permissions; null: to be checked again. */
  #checked: NoticeGateway | null = null;
  /** Of each database, the epoch until which every change is noted. */
  readonly #epochs = new Map<string, number>();
  /** The last epochs, as they are sealed. */
  readonly #sealed = new Map<number, string>();
  #isRunning = false;
  #isClosed = false;

  /**
   * @param current gives the current gateway
   * @param heard gives `Bus.heard`; null where this is the only process
   */
  constructor(generations: Generations, current: () => NoticeGateway, heard: () => Bus['heard'] | null) {
    this.#heard = heard;
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
        return open?.gateway === current() && open.isReached;
      },
      noticed: (notices) => current().emit({ on: 'noticed', notices }),
    };
  }

  /** The number of streams. */
  get size(): number {
    return this.#open.size;
  }

  /**
   * Opens a stream. Its first events name the resources that have changed since `lastEventId`; all where that is not known.
   * @param gateway the one by which the permissions were checked
   * @throws Refusal unavailable (503) over `limits.subscribers`
   */
  open(
    gateway: NoticeGateway,
    resources: ReadonlyMap<string, Resolved>,
    subscriber: Subscriber,
  ): AsyncIterable<string> {
    const { client, lastEventId, gone } = subscriber;
    gone.throwIfAborted();
    this.#admit(client, gateway.settings.limits.subscribers);
    // It was replaced since.
    if (gateway !== this.#current()) this.#checked = null;
    const to = subscribed(resources.keys());
    const id = readEventId(lastEventId, to);
    const isShown = [...resources.values()].every((resource) => assumedAfter(resource, gateway) === null);
    const lastEpoch = isShown ? openEpoch(gateway.bounds.sealing, this.#process, id.sealed) : null;
    const subscription = new Subscription(this.#notes, id, lastEpoch, to);
    const open: Open = { subscriber, gateway, since: this.#generations.epoch, isReached: false, watched: new Map() };
    this.#open.set(subscription, open);
    this.#ofClient.set(client, (this.#ofClient.get(client) ?? 0) + 1);
    this.#watch(subscription, open, resources);
    gone.addEventListener('abort', () => this.#end(subscription), { once: true });
    this.#run();
    return this.#whole(subscription, soonest + gateway.random() * (latest - soonest));
  }

  /** Ends all streams, and refuses others. */
  close(): void {
    this.#isClosed = true;
    for (const subscription of [...this.#open.keys()]) this.#end(subscription);
  }

  #admit(client: string, most: number): void {
    if (this.#isClosed) throw unavailable('the gateway is stopping, try again');
    const isFull = this.#open.size >= most;
    if (!isFull && (this.#ofClient.get(client) ?? 0) < Math.ceil(most / 2)) return;
    const whose = isFull ? 'there are' : 'this client has';
    const message = `${whose} as many event streams as limits.subscribers allows, try again later`;
    throw new Refusal('unavailable', { message }, { retryAfter: refusedFor });
  }

  async *#whole(subscription: Subscription, wait: number): AsyncGenerator<string, void> {
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
    const left = (this.#ofClient.get(client) ?? 1) - 1;
    if (left === 0) this.#ofClient.delete(client);
    else this.#ofClient.set(client, left);
    this.#watch(subscription, open, new Map());
    this.#open.delete(subscription);
    subscription.end();
  }

  #watch(subscription: Subscription, open: Open, resources: ReadonlyMap<string, Resolved>): void {
    open.watched = this.#resources.watch(subscription, open.watched, resources);
    subscription.resources = open.watched;
  }

  /** The loop; ends with the last subscriber. */
  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    while (this.#open.size > 0) {
      await this.#checkPermissions();
      await this.#resources.prove();
      // A look for the resources of an earlier gateway would count as one for those that its streams have now.
      if (this.#checked === this.#current()) this.#look();
      await this.#announce();
      await sleep(interval, undefined, { ref: false });
    }
    this.#isRunning = false;
  }

  /** Ends the streams that a new gateway no longer permits. Until then none of them sends anything. */
  async #checkPermissions(): Promise<void> {
    const gateway = this.#current();
    if (gateway === this.#checked) return;
    this.#checked = gateway;
    await inTurns([...this.#open], ([subscription, open]) => {
      if (open.gateway === gateway || !this.#open.has(subscription)) return;
      const resources = open.subscriber.readable(gateway);
      if (resources === null) {
        this.#end(subscription);
        return;
      }
      this.#watch(subscription, open, resources);
      open.gateway = gateway;
      // It may have been woken before, and was silent.
      subscription.wake();
    });
  }

  #look(): void {
    const now = performance.now();
    const { cache, databases } = this.#current().settings;
    const heard = this.#heard();
    const isAlone = heard === null && !cache.otherGateways;
    const found = this.#resources.look(now);
    const areHeard = heard !== null && found.some(({ changed }) => changed.size > 0) ? heard() : null;
    for (const look of found) {
      // Others may serve for as long what a database has shown this process to be over.
      const proof = databases.get(look.database)?.maxStaleness ?? 0;
      if (isAlone || look.changed.size === 0) this.#looks.add(look, now, null);
      else this.#looks.add(look, look.at + proof, areHeard);
    }
  }

  /** The epoch until which every change of the resources of a stream is noted. */
  #epochOf(subscription: Subscription): number {
    const watched = this.#open.get(subscription)?.watched.keys() ?? [];
    return Math.min(...Array.from(watched, ({ resolved }) => this.#epochs.get(resolved.settings.database) ?? 0));
  }

  /** Notes what has changed, and wakes the streams that have to say so. */
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
      const isFirst = !open.isReached && open.since <= this.#epochOf(subscription);
      if (isFirst) open.isReached = true;
      if (isFirst || subscription.isSilent(now)) due.add(subscription);
    }
    await inTurns(due, (subscription) => subscription.wake());
  }
}

/** Does the work for some streams in each turn of the event loop. What they then send belongs to the same turn. */
async function inTurns<T>(all: Iterable<T>, work: (one: T) => void): Promise<void> {
  let done = 0;
  for (const one of all) {
    work(one);
    done++;
    if (done % perTurn === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}
