import type { CoherentGenerations } from '../cache/coherent-generations.ts';
import type { Settings } from '../config/assemble.ts';
import { waitForMaxStaleness } from '../tables/other-gateways.ts';
import type { DatabaseSnapshot, Resolved } from '../tables/served.ts';
import type { Gateway } from './gateway.ts';

/** The effects of a gateway's writes on the caches of all processes. */
export function writeEffects(
  generations: CoherentGenerations,
  settings: Settings,
  snapshots: ReadonlyMap<string, DatabaseSnapshot>,
): Pick<Gateway, 'invalidate' | 'suspend'> {
  const affected = ({ dependencies }: Resolved) => dependencies?.invalidates ?? [];
  const serverOf = ({ settings: { database } }: Resolved) => snapshots.get(database)?.effects?.server ?? '';
  return {
    invalidate: async (resource, transactions) => {
      const committedAt = performance.now();
      const ended = { server: serverOf(resource), transactions };
      await generations.invalidate(resource.id, affected(resource), ended);
      await waitForMaxStaleness(settings, resource, committedAt);
    },
    suspend: (resource, settled) => generations.suspend(resource.id, affected(resource), settled),
  };
}
