import { countersOfChange, relatedTo } from '../cache/invalidation.ts';
import type { Relation } from '../model/catalog.ts';
import { effectsOn, relation } from '../tables/resolve.ts';
import type { Served } from '../tables/served.ts';

type Shown = Pick<Served, 'resources' | 'snapshots'>;

/** Of the resources over one database, as long as a gateway lasts: catalogues may have thousands of views and keys. */
interface Known {
  /** Its tables and views, the tables whose rows they show, and all that a write to one of those changes. */
  readonly related: readonly Relation[];
  /** Every counter that one of them depends on. */
  readonly used: ReadonlySet<string>;
  /** Where the log names the tables that foreign keys change, and where it does not. */
  readonly named: ReturnType<typeof countersOfChange>;
  readonly followed: ReturnType<typeof countersOfChange>;
  /** By table. */
  readonly counters: Map<string, readonly string[]>;
}

/** Tables without a resource come and go. */
const most = 10_000;

/** What a change of tables past the gateway means for its resources. */
export class OutsideChanges {
  readonly #known = new WeakMap<Shown, Map<string, Known>>();

  related(gateway: Shown, database: string): readonly Relation[] {
    return this.#of(gateway, database).related;
  }

  /**
   * The counters of answers that show one of these tables, or anything: a transaction in another database of the server, which names
   * none, may have changed what a function or a table of the system shows. Only those of resources over this database: a bump of any
   * other would make all keys of the cache anew, for nothing.
   */
  counters(gateway: Shown, database: string, tables: readonly Relation[], namesCascades: boolean): readonly string[] {
    const known = this.#of(gateway, database);
    const { used, counters } = known;
    const countersOf = namesCascades ? known.named : known.followed;
    const unlogged = gateway.snapshots.get(database)?.effects?.unlogged ?? [];
    const named = [...tables, ...unlogged].flatMap((table) => {
      const key = JSON.stringify([table.database, table.schema, table.name]);
      const found = counters.get(key) ?? countersOf([table]).filter((one) => used.has(one));
      if (counters.size < most) counters.set(key, found);
      return found;
    });
    return [...countersOf([]).filter((one) => used.has(one)), ...named];
  }

  #of(gateway: Shown, database: string): Known {
    const all = this.#known.get(gateway) ?? new Map<string, Known>();
    this.#known.set(gateway, all);
    const known = all.get(database) ?? knownOf(gateway, database);
    all.set(database, known);
    return known;
  }
}

function knownOf({ resources, snapshots }: Shown, database: string): Known {
  const mine = resources.filter(({ settings }) => settings.database === database);
  const effects = snapshots.get(database)?.effects ?? null;
  const served = effects === null ? [] : mine.map(({ settings }) => relation(settings, effects));
  const all = effectsOn(snapshots, database);
  return {
    related: relatedTo(served, all),
    named: countersOfChange(all, true),
    followed: countersOfChange(all, false),
    used: new Set(mine.flatMap(({ dependencies }) => dependencies?.dependsOn ?? [])),
    counters: new Map(),
  };
}
