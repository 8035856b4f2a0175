import { Freshness } from '../cache/freshness.ts';
import type { Generations } from '../cache/generations.ts';
import type { Settings } from '../config/assemble.ts';
import type { Database } from '../execute/connection/database.ts';
import type { DatabaseSnapshot } from './gateway.ts';

/** The freshness of the entries over each database. It outlives a `Gateway`, as its pool and the generations do. */
export class Proofs {
  readonly #generations: Generations;
  readonly #known = new WeakMap<Database, { readonly by: string; readonly freshness: Freshness }>();

  constructor(generations: Generations) {
    this.#generations = generations;
  }

  /** Null where the database cannot be used, `maxStaleness` is `none`, or its server has no token. */
  of({ databases }: Settings, { name, connected }: DatabaseSnapshot): Freshness | null {
    const maxStaleness = databases.get(name)?.maxStaleness ?? null;
    if (connected === null || connected.token === null || maxStaleness === null) return null;
    const { database, token } = connected;
    const before = this.#known.get(database);
    if (before?.by === token.name) return before.freshness;
    const freshness = new Freshness(`${name} outside`, this.#generations, {
      maxStaleness,
      early: token.early,
      sample: () => database.sample(token),
    });
    this.#known.set(database, { by: token.name, freshness });
    return freshness;
  }
}
