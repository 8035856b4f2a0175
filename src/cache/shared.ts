import { randomUUID } from 'node:crypto';
import type { Bus, Join, News } from './buses/bus.ts';
import type { Generations } from './generations.ts';

/**
 * The counters of this process as all processes share them: what a write raises here is raised everywhere before `wrote`
 * resolves.
 */
export class Shared {
  readonly #generations: Generations;
  readonly #known: (resource: string) => readonly string[];
  /** What ends each doubt, of others too. */
  readonly #doubts = new Map<string, () => void>();
  #bus: Bus | null = null;

  /** @param known the counters that a write to a resource raises by what this process knows of the catalogue now */
  constructor(generations: Generations, known: (resource: string) => readonly string[]) {
    this.#generations = generations;
    this.#known = known;
  }

  /** Call before anything is kept. */
  async join(join: Join): Promise<void> {
    this.#bus = await join((news) => this.hear(news));
  }

  /** Makes old what is kept, here and everywhere. Call after the commit, answer after it has resolved. */
  wrote(resource: string, raises: readonly string[]): Promise<void> {
    return this.#tell({ news: 'wrote', resource, raises });
  }

  /** Nothing that a write to this resource touches is kept anywhere from when it resolves until `settled` has resolved. */
  doubt(resource: string, raises: readonly string[], settled: Promise<void>): Promise<void> {
    const id = randomUUID();
    const heard = this.#tell({ news: 'doubt', id, resource, raises });
    settled.then(() => this.#tell({ news: 'settled', id }));
    return heard;
  }

  /** What another process tells. Its catalogue may be older than ours: what ours says is touched is touched, too. */
  hear(news: News): void {
    switch (news.news) {
      case 'wrote':
        this.#generations.raise(this.#all(news));
        return;
      case 'doubt':
        this.#doubts.set(news.id, this.#generations.doubt(this.#all(news)));
        return;
      case 'settled':
        this.#doubts.get(news.id)?.();
        this.#doubts.delete(news.id);
        return;
      case 'forget':
        this.#generations.forget();
    }
  }

  #all({ resource, raises }: { readonly resource: string; readonly raises: readonly string[] }): readonly string[] {
    return [...new Set([...raises, ...this.#known(resource)])];
  }

  #tell(news: News): Promise<void> {
    this.hear(news);
    return this.#bus?.tell(news) ?? Promise.resolve();
  }
}
