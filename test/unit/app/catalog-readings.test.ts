import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CatalogReadings } from '../../../src/app/catalog-readings.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/**
 * Reports a refused call after each of these pauses in milliseconds, and returns how often the catalogue was read. `isChanged`: the refusal itself
 * shows that the table has changed.
 */
async function refused(changed: boolean, pauses: readonly number[], isChanged = false): Promise<number> {
  let read = 0;
  const readings = new CatalogReadings(async () => {
    read++;
    return { durationMs: 1, changed };
  });
  for (const pause of [0, ...pauses]) {
    vi.advanceTimersByTime(pause);
    await readings.again(
      'db',
      'refused',
      () => false,
      async () => isChanged,
    );
  }
  return read;
}

test('refused calls do not read a catalogue again and again', async () => {
  expect(await refused(false, [600, 600, 600])).toBe(1);
  expect(await refused(true, [100, 100, 100])).toBe(1);
});

test('a catalogue that has just changed may have been read in the middle of the change', async () => {
  expect(await refused(true, [600])).toBe(2);
});

test('a table that is known to have changed is read at once', async () => {
  expect(await refused(false, [100, 100], true)).toBe(4);
});
