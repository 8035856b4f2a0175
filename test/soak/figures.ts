import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Memory in megabytes and resources of the gateway at one moment. */
export interface Taken {
  /** JavaScript memory after a garbage collection. */
  readonly live: number;
  /** Resident memory. */
  readonly resident: number;
  /** Resident memory besides JavaScript's: the program, libraries, and the system's allocator. */
  readonly native: number;
  /** Open files, sockets and timers. */
  readonly handles: number;
}

/** Makes the gateway write its figures. @param file the path that `weigh.mjs` gets in WEIGH */
export async function weigh(pid: number, file: string): Promise<Taken> {
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  for (const limit = performance.now() + 10_000; !existsSync(file); await sleep(10))
    if (performance.now() > limit) throw new Error('the gateway does not say what it takes');
  const memory: Readonly<Record<'live' | 'resident' | 'native', number>> = JSON.parse(readFileSync(file, 'utf8'));
  const megabytes = (bytes: number) => Math.round(bytes / 1e5) / 10;
  const handles = readdirSync(`/proc/${pid}/fd`).length;
  const [live, resident, native] = [megabytes(memory.live), megabytes(memory.resident), megabytes(memory.native)];
  return { live, resident, native, handles };
}

/** The growth of a series from its first to its last figure, from the median slope between any two of them, so that outliers do not count. */
export function growth(figures: readonly number[]): number {
  const slopes = figures.flatMap((one, nth) => figures.slice(nth + 1).map((other, more) => (other - one) / (more + 1)));
  return median(slopes) * (figures.length - 1);
}

export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b);
  return ((sorted[Math.floor((sorted.length - 1) / 2)] ?? 0) + (sorted[Math.floor(sorted.length / 2)] ?? 0)) / 2;
}
