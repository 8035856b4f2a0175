import { setTimeout as sleep } from 'node:timers/promises';
import { Causes } from './causes.ts';
import type { Membership } from './membership.ts';
import type { Registration } from './registry.ts';

export interface MembershipsOptions {
  /** Milliseconds. */
  readonly lease: number;
  /** Opens a membership. @param before the last one of this process */
  open(before: Registration | null): Promise<Membership>;
  /** Called before a membership is used that is not the first: any message since the last lease may have been missed. */
  missed(): void;
  /** Called when a membership can be used, before those that wait for one go on. */
  joined(membership: Membership): void;
  left(membership: Membership): void;
  /** Called when a membership has lasted for half a lease, so that it has been renewed. */
  lasts(membership: Membership): void;
  /** Called with the cause where there is no membership, and again where the cause becomes another one. */
  lost(cause: unknown): void;
}

/** Milliseconds between two attempts to join. */
const pauses = [50, 250] as const;

/** Keeps the process a member: it joins anew whenever a membership has ended. */
export class Memberships {
  /** The membership, where there is one. It may just have ended. */
  current: Membership | null = null;
  /** Since when there is no membership, by `performance.now()`. */
  awaySince = performance.now();
  readonly #options: MembershipsOptions;
  #before: Registration | null = null;
  /** Milliseconds that the server took for its last answer in the last membership. */
  #delay = 0;
  #isClosed = false;
  readonly #waiting = new Set<() => void>();

  constructor(options: MembershipsOptions) {
    this.#options = options;
    void this.#run();
  }

  /**
   * Milliseconds that a write waits at most: for the server, and where it must, for the others. A little longer than their leases
   * last, which may have begun when a question of this process was still on its way.
   */
  get patience(): number {
    return 1.1 * this.#options.lease + (this.current?.delay ?? this.#delay);
  }

  /** Since when the server has not answered this process, by `performance.now()`; infinity: it has answered all. */
  get silentSince(): number {
    return this.current?.silentSince ?? this.awaySince;
  }

  /** The membership, once there is one; null where there is none at that moment, by `performance.now()`. */
  async until(due: number): Promise<Membership | null> {
    for (let until = due; ; ) {
      if (this.current?.hasEnded === false) return this.current;
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
      if (performance.now() > until + this.patience / 4) until = performance.now() + this.patience;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wake();
    await this.current?.close();
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
  }

  /** Joins, and joins anew whenever the membership has ended. */
  async #run(): Promise<void> {
    let pause: number = pauses[0];
    const causes = new Causes();
    while (!this.#isClosed) {
      const began = performance.now();
      const cause = await this.#join(() => causes.clear()).catch((error: unknown) => error);
      if (this.current !== null) {
        this.awaySince = performance.now();
        this.#before = this.current.registration;
        this.#delay = this.current.delay;
        this.#options.left(this.current);
      }
      this.current = null;
      if (this.#isClosed) return;
      if (causes.isNew(cause)) this.#options.lost(cause);
      pause = performance.now() - began > pauses[1] ? pauses[0] : Math.min(2 * pause, pauses[1]);
      await sleep(pause);
    }
  }

  /** One membership. Returns the cause of its end. @param lasts called where it does not end at once */
  async #join(lasts: () => void): Promise<unknown> {
    const before = this.#before;
    const membership = await this.#options.open(before);
    if (before !== null) this.#options.missed();
    this.current = membership;
    this.awaySince = Number.POSITIVE_INFINITY;
    if (this.#isClosed) return membership.close();
    this.#options.joined(membership);
    this.#wake();
    await Promise.race([membership.ended, sleep(this.#options.lease / 2, null, { ref: false })]);
    if (!membership.hasEnded) {
      lasts();
      this.#options.lasts(membership);
    }
    return membership.ended;
  }
}
