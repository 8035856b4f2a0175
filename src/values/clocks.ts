/**
 * Ages are measured by the monotonic clock, which stands still while a virtual machine is suspended. The wall clock goes on. So both
 * together show a suspension. A wall clock that is set back meanwhile could hide it, and so a step either way counts as one.
 */

/** Milliseconds by which the clocks may go apart: a wall clock is also corrected slowly. */
const usual = 50;

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
 * Milliseconds by which the clocks have gone apart beyond the usual; 0: the process was not suspended since.
 * @param offset of a moment
 * @param now by `performance.now()`
 */
export const goneApart = (offset: number, now = performance.now()): number =>
  Math.max(0, Math.abs(Date.now() - now - offset) - usual);
