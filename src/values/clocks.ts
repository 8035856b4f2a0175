/**
 * We measure ages by the monotonic clock, which stops while a virtual machine is suspended. The wall clock goes on, so if the two have
 * drifted apart, the machine was suspended. Drift in either direction counts, because someone may also have set the wall clock back.
 */

/** Drift, in milliseconds, that does not prove a suspension: NTP slowly corrects the wall clock, too. */
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
 * Milliseconds by which the clocks have drifted apart since a moment, beyond the tolerance; 0 if there was no suspension.
 * @param offset the moment's `offset`
 * @param now `performance.now()`
 */
export const clockDrift = (offset: number, now = performance.now()): number =>
  Math.max(0, Math.abs(Date.now() - now - offset) - toleranceMs);
