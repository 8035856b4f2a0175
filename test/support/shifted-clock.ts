/** Moves the clocks of this process ahead, so that a test need not wait for a login to end. */
import { afterAll, vi } from 'vitest';

/** @returns a function that moves the clocks ahead by this many seconds, until the tests of the file have ended. Call it at the top of a file */
export function shiftableClock(): (seconds: number) => void {
  let ahead = 0;
  afterAll(() => {
    vi.restoreAllMocks();
  });
  const [now, date] = [performance.now.bind(performance), Date.now.bind(Date)];
  return (seconds) => {
    if (ahead === 0) {
      vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
      vi.spyOn(Date, 'now').mockImplementation(() => date() + ahead);
    }
    ahead += seconds * 1000;
  };
}
