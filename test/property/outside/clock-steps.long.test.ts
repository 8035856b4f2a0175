import { afterEach, expect, test, vi } from 'vitest';
import { onePerDriver } from '../../support/servers/engines.ts';
import { check } from './check.ts';

const reads = Math.ceil(Number(process.env.SOAK_OPERATIONS ?? 6000) / 6);
/** Errors of the gateway's wall clock in seconds, in sequence. */
const steps = [0, -5, 5, -3600, 3600, -0.3, 0.4, 0];

afterEach(() => {
  vi.restoreAllMocks();
});

test.each(
  onePerDriver().flatMap((engine) => ['50ms', 0].map((maxStaleness) => [engine.name, maxStaleness, engine] as const)),
)(
  'no cached answer is too old while the wall clock of the gateway is set, on %s with %s',
  async (_, maxStaleness, engine) => {
    const now = Date.now;
    let wrong = 0;
    let step = 0;
    vi.spyOn(Date, 'now').mockImplementation(() => now() + wrong);
    const { stale, misses } = await check(engine, {
      ...{ maxStaleness, reads },
      disturb() {
        wrong = 1000 * (steps[++step % steps.length] ?? 0);
      },
    });
    expect(stale).toEqual([]);
    expect(step).toBeGreaterThan(steps.length);
    expect(misses).toBeGreaterThan(0);
  },
  60_000,
);
