import { countersOfChange } from '../cache/invalidation.ts';
import type { Relation } from '../model/catalog.ts';
import type { Gateway } from './gateway.ts';
import { effectsOn } from './resolve.ts';

/** Tables that others have changed → the counters of the answers that show them. */
export class OutsideChanges {
  /** By gateway, database and table: catalogues may have thousands of views and keys. */
  readonly #known = new WeakMap<Gateway, Map<string, readonly string[]>>();

  /** Counters of resources over this database only: a bump of any other would make all keys of the cache anew, for nothing. */
  counters(gateway: Gateway, database: string, tables: readonly Relation[], namesCascades: boolean): readonly string[] {
    const known = this.#known.get(gateway) ?? new Map<string, readonly string[]>();
    this.#known.set(gateway, known);
    const unlogged = gateway.snapshots.get(database)?.effects?.unlogged ?? [];
    return [...tables, ...unlogged].flatMap((table) => {
      const key = JSON.stringify([database, table.database, table.schema, table.name]);
      const counters = known.get(key) ?? countersOf(gateway, database, table, namesCascades);
      if (known.size < most) known.set(key, counters);
      return counters;
    });
  }
}

/** Tables without a resource come and go. */
const most = 10_000;

function countersOf(gateway: Gateway, database: string, table: Relation, namesCascades: boolean): readonly string[] {
  const used = new Set(
    gateway.resources.flatMap(({ settings, dependencies }) =>
      settings.database === database ? (dependencies?.dependsOn ?? []) : [],
    ),
  );
  const effects = effectsOn(gateway.snapshots, database);
  return countersOfChange([table], effects, namesCascades).filter((counter) => used.has(counter));
}
