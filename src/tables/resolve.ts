/** Settings + catalogues → the resources as calls find them. */
import type { Freshness } from '../cache/freshness.ts';
import { type Dependencies, dependenciesOf, type IndexedEffects, whyUnseen } from '../cache/invalidation.ts';
import type { ResourceSettings, Settings } from '../config/assemble.ts';
import type { Effects, Relation } from '../model/catalog.ts';
import { datasetsOf } from './datasets.ts';
import { readReferences } from './references.ts';
import { RowRules } from './row-rules.ts';
import type { DatabaseSnapshot, Replicas, Resolved, Served } from './served.ts';

type Snapshots = ReadonlyMap<string, DatabaseSnapshot>;

/**
 * Joins each resource with its table, its database and its generation counters, so that no later step has to look them up.
 * @param freshnessOf returns what proves that cached answers over a database are fresh
 * @param replicasOf returns the read replicas of a database
 */
export function resolveAll(
  settings: Settings,
  snapshots: Snapshots,
  freshnessOf: (snapshot: DatabaseSnapshot) => Freshness | null = () => null,
  replicasOf: (snapshot: DatabaseSnapshot) => Replicas | null = () => null,
): Pick<Served, 'resources' | 'byName' | 'datasets'> {
  const referencesOf = readReferences(settings, snapshots);
  const resources = [...settings.resources.values()].map((resource): Resolved => {
    const { name: id, access, database } = resource;
    const snapshot = snapshots.get(database);
    const table = snapshot?.tables.get(id) ?? 'unreachable';
    const dependencies = dependenciesIn(settings, snapshots, resource);
    const freshness = snapshot === undefined ? null : freshnessOf(snapshot);
    const replicas = snapshot === undefined ? null : replicasOf(snapshot);
    const noticesAllWrites =
      freshness !== null && snapshot !== undefined && whyUnnoticed(resource, snapshot, snapshots) === null;
    return {
      id,
      settings: resource,
      access,
      table,
      ...referencesOf(id),
      rows: new RowRules(resource, typeof table === 'string' ? null : table),
      connected: snapshot?.connected ?? null,
      dependencies:
        dependencies === null || freshness === null
          ? dependencies
          : { ...dependencies, dependsOn: [...dependencies.dependsOn, freshness.counter] },
      freshness,
      replicas: replicas !== null && isReplicated(resource, snapshots) ? replicas : null,
      // At the start we refuse a ttl if we would not notice other gateways' writes. A view may change later, or the server may stop showing
      // its commit marker: then we don't cache.
      cacheTtl: settings.cache.otherGateways && !noticesAllWrites ? 0 : resource.cache.ttl,
      noticesAllWrites,
    };
  });
  const named = (namesOf: (resource: Resolved) => readonly string[]) =>
    resources.flatMap((resource) => namesOf(resource).map((name): [string, Resolved] => [name, resource]));
  const byName = new Map([
    ...named(({ settings }) => [settings.identity.uuid]),
    ...named(({ settings }) => settings.aliases),
    ...named(({ id }) => [id]),
  ]);
  return { resources, byName, datasets: datasetsOf(settings, resources) };
}

/** A resource's generation counters; null if its database has not been read. */
function dependenciesIn(settings: Settings, snapshots: Snapshots, resource: ResourceSettings): Dependencies | null {
  const effects = effectsOf(snapshots, resource);
  if (effects === null) return null;
  const { invalidates } = resource;
  const narrowed =
    invalidates === 'all' ? null : invalidates.flatMap((other) => relationOf(settings, snapshots, other));
  return dependenciesOf(relation(resource, effects), ofServer(snapshots, effects), narrowed);
}

/**
 * Whether a replica that has reached its primary's log position shows the same records. Tables outside InnoDB may differ: after the replica
 * restarts, in-memory tables are empty, and others may lack changes that had been applied.
 */
function isReplicated(resource: ResourceSettings, snapshots: Snapshots): boolean {
  const effects = effectsOf(snapshots, resource);
  return effects !== null && whyUnseen(relation(resource, effects), ofServer(snapshots, effects), false) === null;
}

/** Why we can't notice other clients' commits to a resource's tables; null if we can, or if its database has not been read yet. */
export function whyUnnoticed(
  resource: ResourceSettings,
  { connected }: DatabaseSnapshot,
  snapshots: Snapshots,
): string | null {
  const effects = effectsOf(snapshots, resource);
  if (effects === null || connected === null) return null;
  const { commitMarker } = connected;
  if (commitMarker === null) return 'its server shows nothing that changes with every commit';
  return whyUnseen(relation(resource, effects), ofServer(snapshots, effects), commitMarker.coversAllStorageEngines);
}

/** The effects of writes in all configured databases that are on the same server as this one. */
export function effectsOnServerOf(snapshots: Snapshots, database: string): readonly IndexedEffects[] {
  const effects = snapshots.get(database)?.effects ?? null;
  return effects === null ? [] : ofServer(snapshots, effects);
}

/** The effects of writes in all configured databases of a server. */
const ofServer = (snapshots: Snapshots, { server }: Effects): readonly IndexedEffects[] =>
  [...snapshots.values()].flatMap(({ effects }) => (effects?.server === server ? [effects] : []));

const effectsOf = (snapshots: Snapshots, { database }: ResourceSettings): Effects | null =>
  snapshots.get(database)?.effects ?? null;

/** A resource's table name, together with its database. */
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
