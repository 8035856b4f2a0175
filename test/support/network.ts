/** A separate network namespace for a process, linked to ours by a virtual cable that a test can pull. */
import { execFileSync } from 'node:child_process';
import { find, thisMachine } from './servers/programs.ts';

export interface Network {
  /** Our address as seen from inside, and the address inside. */
  readonly outside: string;
  readonly inside: string;
  /** The prefix of a command that runs inside. */
  readonly command: readonly string[];
  /** Drops all packets in both directions. */
  pull(): void;
  plug(): void;
  close(): void;
}

/** Null if this user or container may not create network namespaces. @param nth from 0 to 60, different for each network of a process */
export function openNetwork(nth: number): Network | null {
  const ip = find('ip', thisMachine());
  if (ip === null) return null;
  const run = (...args: readonly string[]) => void execFileSync(ip, args, { stdio: 'ignore' });
  const name = `gateway-${process.pid}-${nth}`;
  const cable = `gw${process.pid}-${nth}`;
  // From the address range for network benchmarks (RFC 2544), four addresses for each network.
  const net = `198.${18 + ((process.pid >> 8) % 2)}.${process.pid % 256}`;
  const [outside, inside] = [`${net}.${4 * nth + 1}`, `${net}.${4 * nth + 2}`];
  const close = () => run('netns', 'delete', name);
  try {
    run('netns', 'add', name);
  } catch {
    return null;
  }
  try {
    run('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'cable', 'netns', name);
    run('address', 'add', `${outside}/30`, 'dev', cable);
    run('link', 'set', cable, 'up');
    run('-n', name, 'address', 'add', `${inside}/30`, 'dev', 'cable');
    for (const device of ['lo', 'cable']) run('-n', name, 'link', 'set', device, 'up');
  } catch {
    close();
    return null;
  }
  return {
    ...{ outside, inside, command: [ip, 'netns', 'exec', name], close },
    pull: () => run('-n', name, 'link', 'set', 'cable', 'down'),
    plug: () => run('-n', name, 'link', 'set', 'cable', 'up'),
  };
}
