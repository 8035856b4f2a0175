/** A network of its own for a process, connected with ours by one cable that a test can pull. */
import { execFileSync } from 'node:child_process';
import { find, thisMachine } from './servers/programs.ts';

export interface Network {
  /** Our address, as seen from inside, and the address inside. */
  readonly outside: string;
  readonly inside: string;
  /** The beginning of a command that runs there. */
  readonly command: readonly string[];
  /** Loses everything that is sent, both ways. */
  pull(): void;
  plug(): void;
  close(): void;
}

/** Null where this user, or this container, may make none. @param nth up to 60 of one process */
export function openNetwork(nth: number): Network | null {
  const ip = find('ip', thisMachine());
  if (ip === null) return null;
  const run = (...args: readonly string[]) => void execFileSync(ip, args, { stdio: 'ignore' });
  const name = `gateway-${process.pid}-${nth}`;
  const cable = `gw${process.pid}-${nth}`;
  // Addresses for benchmarks of networks (RFC 2544): four for each.
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
