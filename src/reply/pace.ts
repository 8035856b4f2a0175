/** The least a reader must take while we wait for it. */
export interface Pace {
  readonly bytesPerSecond: number;
  /** Milliseconds of waiting over which it is averaged. */
  readonly window: number;
}

/**
 * Passes pieces on and calls `stop` once when their reader is too slow: a few bytes now and then would hold what they are
 * read from for as long as it takes. Time that the pieces themselves take is not the reader's.
 */
export async function* paced<T extends string | Uint8Array>(
  pieces: AsyncIterable<T>,
  { bytesPerSecond, window }: Pace,
  stop: () => void,
): AsyncGenerator<T, void> {
  const perMillisecond = bytesPerSecond / 1000;
  // What it may still be behind, in milliseconds of waiting.
  let left = window;
  for await (const piece of pieces) {
    const since = performance.now();
    const timer = setTimeout(stop, left);
    try {
      yield piece;
    } finally {
      clearTimeout(timer);
    }
    const earned = perMillisecond === 0 ? window : piece.length / perMillisecond;
    left = Math.min(window, Math.max(0, left - (performance.now() - since)) + earned);
  }
}
