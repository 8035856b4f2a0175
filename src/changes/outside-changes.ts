import { countersOfChange, relatedTo } from '../cache/invalidation.ts';
import type { Relation } from '../model/catalog.ts';
import { effectsOnServerOf, relation } from '../tables/resolve.ts';
import type { Served } from '../tables/served.ts';

type Shown = Pick<Served, 'resources' | 'snapshots'>;

/** What we derive from a gateway's catalogue of one database, once per gateway: a catalogue may have thousands of views and keys. */
interface Derived {
  /** The tables and views of the database's resources, their base tables, and all tables that a write to one of them can change. */
  readonly related: readonly Relation[];
  /** Every generation counter (`cache/generations.ts`) on which the database's resources depend. */
  readonly used: ReadonlySet<string>;
  /** Both return the counters to bump after a change: one for logs that name the tables changed by foreign keys, one for other logs. */
  readonly ofNamedTables: ReturnType<typeof countersOfChange>;
  readonly ofTablesAndCascades: ReturnType<typeof countersOfChange>;
  /** The counters of each table, cached. */
  readonly counters: Map<string, readonly string[]>;
}

/** Limit for `counters`: other applications may create and drop tables all the time. */
const maxTables = 10_000;

/** After other clients have changed tables, finds the generation counters to bump, which makes the cached answers stale. */
export class OutsideChanges {
  readonly #byGateway = new WeakMap<Shown, Map<string, Derived>>();

  /** The tables and views on which the answers over a database depend. */
  related(gateway: Shown, database: string): readonly Relation[] {
    return this.#of(gateway, database).related;
  }

  /**
   * The counters of answers that show one of these tables, and always those of answers that may show anything, for example through a
   * function: a transaction in another database of the server, whose tables we can't see, may have changed them. Counters that no
   * resource of this database uses are left out, because each bump makes the cache rebuild all its keys.
   */
  counters(gateway: Shown, database: string, tables: readonly Relation[], namesCascades: boolean): readonly string[] {
    const derived = this.#of(gateway, database);
    const { used, counters } = derived;
    const countersOf = namesCascades ? derived.ofNamedTables : derived.ofTablesAndCascades;
    const unlogged = gateway.snapshots.get(database)?.effects?.unlogged ?? [];
    const ofTables = [...tables, ...unlogged].flatMap((table) => {
      const key = JSON.stringify([table.database, table.schema, table.name]);
      const ofTable = counters.get(key) ?? countersOf([table]).filter((one) => used.has(one));
      if (counters.size < maxTables) counters.set(key, ofTable);
      return ofTable;
    });
    return [...countersOf([]).filter((one) => used.has(one)), ...ofTables];
  }

  #of(gateway: Shown, database: string): Derived {
    const byDatabase = this.#byGateway.get(gateway) ?? new Map<string, Derived>();
    this.#byGateway.set(gateway, byDatabase);
    const derived = byDatabase.get(database) ?? derive(gateway, database);
    byDatabase.set(database, derived);
    return derived;
  }
}

function derive({ resources, snapshots }: Shown, database: string): Derived {
  const mine = resources.filter(({ settings }) => settings.database === database);
  const effects = snapshots.get(database)?.effects ?? null;
  const served = effects === null ? [] : mine.map(({ settings }) => relation(settings, effects));
  const all = effectsOnServerOf(snapshots, database);
  return {
    related: relatedTo(served, all),
    ofNamedTables: countersOfChange(all, true),
    ofTablesAndCascades: countersOfChange(all, false),
    used: new Set(mine.flatMap(({ dependencies }) => dependencies?.dependsOn ?? [])),
    counters: new Map(),
  };
}
