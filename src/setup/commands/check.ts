import type { Settings } from '../assemble.ts';
import { complain, type Finding, formatComplaint, type Positions } from '../complaints.ts';
import { closePools, countersByResource, lookAt, openPools, type View } from '../gateway.ts';
import { codeOf } from './health.ts';

/**
 * Holds a configuration against its databases, as `serve` does before it listens.
 * @returns whether it could be served; every complaint and warning is printed, a line each
 */
export async function check(settings: Settings, positions: Positions, print: (line: string) => void): Promise<boolean> {
  const pools = openPools(settings);
  try {
    const looked = await lookAt(settings, pools);
    const views = [...looked.values()];
    const lost = views.filter((view) => view.connected === null);
    const complaints = views.flatMap((view) => view.complaints);
    for (const { name, connected } of views) if (connected !== null) print(`database ${name}: ${connected.version}`);
    for (const { name, lost: cause } of lost) {
      const where = `databases.${name} (${positions.where(['databases', name])})`;
      print(`error: ${where} cannot be reached (${codeOf(cause)}); its resources are not checked`);
    }
    for (const finding of complaints) print(`error: ${formatComplaint(complain(finding, positions))}`);
    for (const finding of [...views.flatMap((view) => view.warnings), ...unproved(settings, looked)])
      print(`warning: ${formatComplaint(complain(finding, positions))}`);
    const errors = complaints.length + lost.length;
    print(errors === 0 ? `${count(settings.resources.size, 'resource')} can be served` : count(errors, 'error'));
    return errors === 0;
  } finally {
    await closePools(pools);
  }
}

/** Writes that make everything of their server old, because the catalogue does not prove what they change. */
function unproved(settings: Settings, views: ReadonlyMap<string, View>): readonly Finding[] {
  return [...countersByResource(settings, views)].flatMap(([name, { unproved }]) => {
    const { access, invalidates } = settings.resources.get(name) ?? {};
    if (unproved === null || access?.write !== 'token' || invalidates !== 'all') return [];
    const says = `should list what a write changes beside the table itself; now each makes all kept answers of the server old, because ${unproved}`;
    return [{ path: ['resources', name, 'invalidates'], says }];
  });
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;
