import { type Changes, Freshness, type Proof } from '../cache/freshness.ts';
import type { Generations } from '../cache/generations.ts';
import type { Settings } from '../config/assemble.ts';
import type { Database } from '../execute/connection/database.ts';
import type { Relation } from '../model/catalog.ts';
import type { CommitMarkerSource } from '../model/commit-marker.ts';
import type { Emit } from '../model/events.ts';
import { nameSourceOf } from '../tables/feeds.ts';
import type { DatabaseSnapshot, TableNameSource } from '../tables/served.ts';
import type { ChangeFeed } from './log/names.ts';
import { type OutsideChange, OutsideWrites } from './outside-writes.ts';

export interface ProofsOptions {
  readonly generations: Generations;
  readonly emit: Emit;
  readonly names: ChangeFeed;
  /** Called for a database whose catalogue may have changed. */
  readCatalog(database: string): void;
  /** The tables and views whose definitions matter to answers over this database. */
  relatedTo(database: string): readonly Relation[];
  /** The generation counters of all answers over a database that show one of these tables. `namesCascades`: as in `CommitMarkerLog`. */
  countersOf(database: string, tables: readonly Relation[], namesCascades: boolean): readonly string[];
}

/** A server may refuse every other connection, so we log a database's failures at most once in this many milliseconds. */
const failureLogIntervalMs = 60_000;

/** Keeps track of how fresh each database's cache entries are. It lives on when the `Gateway` is replaced, like pools and generations. */
export class Proofs {
  readonly #options: ProofsOptions;
  /** `by`: the name of the database's source of commit markers. */
  readonly #proofs = new WeakMap<Database, { readonly by: string; readonly freshness: Freshness }>();
  readonly #sources = new WeakMap<Database, TableNameSource | null>();

  constructor(options: ProofsOptions) {
    this.#options = options;
  }

  /**
   * Null if the database cannot be used, `maxStaleness` is `none`, or its server has never shown a commit marker. While a server no longer
   * shows it, no entry counts as fresh: cached answers must not suddenly get as old as their `ttl`.
   */
  of(settings: Settings, snapshot: DatabaseSnapshot): Freshness | null {
    const { name, connected, readAt } = snapshot;
    const maxStaleness = settings.databases.get(name)?.maxStaleness ?? null;
    if (connected === null || maxStaleness === null) return null;
    const { database, commitMarker } = connected;
    const before = this.#proofs.get(database);
    const isSameSource = commitMarker === null || commitMarker.name === before?.by;
    const proof = isSameSource
      ? before
      : { by: commitMarker.name, freshness: this.#make(name, database, commitMarker, maxStaleness) };
    if (proof === undefined) return null;
    proof.freshness.onCatalogRead(readAt);
    this.#proofs.set(database, proof);
    this.#sources.set(database, nameSourceOf(settings, snapshot));
    return proof.freshness;
  }

  #make(name: string, database: Database, source: CommitMarkerSource, maxStaleness: number): Freshness {
    const { generations, emit, names, readCatalog, countersOf, relatedTo } = this.#options;
    let isFailing = false;
    let warnedAt = Number.NEGATIVE_INFINITY;
    const report = ({ by, milliseconds, cause }: Proof) => {
      emit({ on: 'proved', database: name, by, milliseconds });
      if (by !== 'failed') {
        if (isFailing) emit({ on: 'proved again', database: name });
        isFailing = false;
        // Don't report an unreachable server here: `database lost` is already in the log.
      } else if (!isFailing && !database.isAway && performance.now() - warnedAt > failureLogIntervalMs) {
        warnedAt = performance.now();
        isFailing = true;
        emit({ on: 'not proved', database: name, cause });
      }
    };
    const onPause = () => emit({ on: 'queries rest', database: name });
    const sourceOf = () => this.#sources.get(database) ?? null;
    const counters = (changed: OutsideChange, source: TableNameSource | null): Changes => {
      if (changed === 'own') return [];
      return typeof changed === 'string' ? changed : countersOf(name, changed, source?.log.namesCascades ?? false);
    };
    const writes = new OutsideWrites(database, source, names, () => relatedTo(name), onPause);
    return new Freshness(`${name} outside`, generations, {
      maxStaleness,
      visibilityDelayMs: source.maxEarlyMs,
      marksOpenTransactions: source.log !== null,
      sampleMarker: () => database.sampler.sample(source),
      changesBetween: async (before, after) => {
        const source = sourceOf();
        return counters(await writes.between(before, after, source), source);
      },
      needsCatalog: () => readCatalog(name),
      report,
    });
  }
}
