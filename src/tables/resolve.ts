/** Settings + catalogues → the resources as calls find them. */
import type { Freshness } from '../cache/freshness.ts';
import { type Dependencies, dependenciesOf, type OrderedEffects, unseenBy } from '../cache/invalidation.ts';
import type { ResourceSettings, Settings } from '../config/assemble.ts';
import type { Effects, Relation } from '../model/catalog.ts';

import type { DatabaseSnapshot, Replicas, Resolved, Served } from './served.ts';

type Snapshots = ReadonlyMap<string, DatabaseSnapshot>;

/**
 * Joins each resource with its table, its database and its counters, so that no later step looks them up.
 * @param freshnessOf that of the entries over a database; without it, nothing is cached
 * @param replicasOf the read replicas of a database
 */
export function resolveAll(
  settings: Settings,
  snapshots: Snapshots,
  freshnessOf: (snapshot: DatabaseSnapshot) => Freshness | null = () => null,
  replicasOf: (snapshot: DatabaseSnapshot) => Replicas | null = () => null,
): Pick<Served, 'resources' | 'resource'> {
  const resources = [...settings.resources.values()].map((resource): Resolved => {
    const { name: id, access, database } = resource;
    const snapshot = snapshots.get(database);
    const dependencies = dependenciesIn(settings, snapshots, resource);
    const freshness = snapshot === undefined ? null : freshnessOf(snapshot);
    const replicas = snapshot === undefined ? null : replicasOf(snapshot);
    const isSeen = freshness !== null && snapshot !== undefined && unseen(resource, snapshot, snapshots) === null;
    return {
      id,
      settings: resource,
      access,
      table: snapshot?.tables.get(id) ?? 'unreachable',
      connected: snapshot?.connected ?? null,
      dependencies:
        dependencies === null || freshness === null
          ? dependencies
          : { ...dependencies, dependsOn: [...dependencies.dependsOn, freshness.counter] },
      freshness,
      replicas: replicas !== null && isReplicated(resource, snapshots) ? replicas : null,
      // `check` refuses a ttl beside other gateways that write unnoticed. But a view may have changed since the start, or the server no
      // longer shows a commit marker.
      cacheTtl: settings.cache.otherGateways && !isSeen ? 0 : resource.cache.ttl,
      isSeen,
    };
  });
  const aliases = resources.flatMap((resource) =>
    resource.settings.aliases.map((alias): [string, Resolved] => [alias, resource]),
  );
  const byName = new Map([...aliases, ...resources.map((resource): [string, Resolved] => [resource.id, resource])]);
  return { resources, resource: (name) => byName.get(name) };
}

/** The counters of a resource; null where its database has not been read. */
function dependenciesIn(settings: Settings, snapshots: Snapshots, resource: ResourceSettings): Dependencies | null {
  const effects = effectsOf(snapshots, resource);
  if (effects === null) return null;
  const { invalidates } = resource;
  const narrowed =
    invalidates === 'all' ? null : invalidates.flatMap((other) => relationOf(settings, snapshots, other));
  return dependenciesOf(relation(resource, effects), ofServer(snapshots, effects), narrowed);
}

/**
 * Whether a replica that has the position of its primary shows the same records. After a restart its tables in memory are empty, and others
 * outside InnoDB may lack what had been applied.
 */
function isReplicated(resource: ResourceSettings, snapshots: Snapshots): boolean {
  const effects = effectsOf(snapshots, resource);
  return effects !== null && unseenBy(relation(resource, effects), ofServer(snapshots, effects), false) === null;
}

/** Why commits past the gateway to the tables of a resource are not noticed; null: they are, or nothing is known yet. */
export function unseen(
  resource: ResourceSettings,
  { connected }: DatabaseSnapshot,
  snapshots: Snapshots,
): string | null {
  const effects = effectsOf(snapshots, resource);
  if (effects === null || connected === null) return null;
  const { token } = connected;
  if (token === null) return 'its server shows nothing that changes with every commit';
  return unseenBy(relation(resource, effects), ofServer(snapshots, effects), token.ofAllTables);
}

/** The effects that all connections to the server of a database have read. */
export function effectsOn(snapshots: Snapshots, database: string): readonly OrderedEffects[] {
  const effects = snapshots.get(database)?.effects ?? null;
  return effects === null ? [] : ofServer(snapshots, effects);
}

/** What all connections to one server have read. */
const ofServer = (snapshots: Snapshots, { server }: Effects): readonly OrderedEffects[] =>
  [...snapshots.values()].flatMap(({ effects }) => (effects?.server === server ? [effects] : []));

const effectsOf = (snapshots: Snapshots, { database }: ResourceSettings): Effects | null =>
  snapshots.get(database)?.effects ?? null;

export const relation = ({ schema, table }: ResourceSettings, { database }: Effects): Relation => ({
  database,
  schema,
  name: table,
});

function relationOf(settings: Settings, snapshots: Snapshots, name: string): readonly Relation[] {
  const resource = settings.resources.get(name);
  const effects = resource === undefined ? null : effectsOf(snapshots, resource);
  return resource === undefined || effects === null ? [] : [relation(resource, effects)];
}
