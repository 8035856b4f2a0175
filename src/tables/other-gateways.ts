/** `cache.otherGateways`: several gateways serve the same databases. Once a write is answered, none of them serves data from before it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Settings } from '../config/assemble.ts';
import type { Finding } from '../config/complaints.ts';
import { whyUnnoticed } from './resolve.ts';
import type { DatabaseSnapshot, Resolved } from './served.ts';

/**
 * Waits for `maxStaleness` after a commit. From then on, a gateway serves cached answers only if it has read a commit marker from after the
 * commit. So the gateways need not know about one another.
 * @param committedAt by `performance.now()`, at or after the commit
 */
export async function waitForMaxStaleness(
  { cache, databases }: Settings,
  { settings }: Resolved,
  committedAt: number,
): Promise<void> {
  const maxStaleness = databases.get(settings.database)?.maxStaleness ?? 0;
  if (!cache.otherGateways) return;
  // A timer may fire a moment early, so check the clock again.
  for (let waitMs = maxStaleness; waitMs > 0; waitMs = committedAt + maxStaleness - performance.now())
    await sleep(Math.ceil(waitMs));
}

/** Complains about cached resources if other gateways would not notice writes to them. */
export function complaintsOfUnsharedCaches(
  settings: Settings,
  snapshots: ReadonlyMap<string, DatabaseSnapshot>,
): readonly Finding[] {
  const { cache, databases, resources } = settings;
  if (!cache.otherGateways) return [];
  return [...resources.values()].flatMap((resource): readonly Finding[] => {
    const { name, database, cache: cacheSettings } = resource;
    const snapshot = snapshots.get(database);
    if (cacheSettings.ttl === 0 || snapshot === undefined || snapshot.connected === null) return [];
    const hasMaxStaleness = (databases.get(database)?.maxStaleness ?? null) !== null;
    const why = hasMaxStaleness
      ? whyUnnoticed(resource, snapshot, snapshots)
      : `databases.${database}.maxStaleness is none`;
    if (why === null) return [];
    const says = `must be 0 with cache.otherGateways, because other gateways would not notice what this one writes: ${why}`;
    return [{ path: ['resources', name, 'cache', 'ttl'], says }];
  });
}
