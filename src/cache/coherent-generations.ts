import { randomUUID } from 'node:crypto';
import type { Bus, Join, Message, Suspension, WriteTransactions } from './buses/bus.ts';
import type { Generations } from './generations.ts';

/**
 * Keeps the generations of this process in step with the other worker processes. Once `invalidate` resolves, the bump has happened
 * in all of them.
 */
export class CoherentGenerations {
  readonly #generations: Generations;
  readonly #invalidatedBy: (resource: string) => readonly string[];
  readonly #done: (transactions: WriteTransactions) => void;
  /** The functions that end the open suspensions, by suspension id. Suspensions of other processes are included. */
  readonly #suspensions = new Map<string, () => void>();
  #bus: Bus | null = null;

  /**
   * @param invalidatedBy the counters that a write to a resource bumps, according to the current catalogue of this process
   * @param done called when this process has invalidated everything that these transactions changed
   */
  constructor(
    generations: Generations,
    invalidatedBy: (resource: string) => readonly string[],
    done: (transactions: WriteTransactions) => void,
  ) {
    this.#generations = generations;
    this.#invalidatedBy = invalidatedBy;
    this.#done = done;
  }

  /** Call before anything is cached. */
  async join(join: Join): Promise<void> {
    this.#bus = await join((message) => this.onMessage(message));
  }

  /** See `Bus.synced`. Null if this is the only process, or has not joined the bus yet. */
  get synced(): Bus['synced'] | null {
    return this.#bus?.synced ?? null;
  }

  /** Invalidates cache entries in every process. Call it after the commit, and await it before answering the write. */
  invalidate(resource: string, invalidates: readonly string[], by: WriteTransactions): Promise<void> {
    return this.#publish({ type: 'written', resource, invalidates, by });
  }

  /**
   * Suspends caching of all entries that a write to this resource affects, in every process: from when the returned promise resolves
   * until `resumed` resolves.
   */
  suspend(resource: string, invalidates: readonly string[], resumed: Promise<void>): Promise<void> {
    const id = randomUUID();
    const suspended = this.#publish({ type: 'suspend', id, resource, invalidates });
    resumed.then(() => this.#publish({ type: 'resume', id }));
    return suspended;
  }

  /**
   * Handles a message from any process, including this one. The sender's catalogue may be older than ours, so we also bump the counters
   * that our catalogue names.
   */
  onMessage(message: Message): void {
    switch (message.type) {
      case 'written':
        this.#generations.bump(this.#all(message));
        this.#done(message.by);
        return;
      case 'suspend':
        this.#suspensions.set(message.id, this.#generations.suspend(this.#all(message)));
        return;
      case 'resume':
        this.#suspensions.get(message.id)?.();
        this.#suspensions.delete(message.id);
        return;
      case 'forget':
        this.#generations.invalidateAll();
    }
  }

  #all({ resource, invalidates }: Pick<Suspension, 'resource' | 'invalidates'>): readonly string[] {
    return [...new Set([...invalidates, ...this.#invalidatedBy(resource)])];
  }

  #publish(message: Message): Promise<void> {
    this.onMessage(message);
    return this.#bus?.publish(message) ?? Promise.resolve();
  }
}
