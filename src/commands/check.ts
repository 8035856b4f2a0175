import type { Settings } from '../config/assemble.ts';
import { complain, complaintLines, type Finding, formatComplaint, type Positions } from '../config/complaints.ts';
import { closePools, type DatabaseSnapshot, dependenciesByResource, lookAt, openPools } from '../gateway/build.ts';

/**
 * Checks a configuration against its databases, as `serve` does before it listens.
 * @returns whether it could be served; every complaint and warning is printed, a line each
 */
export async function check(settings: Settings, positions: Positions, print: (line: string) => void): Promise<boolean> {
  const pools = openPools(settings);
  try {
    const looked = await lookAt(settings, pools);
    const views = [...looked.values()];
    const lost = views.filter((view) => view.connected === null);
    for (const { name, connected } of views) if (connected !== null) print(`database ${name}: ${connected.version}`);
    for (const { name, connectError: reason } of lost) {
      const says = `cannot be used: ${reason?.why}; its resources are not checked`;
      print(`error: ${formatComplaint(complain({ path: ['databases', name], says }, positions))}`);
    }
    const complaints = views.flatMap((view) => complaintLines([...view.complaints, ...view.denials], positions));
    const doubtful = unproved(settings, looked);
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
function unproved(
  settings: Settings,
  views: ReadonlyMap<string, DatabaseSnapshot>,
): readonly (Finding & { readonly database: string })[] {
  return [...dependenciesByResource(settings, views)].flatMap(([name, { unproved }]) => {
    const resource = settings.resources.get(name);
    if (unproved === null || resource?.access.write !== 'token' || resource.invalidates !== 'all') return [];
    const says = `should list what a write changes beside the table itself; now each makes all kept answers of the server old, because ${unproved}`;
    return [{ path: ['resources', name, 'invalidates'], says, database: resource.database }];
  });
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;
