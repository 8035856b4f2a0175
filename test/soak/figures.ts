import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** The memory and the resources of the gateway at one moment. Memory is in megabytes. */
export interface Taken {
  /** After a garbage collection: what something holds on to. */
  readonly live: number;
  /** Its resident memory. */
  readonly resident: number;
  /** That without JavaScript's: the program itself, and what libraries and the system's allocator hold. */
  readonly native: number;
  /** Files, sockets and timers that the system knows of. */
  readonly handles: number;
}

/** Has the program write down its figures. @param file the one that WEIGH names for `weigh.mjs` */
export async function weigh(pid: number, file: string): Promise<Taken> {
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  for (const limit = performance.now() + 10_000; !existsSync(file); await sleep(10))
    if (performance.now() > limit) throw new Error('the gateway does not say what it takes');
  const said: Readonly<Record<'live' | 'resident' | 'native', number>> = JSON.parse(readFileSync(file, 'utf8'));
  const megabytes = (bytes: number) => Math.round(bytes / 1e5) / 10;
  const handles = readdirSync(`/proc/${pid}/fd`).length;
  const [live, resident, native] = [megabytes(said.live), megabytes(said.resident), megabytes(said.native)];
  return { live, resident, native, handles };
}

/**
 * How much a row of figures has grown from its first to its last, by the median of the slopes between any two of them: one that
 * is out of line does not count.
 */
export function growth(figures: readonly number[]): number {
  const slopes = figures.flatMap((one, nth) => figures.slice(nth + 1).map((other, more) => (other - one) / (more + 1)));
  return median(slopes) * (figures.length - 1);
}

export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b);
  return ((sorted[Math.floor((sorted.length - 1) / 2)] ?? 0) + (sorted[Math.floor(sorted.length / 2)] ?? 0)) / 2;
}
