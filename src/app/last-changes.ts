import type { Generations } from '../cache/generations.ts';
import { CacheHandle } from '../cache/handle.ts';
import { datedOf } from '../metadata/dated.ts';
import type { Dataset, DatedDataset, Extremes } from '../model/metadata.ts';
import type { Resolved } from '../tables/served.ts';

interface Body {
  readonly body: string | Uint8Array;
}

/** Keeps a search of thousands of datasets from parsing and dating each of them again. What is fresh, the cache decides. */
export class LastChanges {
  readonly #version: number;
  readonly #generations: Generations;
  readonly #handles = new WeakMap<Resolved, CacheHandle>();
  readonly #parsed = new WeakMap<Body, Extremes>();
  /** Each dataset as it was dated last, and by which extremes. */
  readonly #dated = new WeakMap<
    Dataset,
    { readonly by: readonly (Extremes | undefined)[]; readonly dated: DatedDataset }
  >();

  constructor(version: number, generations: Generations) {
    this.#version = version;
    this.#generations = generations;
  }

  /** The cache handle of a resource's extremes; null while its database has not been read. */
  handleOf(resource: Resolved): CacheHandle | null {
    const known = this.#handles.get(resource);
    const reads = resource.dependencies?.dependsOn;
    if (known !== undefined || reads === undefined) return known ?? null;
    const name = `extremes-${this.#version}-${encodeURIComponent(resource.id)}`;
    const handle = new CacheHandle(name, reads, resource.cacheTtl, resource.freshness, this.#generations);
    this.#handles.set(resource, handle);
    return handle;
  }

  /** The extremes in a cache entry. The same entry gives the same object. */
  extremesIn(entry: Body): Extremes {
    const known = this.#parsed.get(entry);
    if (known !== undefined) return known;
    const extremes: Extremes = JSON.parse(Buffer.from(entry.body).toString());
    this.#parsed.set(entry, extremes);
    return extremes;
  }

  /** The dataset with its times, see `datedOf` in `metadata/dated.ts`. */
  datedOf(dataset: Dataset, extremes: ReadonlyMap<string, Extremes>, changedAt: string): DatedDataset {
    const by = dataset.tables.map(({ id }) => extremes.get(id));
    const last = this.#dated.get(dataset);
    if (last?.by.every((one, at) => one === by[at])) return last.dated;
    const dated = datedOf(dataset, (id) => extremes.get(id), changedAt);
    this.#dated.set(dataset, { by, dated });
    return dated;
  }
}
