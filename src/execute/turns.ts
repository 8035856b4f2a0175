import { crowding, toTheEnd, type Waiting, waitInQueue } from './queue.ts';

/** Pieces of work that wait at most, of all clients together. */
const mostWaiting = 100;

/**
 * Lets so many pieces of work run at once. Others wait. A free place goes to a client that has fewest of them, and each such client
 * has its turn. So a client cannot keep all places by asking again and again.
 */
export class Turns {
  readonly #waitTimeout: number;
  /** The number of places that each client has. */
  readonly #held = new Map<string, number>();
  /** In the order in which they came. What else a client waits for goes to the end when it has its turn. */
  readonly #waiting = new Set<Waiting<void>>();
  #free: number;

  /**
   * @param max pieces of work at once
   * @param waitTimeout milliseconds that one waits at most
   */
  constructor(max: number, waitTimeout: number) {
    this.#free = max;
    this.#waitTimeout = waitTimeout;
  }

  /**
   * Waits for a turn. Call `leave` when the work is over.
   * @param client the name under which all work of a client counts
   * @throws Refusal busy (503) where its turn did not come in time, or too many wait; the reason of `signal`
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
    toTheEnd(this.#waiting, next.client);
  }

  #heldBy(client: string): number {
    return this.#held.get(client) ?? 0;
  }

  /** Resolves when other work has passed its place on. */
  #wait(client: string, signal: AbortSignal): Promise<void> {
    const message = 'Service Unavailable: too many calls group records of this database, try again later';
    const begun = waitInQueue(this.#waiting, client, { after: this.#waitTimeout, message }, signal);
    if (this.#waiting.size > mostWaiting) crowding(this.#waiting)?.refuse();
    return begun;
  }
}
