/**
 * We measure ages by the monotonic clock, which stops while a virtual machine is suspended. The wall clock goes on, so a difference
 * between both shows a suspension. A wall clock that is set back meanwhile could hide it, so a step in either direction counts.
 */

/** Milliseconds by which the clocks may differ without a suspension: NTP slowly corrects the wall clock, too. */
const toleranceMs = 50;

/** A moment by `performance.now()`, and how far the wall clock was ahead of that. */
export interface Moment {
  readonly at: number;
  readonly offset: number;
}

export function momentNow(): Moment {
  const at = performance.now();
  return { at, offset: Date.now() - at };
}

/**
 * Milliseconds by which the clocks have drifted apart beyond that; 0: the process has not been suspended since the moment.
 * @param offset the offset of the moment
 * @param now `performance.now()`
 */
export const goneApart = (offset: number, now = performance.now()): number =>
  Math.max(0, Math.abs(Date.now() - now - offset) - toleranceMs);
