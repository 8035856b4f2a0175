/** `cache.otherGateways`: several gateways serve the same databases, and no later answer of any of them lacks a write. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Settings } from '../config/assemble.ts';
import type { Finding } from '../config/complaints.ts';
import { unseen } from './resolve.ts';
import type { DatabaseSnapshot, Resolved } from './served.ts';

/**
 * Waits until every gateway has to prove its cached answers by a token from after a commit. No gateway has to be reached for that,
 * and one that cannot reach the database proves nothing.
 * @param committed by `performance.now()`, at or after the commit
 */
export async function untilProofsAreLater(
  { cache, databases }: Settings,
  { settings }: Resolved,
  committed: number,
): Promise<void> {
  const maxStaleness = databases.get(settings.database)?.maxStaleness ?? 0;
  if (!cache.otherGateways) return;
  // A timer may fire a moment early.
  for (let left = maxStaleness; left > 0; left = committed + maxStaleness - performance.now())
    await sleep(Math.ceil(left));
}

/** Cached resources whose writes the other gateways would not notice. */
export function unshared(settings: Settings, snapshots: ReadonlyMap<string, DatabaseSnapshot>): readonly Finding[] {
  const { cache, databases, resources } = settings;
  if (!cache.otherGateways) return [];
  return [...resources.values()].flatMap((resource): readonly Finding[] => {
    const { name, database, cache: own } = resource;
    const snapshot = snapshots.get(database);
    if (own.ttl === 0 || snapshot === undefined || snapshot.connected === null) return [];
    const isAsked = (databases.get(database)?.maxStaleness ?? null) !== null;
    const why = isAsked ? unseen(resource, snapshot, snapshots) : `databases.${database}.maxStaleness is none`;
    if (why === null) return [];
    const says = `must be 0 with cache.otherGateways, because other gateways would not notice what this one writes: ${why}`;
    return [{ path: ['resources', name, 'cache', 'ttl'], says }];
  });
}
