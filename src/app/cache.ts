import { Generations } from '../cache/generations.ts';
import { Results } from '../cache/results.ts';
import { Store } from '../cache/store.ts';
import { Totals } from '../cache/totals.ts';

/** Cached bodies and totals, and the generation counters that invalidate them. The cache belongs to the process and outlives a `Gateway`. */
export interface Cache {
  readonly store: Store;
  readonly results: Results;
  readonly totals: Totals;
  readonly generations: Generations;
}

/** An empty cache that holds at most `maxBytes`. */
export function openCache(maxBytes: number): Cache {
  const store = new Store(Math.max(1, maxBytes));
  return {
    ...{ store, results: new Results(store), totals: new Totals(store) },
    generations: new Generations(),
  };
}
