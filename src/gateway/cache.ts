import { Generations } from '../cache/generations.ts';
import { Results } from '../cache/results.ts';
import { Store } from '../cache/store.ts';
import { Totals } from '../cache/totals.ts';

/** Cached bodies and totals, and the counters that invalidate them. The cache belongs to the process and outlives a `Gateway`. */
export interface Cache {
  readonly memory: Store;
  readonly results: Results;
  readonly totals: Totals;
  readonly generations: Generations;
}

/** An empty cache of at most so many bytes. */
export function openCache(maxBytes: number): Cache {
  const memory = new Store(Math.max(1, maxBytes));
  return { memory, results: new Results(memory), totals: new Totals(memory), generations: new Generations() };
}
