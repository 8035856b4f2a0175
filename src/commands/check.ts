import type { Settings } from '../config/assemble.ts';
import { complain, complaintLines, type Finding, formatComplaint, type Positions } from '../config/complaints.ts';
import type { Resolved } from '../gateway/gateway.ts';
import { closePools, openPools } from '../gateway/pools.ts';
import { resolveAll } from '../gateway/resolve.ts';
import { readDatabases } from '../gateway/snapshot.ts';

/**
 * Checks a configuration against its databases, as `serve` does before it listens.
 * @returns whether it could be served; every complaint and warning is printed, a line each
 */
export async function check(settings: Settings, positions: Positions, print: (line: string) => void): Promise<boolean> {
  const pools = openPools(settings);
  try {
    const snapshots = await readDatabases(settings, pools);
    const views = [...snapshots.values()];
    const lost = views.filter((view) => view.connected === null);
    for (const { name, connected } of views) if (connected !== null) print(`database ${name}: ${connected.version}`);
    for (const { name, connectError: reason } of lost) {
      const says = `cannot be used: ${reason?.why}; its resources are not checked`;
      print(`error: ${formatComplaint(complain({ path: ['databases', name], says }, positions))}`);
    }
    const complaints = views.flatMap((view) => complaintLines([...view.complaints, ...view.denials], positions));
    const doubtful = unproved(resolveAll(settings, snapshots).resources);
    const warnings = views.flatMap((view) => {
      const own = doubtful.filter(({ database }) => database === view.name);
      return complaintLines([...view.warnings, ...own], positions);
    });
    for (const line of complaints) print(`error: ${line}`);
    for (const line of warnings) print(`warning: ${line}`);
    const errors = complaints.length + lost.length;
    print(errors === 0 ? `${count(settings.resources.size, 'resource')} can be served` : count(errors, 'error'));
    return errors === 0;
  } finally {
    await closePools(pools);
  }
}

/** Writes that invalidate all entries of their server, because the catalogue does not prove which tables they change. */
function unproved(resources: readonly Resolved[]): readonly (Finding & { readonly database: string })[] {
  return resources.flatMap(({ id, access, settings, dependencies }) => {
    const why = dependencies?.unproved ?? null;
    if (why === null || access.write !== 'token' || settings.invalidates !== 'all') return [];
    const says = `should list what a write changes beside the table itself; now each makes all kept answers of the server old, because ${why}`;
    return [{ path: ['resources', id, 'invalidates'], says, database: settings.database }];
  });
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;
