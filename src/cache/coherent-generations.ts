import { randomUUID } from 'node:crypto';
import type { Bus, Join, Message } from './buses/bus.ts';
import type { Generations } from './generations.ts';

/** The generations of this process, kept coherent with those of all others: a bump here has happened everywhere when it resolves. */
export class CoherentGenerations {
  readonly #generations: Generations;
  readonly #invalidatedBy: (resource: string) => readonly string[];
  /** What ends each suspension, those of other processes too. */
  readonly #suspensions = new Map<string, () => void>();
  #bus: Bus | null = null;

  /** @param invalidatedBy the counters that a write to a resource bumps, by what this process knows of the catalogue now */
  constructor(generations: Generations, invalidatedBy: (resource: string) => readonly string[]) {
    this.#generations = generations;
    this.#invalidatedBy = invalidatedBy;
  }

  /** Call before anything is cached. */
  async join(join: Join): Promise<void> {
    this.#bus = await join((message) => this.onMessage(message));
  }

  /** Makes cache entries old, here and in every process. Call after the commit, and answer the write after it has resolved. */
  invalidate(resource: string, invalidates: readonly string[]): Promise<void> {
    return this.#publish({ type: 'written', resource, invalidates });
  }

  /** No process caches anything that a write to this resource touches, from when it resolves until `resumed` has resolved. */
  suspend(resource: string, invalidates: readonly string[], resumed: Promise<void>): Promise<void> {
    const id = randomUUID();
    const suspended = this.#publish({ type: 'suspend', id, resource, invalidates });
    resumed.then(() => this.#publish({ type: 'resume', id }));
    return suspended;
  }

  /** A message of another process. Its catalogue may be older than ours: the counters that ours names are bumped as well. */
  onMessage(message: Message): void {
    switch (message.type) {
      case 'written':
        this.#generations.bump(this.#all(message));
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

  #all({ resource, invalidates }: Extract<Message, { type: 'written' | 'suspend' }>): readonly string[] {
    return [...new Set([...invalidates, ...this.#invalidatedBy(resource)])];
  }

  #publish(message: Message): Promise<void> {
    this.onMessage(message);
    return this.#bus?.publish(message) ?? Promise.resolve();
  }
}
