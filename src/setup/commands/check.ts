import type { Settings } from '../assemble.ts';
import { complain, formatComplaint, type Positions } from '../complaints.ts';
import { buildGateway, closePools, openPools } from '../gateway.ts';

/**
 * Holds a configuration against its databases, as `serve` does before it listens.
 * @returns whether it could be served; every complaint and warning is printed, a line each
 */
export async function check(settings: Settings, positions: Positions, print: (line: string) => void): Promise<boolean> {
  const pools = openPools(settings);
  try {
    const gateway = await buildGateway(settings, pools, () => undefined);
    for (const [name, { version }] of gateway.connected) print(`database ${name}: ${version}`);
    for (const name of gateway.unreachable.keys())
      print(
        `error: databases.${name} (${positions.where(['databases', name])}) cannot be reached; its resources are not checked`,
      );
    for (const finding of gateway.complaints) print(`error: ${formatComplaint(complain(finding, positions))}`);
    for (const finding of gateway.warnings) print(`warning: ${formatComplaint(complain(finding, positions))}`);
    const errors = gateway.complaints.length + gateway.unreachable.size;
    print(
      errors === 0
        ? `${settings.resources.size} resources can be served`
        : `${errors} ${errors === 1 ? 'error' : 'errors'}`,
    );
    return errors === 0;
  } finally {
    await closePools(pools);
  }
}
