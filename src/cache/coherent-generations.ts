import { randomUUID } from 'node:crypto';
import type { Bus, Join, Message, Suspension, Transactions } from './buses/bus.ts';
import type { Generations } from './generations.ts';

/**
 * The generations of this process, kept coherent with those of all others. A bump here has happened everywhere once it
 * resolves.
 */
export class CoherentGenerations {
  readonly #generations: Generations;
  readonly #invalidatedBy: (resource: string) => readonly string[];
  readonly #done: (transactions: Transactions) => void;
  /** The function that ends each suspension, by its id; those of other processes too. */
  readonly #suspensions = new Map<string, () => void>();
  #bus: Bus | null = null;

  /**
   * @param invalidatedBy the counters that a write to a resource bumps, by the current catalogue of this process
   * @param done called when the effects of these transactions are invalidated in this process
   */
  constructor(
    generations: Generations,
    invalidatedBy: (resource: string) => readonly string[],
    done: (transactions: Transactions) => void,
  ) {
    this.#generations = generations;
    this.#invalidatedBy = invalidatedBy;
    this.#done = done;
  }

  /** Call before anything is cached. */
  async join(join: Join): Promise<void> {
    this.#bus = await join((message) => this.onMessage(message));
  }

  /** As `Bus.heard`; null where this is the only process, and before it has joined the others. */
  get heard(): Bus['heard'] | null {
    return this.#bus?.heard ?? null;
  }

  /** Invalidates cache entries in every process. Call after the commit, and answer the write after it has resolved. */
  invalidate(resource: string, invalidates: readonly string[], by: Transactions): Promise<void> {
    return this.#publish({ type: 'written', resource, invalidates, by });
  }

  /**
   * Suspends caching, in every process, of all entries that a write to this resource affects. Starts when the returned promise
   * resolves; ends when `resumed` has resolved.
   */
  suspend(resource: string, invalidates: readonly string[], resumed: Promise<void>): Promise<void> {
    const id = randomUUID();
    const suspended = this.#publish({ type: 'suspend', id, resource, invalidates });
    resumed.then(() => this.#publish({ type: 'resume', id }));
    return suspended;
  }

  /**
   * Handles a message of any process, also of this one. The catalogue of another may be older than ours, so the counters that ours
   * names are bumped too.
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
        this.#generations.forget();
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
