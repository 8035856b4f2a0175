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
  /** As `TokenLog.inspect` needs them. */
  relatedTo(database: string): readonly Relation[];
  /** The counters of all answers over a database that show these tables. */
  countersOf(database: string, tables: readonly Relation[], namesCascades: boolean): readonly string[];
}

/** Milliseconds between two lines of the log about one database: a server may refuse every other connection. */
const seldom = 60_000;

/** The freshness of the entries over each database. It outlives a `Gateway`, as its pool and the generations do. */
export class Proofs {
  readonly #options: ProofsOptions;
  readonly #known = new WeakMap<Database, { readonly by: string; readonly freshness: Freshness }>();
  readonly #sources = new WeakMap<Database, NameSource | null>();

  constructor(options: ProofsOptions) {
    this.#options = options;
  }

  /**
   * Null where the database cannot be used, `maxStaleness` is `none`, or its server has never had a token. One that has lost it proves
   * nothing until it has one again: its answers do not fall back to the `ttl` while the gateway runs.
   */
  of(settings: Settings, snapshot: DatabaseSnapshot): Freshness | null {
    const { name, connected, readAt } = snapshot;
    const maxStaleness = settings.databases.get(name)?.maxStaleness ?? null;
    if (connected === null || maxStaleness === null) return null;
    const { database, token } = connected;
    const before = this.#known.get(database);
    const isKnown = token === null || token.name === before?.by;
    const known = isKnown ? before : { by: token.name, freshness: this.#make(name, database, token, maxStaleness) };
    if (known === undefined) return null;
    known.freshness.catalogRead(readAt);
    this.#known.set(database, known);
    this.#sources.set(database, nameSourceOf(settings, snapshot));
    return known.freshness;
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
        // A server that is away has a line of its own.
      } else if (!isFailing && !database.isAway && performance.now() - warnedAt > seldom) {
        warnedAt = performance.now();
        isFailing = true;
        emit({ on: 'not proved', database: name, cause });
      }
    };
    const rests = () => emit({ on: 'queries rest', database: name });
    const sourceOf = () => this.#sources.get(database) ?? null;
    const counters = (changed: Changed, source: NameSource | null): Changes => {
      if (changed === 'own') return [];
      return typeof changed === 'string' ? changed : countersOf(name, changed, source?.log.namesCascades ?? false);
    };
    const writes = new OutsideWrites(database, token, names, () => relatedTo(name), rests);
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
