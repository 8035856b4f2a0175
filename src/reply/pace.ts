/** The minimum speed of a reader. */
export interface Pace {
  readonly bytesPerSecond: number;
  /** Milliseconds of waiting over which the speed is averaged. */
  readonly window: number;
  /** The same while others wait for the source; more for a reader that has continued after longer waits. */
  readonly wantedWindow: number;
}

/**
 * Multiple of a reader's longest wait that the next one may last. Measured on Linux: a socket takes 1.6 MB at once, then
 * nothing until the reader has taken as much. That is 8 s at 200 kB/s. The first of these waits is less than half as long as
 * the others.
 */
const longer = 3;

/** Whether others wait for the source of the pieces. */
export interface Demand {
  isWanted(): boolean;
  /** Calls `wanted` from now on whenever another reader starts to wait. */
  watch(wanted: () => void): void;
}

/**
 * Passes pieces on and calls `stop` when their reader is too slow. Otherwise a few bytes now and then would hold the source for
 * as long as it takes. The source's own time does not count for the reader.
 * @param stop called with the milliseconds over which the speed was averaged
 */
export async function* paced<T extends string | Uint8Array>(
  pieces: AsyncIterable<T>,
  { bytesPerSecond, window, wantedWindow }: Pace,
  demand: Demand,
  stop: (window: number) => void,
): AsyncGenerator<T, void> {
  const perMillisecond = bytesPerSecond / 1000;
  // The longest wait after which the reader continued.
  let longest = 0;
  const short = () => Math.min(window, Math.max(wantedWindow, longer * longest));
  const most = () => (demand.isWanted() ? short() : window);
  // The remaining budget of waiting in milliseconds, and the full budget.
  let left = most();
  let allowed = left;
  // Null while not waiting for the reader.
  let since: number | null = null;
  let timer: NodeJS.Timeout | undefined;
  const wait = () => {
    since = performance.now();
    timer = setTimeout(() => stop(allowed), left);
  };
  const pause = () => {
    clearTimeout(timer);
    if (since !== null) left = Math.max(0, left - (performance.now() - since));
    since = null;
  };
  demand.watch(() => {
    const isWaiting = since !== null;
    pause();
    // The reader gets the whole short window, wherever it is in the long one. Further demand gives it no more.
    if (left > short()) {
      left = short();
      allowed = left;
    }
    if (isWaiting) wait();
  });
  for await (const piece of pieces) {
    const asked = performance.now();
    wait();
    try {
      yield piece;
    } finally {
      pause();
    }
    longest = Math.max(longest, performance.now() - asked);
    allowed = most();
    const earned = perMillisecond === 0 ? allowed : piece.length / perMillisecond;
    left = Math.min(allowed, left + earned);
  }
}
