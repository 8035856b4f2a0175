import { readdirSync, readFileSync } from 'node:fs';
import type { ServerDatabase } from '../../support/servers/engines.ts';

/** Linux counts in hundredths of a second for programs. */
const ticksPerSecond = 100;

interface Process {
  readonly parent: number;
  /** Seconds of itself, and of its children that have ended. */
  readonly used: number;
}

/** Null where it has ended, or is not on this machine. */
function processOf(pid: number): Process | null {
  try {
    // The second field is the name in parentheses, which may hold anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number);
    const ticks = fields.slice(11, 15).reduce((sum, one) => sum + one, 0);
    return { parent: fields[1] ?? 0, used: ticks / ticksPerSecond };
  } catch {
    return null;
  }
}

/** Seconds of processor time of a process and its children, also of those that have ended; NaN where there is no such process. Linux only. */
export function processorTime(pid: number | null): number {
  const root = pid === null ? null : processOf(pid);
  if (root === null) return Number.NaN;
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  const children = pids.map(processOf).filter((one) => one?.parent === pid);
  return [root, ...children].reduce((sum, one) => sum + (one?.used ?? 0), 0);
}

/** The first process of a server; null where it is on another machine. */
export async function processIdOf({ client, query }: ServerDatabase): Promise<number | null> {
  const isPostgres = client === 'postgres';
  const [[path] = []] = await query(isPostgres ? 'SHOW data_directory' : 'SELECT @@pid_file');
  try {
    return Number.parseInt(readFileSync(isPostgres ? `${path}/postmaster.pid` : String(path), 'utf8'), 10);
  } catch {
    return null;
  }
}
