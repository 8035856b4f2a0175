/** The least a reader must take while we wait for it. */
export interface Pace {
  readonly bytesPerSecond: number;
  /** Milliseconds of waiting over which it is averaged. */
  readonly window: number;
  /** The same while others want what the pieces are read from; more for a reader that has gone on after longer waits. */
  readonly wantedWindow: number;
}

/**
 * Times the longest wait of a reader that the next one may last. Measured on Linux: a socket takes 1.6 MB at once and then nothing
 * until the reader has taken as much, which is 8 s at 200 kB/s. The first of these waits is less than half as long as the others.
 */
const longer = 3;

/** Tells whether others want what the pieces are read from. */
export interface Demand {
  isWanted(): boolean;
  /** Calls `wanted` from now on whenever somebody begins to want it. */
  watch(wanted: () => void): void;
}

/**
 * Passes pieces on and calls `stop` when their reader is too slow: a few bytes now and then would hold what they are read
 * from for as long as it takes. Time that the pieces themselves take is not the reader's.
 * @param stop is told the milliseconds over which the speed was averaged
 */
export async function* paced<T extends string | Uint8Array>(
  pieces: AsyncIterable<T>,
  { bytesPerSecond, window, wantedWindow }: Pace,
  demand: Demand,
  stop: (window: number) => void,
): AsyncGenerator<T, void> {
  const perMillisecond = bytesPerSecond / 1000;
  // The longest wait after which the reader went on.
  let longest = 0;
  const short = () => Math.min(window, Math.max(wantedWindow, longer * longest));
  const most = () => (demand.isWanted() ? short() : window);
  // How far the reader may still fall behind, in milliseconds of waiting; and how far it could at most.
  let left = most();
  let allowed = left;
  // Null while nobody waits for the reader.
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
    // The reader gets the whole of the short window, wherever it is in the long one. Being wanted again gives it no more.
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
