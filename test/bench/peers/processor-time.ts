import { readdirSync, readFileSync } from 'node:fs';
import type { ServerDatabase } from '../../support/servers/engines.ts';

/** Linux reports CPU time to programs in hundredths of a second. */
const ticksPerSecond = 100;

interface Process {
  readonly parent: number;
  /** CPU seconds of the process and of its children that have ended. */
  readonly used: number;
}

/** Null if it has ended, or is not on this machine. */
function processOf(pid: number): Process | null {
  try {
    // The second field is the name in parentheses, which may contain anything.
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

/** CPU seconds of a process and its children, including those that have ended; NaN if there is no such process. Linux only. */
export function processorTime(pid: number | null): number {
  const root = pid === null ? null : processOf(pid);
  if (root === null) return Number.NaN;
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  const children = pids.map(processOf).filter((one) => one?.parent === pid);
  return [root, ...children].reduce((sum, one) => sum + (one?.used ?? 0), 0);
}

/** The main process of a server; null if it is on another machine. */
export async function processIdOf({ client, query }: ServerDatabase): Promise<number | null> {
  const isPostgres = client === 'postgres';
  const [[path] = []] = await query(isPostgres ? 'SHOW data_directory' : 'SELECT @@pid_file');
  try {
    return Number.parseInt(readFileSync(isPostgres ? `${path}/postmaster.pid` : String(path), 'utf8'), 10);
  } catch {
    return null;
  }
}
