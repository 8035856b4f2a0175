import { type Changes, Freshness, type Proof } from '../cache/freshness.ts';
import type { Generations } from '../cache/generations.ts';
import type { Settings } from '../config/assemble.ts';
import type { Database } from '../execute/connection/database.ts';
import type { Emit } from '../model/events.ts';
import type { TokenSource } from '../model/token.ts';
import type { DatabaseSnapshot } from './gateway.ts';

/** Milliseconds between two lines of the log about one database: a server may refuse every other connection. */
const seldom = 60_000;

/** The freshness of the entries over each database. It outlives a `Gateway`, as its pool and the generations do. */
export class Proofs {
  readonly #generations: Generations;
  readonly #emit: Emit;
  readonly #readCatalog: (database: string) => void;
  readonly #known = new WeakMap<Database, { readonly by: string; readonly freshness: Freshness }>();

  /** @param readCatalog called for a database whose catalogue may have changed */
  constructor(generations: Generations, emit: Emit, readCatalog: (database: string) => void) {
    this.#generations = generations;
    this.#emit = emit;
    this.#readCatalog = readCatalog;
  }

  /** Null where the database cannot be used, `maxStaleness` is `none`, or its server has no token. */
  of({ databases }: Settings, { name, connected, readAt }: DatabaseSnapshot): Freshness | null {
    const maxStaleness = databases.get(name)?.maxStaleness ?? null;
    if (connected === null || connected.token === null || maxStaleness === null) return null;
    const { database, token } = connected;
    const before = this.#known.get(database);
    const freshness = before?.by === token.name ? before.freshness : this.#make(name, database, token, maxStaleness);
    freshness.catalogRead(readAt);
    this.#known.set(database, { by: token.name, freshness });
    return freshness;
  }

  #make(name: string, database: Database, token: TokenSource, maxStaleness: number): Freshness {
    let isFailing = false;
    let warnedAt = Number.NEGATIVE_INFINITY;
    const report = ({ by, milliseconds, cause }: Proof) => {
      this.#emit({ on: 'proved', database: name, by, milliseconds });
      if (by !== 'failed') {
        if (isFailing) this.#emit({ on: 'proved again', database: name });
        isFailing = false;
        // A server that is away has a line of its own.
      } else if (!isFailing && !database.isAway && performance.now() - warnedAt > seldom) {
        warnedAt = performance.now();
        isFailing = true;
        this.#emit({ on: 'not proved', database: name, cause });
      }
    };
    return new Freshness(`${name} outside`, this.#generations, {
      maxStaleness,
      early: token.early,
      sample: () => database.sample(token),
      between: (before, after) => changesOf(database, before === null ? null : token.ended(before, after)),
      needsCatalog: () => this.#readCatalog(name),
      report,
    });
  }
}

/** What these transactions have changed beside that which the gateway has invalidated; null: they are not known. */
function changesOf({ own }: Database, ended: readonly string[] | null): Changes {
  if (ended === null) {
    // The server may have started anew, with the same numbers.
    own.clear();
    return 'anything';
  }
  const judged = own.judge(ended);
  if (judged === 'pending') return judged;
  own.forget(ended);
  return judged === 'ours' ? [] : 'anything';
}
