import type { Settings } from '../assemble.ts';
import { complain, formatComplaint, type Positions } from '../complaints.ts';
import { closePools, lookAt, openPools } from '../gateway.ts';

/**
 * Holds a configuration against its databases, as `serve` does before it listens.
 * @returns whether it could be served; every complaint and warning is printed, a line each
 */
export async function check(settings: Settings, positions: Positions, print: (line: string) => void): Promise<boolean> {
  const pools = openPools(settings);
  try {
    const views = [...(await lookAt(settings, pools)).values()];
    const lost = views.filter((view) => view.connected === null);
    const complaints = views.flatMap((view) => view.complaints);
    for (const { name, connected } of views) if (connected !== null) print(`database ${name}: ${connected.version}`);
    for (const { name } of lost) {
      print(
        `error: databases.${name} (${positions.where(['databases', name])}) cannot be reached; its resources are not checked`,
      );
    }
    for (const finding of complaints) print(`error: ${formatComplaint(complain(finding, positions))}`);
    for (const finding of views.flatMap((view) => view.warnings))
      print(`warning: ${formatComplaint(complain(finding, positions))}`);
    const errors = complaints.length + lost.length;
    print(errors === 0 ? `${count(settings.resources.size, 'resource')} can be served` : count(errors, 'error'));
    return errors === 0;
  } finally {
    await closePools(pools);
  }
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;
