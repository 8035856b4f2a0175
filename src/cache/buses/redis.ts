import { setTimeout as sleep } from 'node:timers/promises';
import type { RedisBus } from '../../model/bus.ts';
import { unavailable } from '../../model/errors.ts';
import type { Emit } from '../../model/events.ts';
import type { Announced, Announcer, Bus, Join, Message, Suspension } from './bus.ts';
import { usualLease } from './redis/lease.ts';
import { Membership } from './redis/membership.ts';
import { Memberships } from './redis/memberships.ts';
import { type AnnouncedSuspension, mostCounters, type StreamMessage } from './redis/messages.ts';
import { OwnSuspensions } from './redis/own-suspensions.ts';
import { Suspensions } from './redis/suspensions.ts';

export interface RedisOptions extends RedisBus {
  /** Milliseconds after which every statement of this process has finished in its database, once it has ended. */
  aftermath(): number;
  readonly emit: Emit;
  /** Milliseconds; the same for all processes. */
  readonly lease?: number;
}

/** Memberships in which a message is tried: a server that ends each of them is not waited for. */
const mostAttempts = 5;

/**
 * The bus of several gateways: a stream on a Redis server. Each process is a member, and serves from its cache only while a lease
 * shows that it has heard every message (docs/caching.md). Where the server is away, it resolves without a lease.
 */
export function redis(options: RedisOptions): Join {
  return async (onMessage) => {
    const member = new RedisMember(options, onMessage);
    await member.begun;
    return member;
  };
}

interface Publishing {
  /** Whether it resolves only when the others have heard the messages. */
  readonly isAwaited?: boolean;
  /** How long it waits for the server, by `performance.now()`; at least until the others have no lease from before it was silent. */
  readonly due?: number;
  /** Whether the messages are still to be published, when it joins. */
  readonly isWanted?: () => boolean;
}

class RedisMember implements Bus {
  readonly announcer: Announcer = {
    isHeld: () => this.#memberships.current?.isHeld() ?? false,
    announce: (suspension) => this.#announce(suspension),
    close: () => this.#memberships.close(),
  };
  /**
   * The others hold the suspension of a write until they have heard of it. A write that was not announced, of this process or another,
   * may still be on its way to them: they hear it before the end of a suspension that nobody has begun.
   */
  readonly heard = async (): Promise<void> => {
    await Promise.all(this.#publishing);
    const due = Math.min(performance.now(), this.#memberships.awaySince) + this.#memberships.patience;
    if (!this.#options.required) await this.#publishAll([{ type: 'resume', id: '' }], { due, isAwaited: true });
  };
  readonly mostCounters = mostCounters;
  /** Resolves when it has joined, or has tried to for a lease. */
  readonly begun: Promise<unknown>;
  readonly #options: RedisOptions;
  readonly #lease: number;
  /** Milliseconds that the server may take for an answer, when a write need not be announced. */
  readonly #silence: number;
  readonly #own = new OwnSuspensions((message) => this.#publishNow(message));
  readonly #memberships: Memberships;
  /** What others may not have heard yet: each resolves when they have, or have no lease from before. */
  readonly #publishing = new Set<Promise<unknown>>();
  /** Whether a write could not be published to the others: they have to forget all entries. */
  #owes = false;

  constructor(options: RedisOptions, onMessage: (message: Message) => void) {
    this.#options = options;
    this.#lease = options.lease ?? usualLease;
    this.#silence = this.#lease / 5;
    const { server, group, emit } = options;
    const lease = this.#lease;
    const suspensions = new Suspensions(this.#own, onMessage);
    this.#memberships = new Memberships({
      lease,
      open: (before) =>
        Membership.open({ server, group, lease, suspensions, before, namesOf: (id) => this.#own.namesOf(id) }),
      missed: () => onMessage({ type: 'forget' }),
      joined: (membership) => this.#joined(membership),
      left: ({ name }) => this.#own.left(name),
      lasts: ({ version }) => emit({ on: 'bus joined', server: version }),
      lost: (cause) => emit({ on: 'bus lost', cause }),
    });
    this.begun = this.#memberships.until(performance.now() + this.#lease);
  }

  async publish(message: Message): Promise<void> {
    const published =
      message.type === 'resume'
        ? this.#end(message.id, [], false)
        : this.#publish([message.type === 'suspend' ? this.#begin(message) : message], { isAwaited: true });
    if ((await published) === null) this.#owes = true;
  }

  #begin(suspension: Suspension): AnnouncedSuspension {
    return this.#own.begin(suspension, this.#options.aftermath());
  }

  /** Publishes messages, and the end of a suspension; returns what `#publishAll` does. */
  #end(id: string, before: readonly StreamMessage[], isAwaited: boolean): Promise<Membership | null> {
    return this.#own.end(id, () => this.#publish([...before, { type: 'resume', id }], { isAwaited }));
  }

  async #announce(begun: Suspension): Promise<Announced> {
    const { required, emit } = this.#options;
    const { patience } = this.#memberships;
    const began = performance.now();
    const suspension = this.#begin(begun);
    const { id } = suspension;
    // Without the duty to announce, a write that cannot be announced soon is published after its commit, and waits for the others
    // then: it would wait twice for a server that does not answer.
    const isSoon = required || (this.#memberships.current?.isTrusted === true && !this.#isSilent());
    // A write that waits holds a session of its database, which reads would miss: none waits where the server is away for longer.
    const due = Math.min(began, this.#memberships.awaySince) + patience;
    let isOver = false;
    const publishing = isSoon
      ? this.#publishAll([suspension], { isAwaited: true, due, isWanted: () => !isOver })
      : Promise.resolve(null);
    const limit = required ? sleep(patience, null, { ref: false }) : this.#untilSilent(() => isOver);
    const membership = await Promise.race([publishing, limit]);
    isOver = true;
    emit({ on: 'announced', by: membership === null ? 'failed' : 'heard', milliseconds: performance.now() - began });
    if (membership === null && required) {
      void publishing.then(() => this.#end(id, [], false));
      throw unannounced();
    }
    // While the lease of this process goes on, the others hold the suspension.
    const holds = () => membership?.isHeld() === true;
    return {
      holds,
      end: async (written) => {
        const isHeld = holds();
        const published = this.#end(id, [written], !isHeld).then((by) => {
          if (by === null) this.#owes = true;
        });
        if (!isHeld) await published;
      },
    };
  }

  #isSilent(): boolean {
    return performance.now() - this.#memberships.silentSince > this.#silence;
  }

  async #untilSilent(isOver: () => boolean): Promise<null> {
    while (!isOver()) {
      await sleep(this.#silence / 4, null, { ref: false });
      if (this.#isSilent()) break;
    }
    return null;
  }

  /** As `#publishAll`; `heard` waits for it. */
  #publish(messages: readonly StreamMessage[], how: Publishing): Promise<Membership | null> {
    const published = this.#publishAll(messages, how).finally(() => this.#publishing.delete(published));
    this.#publishing.add(published);
    return published;
  }

  /**
   * Publishes messages as one.
   * @returns the membership in which that was done; null where the server cannot be used
   */
  async #publishAll(
    messages: readonly StreamMessage[],
    { isAwaited = false, due = performance.now() + this.#memberships.patience, isWanted = () => true }: Publishing,
  ): Promise<Membership | null> {
    let wait = due;
    for (let attempt = 1; ; attempt++) {
      const membership = await this.#memberships.until(wait);
      if (membership === null || !isWanted()) return null;
      // Not cut short: while the membership goes on, so do the leases of the others.
      const published = messages.map((message) => membership.publish(message, isAwaited));
      const isDone = await Promise.all(published).then(
        () => true,
        () => false,
      );
      if (isDone) return membership;
      if (!membership.hasEnded || attempt === mostAttempts) return null;
      // The leases of the others may have begun as late as the silence. Where this process stood still, they did not.
      wait = Math.max(due, membership.silentSince + this.#memberships.patience);
    }
  }

  /** Returns false where there is no membership. */
  #publishNow(message: StreamMessage): boolean {
    const membership = this.#memberships.current;
    if (membership === null || membership.hasEnded) return false;
    membership.publish(message, false).catch(() => undefined);
    return true;
  }

  /** Publishes what others may not have heard from this process. */
  #joined(membership: Membership): void {
    this.#own.joined(membership.name);
    const messages: StreamMessage[] = [...this.#own.afterJoin(), ...(this.#owes ? [{ type: 'forget' } as const] : [])];
    this.#owes = false;
    Promise.all(messages.map((message) => membership.publish(message, false))).catch(() => {
      this.#owes = true;
    });
  }
}

const unannounced = () =>
  unavailable('the other gateways cannot be told of this write, so nothing was written: try again');
