import { moveToEnd, newestOfBusiestClient, type Waiting, waitInQueue } from './queue.ts';

/** How many calls may wait, of all clients together. */
const maxWaiting = 100;

/**
 * Limits how many calls run at once; the others wait. A free slot goes to the waiting client with the fewest running calls; clients with
 * equally many take turns. So no client can keep all slots by calling again and again.
 */
export class Turns {
  readonly #waitTimeout: number;
  /** The number of slots that each client uses. */
  readonly #held = new Map<string, number>();
  /** In order of arrival. When a client gets a slot, its other waiting calls move to the end. */
  readonly #waiting = new Set<Waiting<void>>();
  #free: number;

  /**
   * @param max how many calls may run at once
   * @param waitTimeout the longest wait in milliseconds
   */
  constructor(max: number, waitTimeout: number) {
    this.#free = max;
    this.#waitTimeout = waitTimeout;
  }

  /**
   * Waits for a free slot. Call `leave` when the work is done.
   * @param client identifies the client: all its calls pass the same name
   * @throws Refusal busy (503) if no slot is free in time, or too many calls wait; the reason of `signal`
   */
  async enter(client: string, signal: AbortSignal): Promise<{ leave(): void }> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free--;
      this.#hold(client);
    } else await this.#wait(client, signal);
    return { leave: () => this.#leave(client) };
  }

  #hold(client: string): void {
    this.#held.set(client, this.#heldBy(client) + 1);
  }

  #leave(client: string): void {
    const held = this.#heldBy(client) - 1;
    if (held > 0) this.#held.set(client, held);
    else this.#held.delete(client);
    let next: Waiting<void> | undefined;
    for (const one of this.#waiting)
      if (next === undefined || this.#heldBy(one.client) < this.#heldBy(next.client)) next = one;
    if (next === undefined) {
      this.#free++;
      return;
    }
    this.#hold(next.client);
    next.begin();
    moveToEnd(this.#waiting, next.client);
  }

  #heldBy(client: string): number {
    return this.#held.get(client) ?? 0;
  }

  /** Resolves when a finished call has handed its slot to this client. */
  #wait(client: string, signal: AbortSignal): Promise<void> {
    const message = 'Service Unavailable: too many calls group records of this database, try again later';
    const begun = waitInQueue(this.#waiting, client, { after: this.#waitTimeout, message }, signal);
    if (this.#waiting.size > maxWaiting) newestOfBusiestClient(this.#waiting)?.refuse();
    return begun;
  }
}
