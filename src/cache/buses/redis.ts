import { setTimeout as sleep } from 'node:timers/promises';
import type { RedisBus } from '../../model/bus.ts';
import { unavailable } from '../../model/errors.ts';
import type { Emit } from '../../model/events.ts';
import type { Announced, Announcer, Bus, Join, Message, Suspension } from './bus.ts';
import { Membership } from './redis/membership.ts';
import type { StreamMessage } from './redis/messages.ts';
import { OwnSuspensions } from './redis/own-suspensions.ts';
import type { Registration } from './redis/registry.ts';
import { Suspensions } from './redis/suspensions.ts';

export interface RedisOptions extends RedisBus {
  /** Milliseconds after which every statement of an ended process has finished in its database. */
  aftermath(): number;
  readonly emit: Emit;
  /** Milliseconds; the same for all processes. */
  readonly lease?: number;
}

const usualLease = 1000;
/** Memberships in which a message is tried: a server that ends each of them is not waited for. */
const mostAttempts = 5;
/** Milliseconds between two attempts to join. */
const pauses = [50, 250] as const;

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

interface Telling {
  /** Whether it resolves only when the others have heard the messages. */
  readonly isAwaited?: boolean;
  /** How long it waits for the server, by `performance.now()`; at least until the others have no lease from before it was silent. */
  readonly due?: number;
  /** Whether the messages are still to be published, when it joins. */
  readonly isWanted?: () => boolean;
}

class RedisMember implements Bus {
  readonly announcer: Announcer = {
    isHeld: () => this.#membership?.isHeld() ?? false,
    announce: (suspension) => this.#announce(suspension),
    close: () => this.#close(),
  };
  /** Resolves when it has joined, or has tried to for a lease. */
  readonly begun: Promise<unknown>;
  readonly #options: RedisOptions;
  readonly #lease: number;
  /** Milliseconds that the server may take for an answer, when a write need not be announced. */
  readonly #silence: number;
  readonly #onMessage: (message: Message) => void;
  readonly #own = new OwnSuspensions((message) => this.#publishNow(message));
  readonly #suspensions: Suspensions;
  #membership: Membership | null = null;
  /** Since when there is no membership, by `performance.now()`. */
  #awaySince = performance.now();
  #before: Registration | null = null;
  /** Milliseconds that the server took for its last answer in the last membership. */
  #delay = 0;
  /** Whether a write could not be published to the others: they have to forget all entries. */
  #owes = false;
  #isClosed = false;
  readonly #waiting = new Set<() => void>();

  constructor(options: RedisOptions, onMessage: (message: Message) => void) {
    this.#options = options;
    this.#lease = options.lease ?? usualLease;
    this.#silence = this.#lease / 5;
    this.#onMessage = onMessage;
    this.#suspensions = new Suspensions(this.#own, onMessage);
    this.begun = this.#joined(performance.now() + this.#lease);
    void this.#run();
  }

  async publish(message: Message): Promise<void> {
    if (message.type === 'suspend') this.#own.begin(message);
    const telling =
      message.type === 'resume' ? this.#end(message.id, [], false) : this.#tell([message], { isAwaited: true });
    if ((await telling) === null) this.#owes = true;
  }

  /** Publishes messages, and the end of a suspension; returns what `#tell` does. */
  #end(id: string, before: readonly Message[], isAwaited: boolean): Promise<Membership | null> {
    return this.#own.end(id, () => this.#tell([...before, { type: 'resume', id }], { isAwaited }));
  }

  /**
   * Milliseconds that a write waits at most: for the server, and where it must, for the others. A little longer than their leases
   * last, which may have begun when a question of this process was still on its way.
   */
  get #patience(): number {
    return 1.1 * this.#lease + (this.#membership?.delay ?? this.#delay);
  }

  async #announce(suspension: Suspension): Promise<Announced> {
    const { required, emit } = this.#options;
    const { id } = suspension;
    const began = performance.now();
    this.#own.begin(suspension);
    // Without the duty to announce, a write that cannot be announced soon is published after its commit, and waits for the others
    // then: it would wait twice for a server that does not answer.
    const isSoon = required || (this.#membership?.isTrusted === true && !this.#isSilent());
    // A write that waits holds a session of its database, which reads would miss: none waits where the server is away for longer.
    const due = Math.min(began, this.#awaySince) + this.#patience;
    let isOver = false;
    const telling = isSoon
      ? this.#tell([suspension], { isAwaited: true, due, isWanted: () => !isOver })
      : Promise.resolve(null);
    const limit = required ? sleep(this.#patience, null, { ref: false }) : this.#untilSilent(() => isOver);
    const told = await Promise.race([telling, limit]);
    isOver = true;
    emit({ on: 'announced', by: told === null ? 'failed' : 'heard', milliseconds: performance.now() - began });
    if (told === null && required) {
      void telling.then(() => this.#end(id, [], false));
      throw unannounced();
    }
    // While the lease of this process goes on, the others hold the suspension.
    const holds = () => told?.isHeld() === true;
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
    return performance.now() - (this.#membership?.silentSince ?? this.#awaySince) > this.#silence;
  }

  async #untilSilent(isOver: () => boolean): Promise<null> {
    while (!isOver()) {
      await sleep(this.#silence / 4, null, { ref: false });
      if (this.#isSilent()) break;
    }
    return null;
  }

  /**
   * Publishes messages as one.
   * @returns the membership in which that was done; null where the server cannot be used
   */
  async #tell(
    messages: readonly Message[],
    { isAwaited = false, due = performance.now() + this.#patience, isWanted = () => true }: Telling,
  ): Promise<Membership | null> {
    let wait = due;
    for (let attempt = 1; ; attempt++) {
      const membership = await this.#joined(wait);
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
      wait = Math.max(due, membership.silentSince + this.#patience);
    }
  }

  /** Returns false where there is no membership. */
  #publishNow(message: Message): boolean {
    const membership = this.#membership;
    if (membership === null || membership.hasEnded) return false;
    membership.publish(message, false).catch(() => undefined);
    return true;
  }

  /** The membership, once there is one; null where there is none at that moment, by `performance.now()`. */
  async #joined(due: number): Promise<Membership | null> {
    for (let until = due; ; ) {
      if (this.#membership?.hasEnded === false) return this.#membership;
      const left = until - performance.now();
      if (left <= 0 || this.#isClosed) return null;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.ceil(left));
        const wake = () => {
          clearTimeout(timer);
          this.#waiting.delete(wake);
          resolve();
        };
        this.#waiting.add(wake);
      });
      // The timer fired late, so this process itself was stopped: it may be a member again in a moment.
      if (performance.now() > until + this.#patience / 4) until = performance.now() + this.#patience;
    }
  }

  /** Joins, and joins anew whenever the membership has ended. */
  async #run(): Promise<void> {
    const { emit } = this.#options;
    let pause: number = pauses[0];
    let isReported = false;
    while (!this.#isClosed) {
      const began = performance.now();
      const cause = await this.#join(() => {
        isReported = false;
      }).catch((error: unknown) => error);
      if (this.#membership !== null) {
        this.#awaySince = performance.now();
        this.#before = this.#membership.registration;
        this.#delay = this.#membership.delay;
        this.#own.left(this.#membership.name);
      }
      this.#membership = null;
      if (this.#isClosed) return;
      if (!isReported) emit({ on: 'bus lost', cause });
      isReported = true;
      pause = performance.now() - began > pauses[1] ? pauses[0] : Math.min(2 * pause, pauses[1]);
      await sleep(pause);
    }
  }

  /** One membership. Returns why it has ended. */
  async #join(joined: () => void): Promise<unknown> {
    const { server, group, aftermath, emit } = this.#options;
    const [lease, suspensions, before] = [this.#lease, this.#suspensions, this.#before];
    const membership = await Membership.open({ server, group, aftermath, lease, suspensions, before });
    // It may have missed any message since its last lease.
    if (before !== null) this.#onMessage({ type: 'forget' });
    this.#membership = membership;
    this.#awaySince = Number.POSITIVE_INFINITY;
    if (this.#isClosed) return membership.close();
    joined();
    emit({ on: 'bus joined', server: membership.version });
    for (const wake of this.#waiting) wake();
    const messages: StreamMessage[] = [...this.#own.afterJoin(), ...(this.#owes ? [{ type: 'forget' } as const] : [])];
    this.#owes = false;
    Promise.all(messages.map((message) => membership.publish(message, false))).catch(() => {
      this.#owes = true;
    });
    void this.#repeatAgain(membership);
    return membership.ended;
  }

  /** Others join again a little later, where the server was away for all. */
  async #repeatAgain(membership: Membership): Promise<void> {
    for (let nth = 0; nth < 2; nth++) {
      await sleep(1.5 * this.#lease, null, { ref: false });
      for (const again of membership.hasEnded ? [] : this.#own.again())
        await membership.publish(again, false).catch(() => undefined);
    }
  }

  async #close(): Promise<void> {
    this.#isClosed = true;
    for (const wake of this.#waiting) wake();
    await this.#membership?.close();
  }
}

const unannounced = () =>
  unavailable('the other gateways cannot be told of this write, so nothing was written: try again');
