import { type Changes, Freshness, type Proof } from '../cache/freshness.ts';
import type { Generations } from '../cache/generations.ts';
import type { Settings } from '../config/assemble.ts';
import type { Database } from '../execute/connection/database.ts';
import type { Relation } from '../model/catalog.ts';
import type { Emit } from '../model/events.ts';
import type { TokenSource } from '../model/token.ts';
import { nameSourceOf } from '../tables/feeds.ts';
import type { DatabaseSnapshot, NameSource } from '../tables/served.ts';
import type { Names } from './log/names.ts';
import { type Changed, OutsideWrites } from './outside-writes.ts';

export interface ProofsOptions {
  readonly generations: Generations;
  readonly emit: Emit;
  readonly names: Names;
  /** Called for a database whose catalogue may have changed. */
  readCatalog(database: string): void;
  /** The tables and views whose definitions the answers over a database depend on. */
  relatedTo(database: string): readonly Relation[];
  /** The counters of all answers over a database that show these tables. `namesCascades`: as in `TokenLog`. */
  countersOf(database: string, tables: readonly Relation[], namesCascades: boolean): readonly string[];
}

/** Milliseconds between two failures of a database that we log: a server may refuse every other connection. */
const failureLogIntervalMs = 60_000;

/** The freshness of the entries over each database. Like pools and generations, it is kept when the `Gateway` is replaced. */
export class Proofs {
  readonly #options: ProofsOptions;
  /** `by`: the name of the database's source of commit markers. */
  readonly #proofs = new WeakMap<Database, { readonly by: string; readonly freshness: Freshness }>();
  readonly #sources = new WeakMap<Database, NameSource | null>();

  constructor(options: ProofsOptions) {
    this.#options = options;
  }

  /**
   * Null if the database cannot be used, `maxStaleness` is `none`, or its server has never shown a commit marker. If a server stops
   * showing it, nothing is proved until it does again: cached answers must not suddenly be as old as their `ttl`.
   */
  of(settings: Settings, snapshot: DatabaseSnapshot): Freshness | null {
    const { name, connected, readAt } = snapshot;
    const maxStaleness = settings.databases.get(name)?.maxStaleness ?? null;
    if (connected === null || maxStaleness === null) return null;
    const { database, token } = connected;
    const before = this.#proofs.get(database);
    const isSameSource = token === null || token.name === before?.by;
    const proof = isSameSource
      ? before
      : { by: token.name, freshness: this.#make(name, database, token, maxStaleness) };
    if (proof === undefined) return null;
    proof.freshness.catalogRead(readAt);
    this.#proofs.set(database, proof);
    this.#sources.set(database, nameSourceOf(settings, snapshot));
    return proof.freshness;
  }

  #make(name: string, database: Database, token: TokenSource, maxStaleness: number): Freshness {
    const { generations, emit, names, readCatalog, countersOf, relatedTo } = this.#options;
    let isFailing = false;
    let warnedAt = Number.NEGATIVE_INFINITY;
    const report = ({ by, milliseconds, cause }: Proof) => {
      emit({ on: 'proved', database: name, by, milliseconds });
      if (by !== 'failed') {
        if (isFailing) emit({ on: 'proved again', database: name });
        isFailing = false;
        // An unreachable server is not reported here: `database lost` has been logged for it.
      } else if (!isFailing && !database.isAway && performance.now() - warnedAt > failureLogIntervalMs) {
        warnedAt = performance.now();
        isFailing = true;
        emit({ on: 'not proved', database: name, cause });
      }
    };
    const onPause = () => emit({ on: 'queries rest', database: name });
    const sourceOf = () => this.#sources.get(database) ?? null;
    const counters = (changed: Changed, source: NameSource | null): Changes => {
      if (changed === 'own') return [];
      return typeof changed === 'string' ? changed : countersOf(name, changed, source?.log.namesCascades ?? false);
    };
    const writes = new OutsideWrites(database, token, names, () => relatedTo(name), onPause);
    return new Freshness(`${name} outside`, generations, {
      maxStaleness,
      early: token.early,
      isLogged: token.log !== null,
      sample: () => database.sampler.sample(token),
      between: async (before, after) => {
        const source = sourceOf();
        return counters(await writes.between(before, after, source), source);
      },
      needsCatalog: () => readCatalog(name),
      report,
    });
  }
}
