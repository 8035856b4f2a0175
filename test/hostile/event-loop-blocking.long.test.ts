/** Requests that once blocked the event loop, filled the memory, or ended in a 500. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anyServer, byName, onePerDriver, type ServerEngine, servers } from '../support/servers/engines.ts';
import { atTheDoor, nearTheServer, ofPostgres } from './findings.ts';
import { type Heavy, maxMemory, weigh } from './heavy.ts';
import { openTarget, type Target } from './heavy-world.ts';

const isFuzz = process.env.FUZZ_CASES !== undefined;
// All servers of a driver get the same SQL, so only `npm run fuzz` tests each of them.
const tested = isFuzz ? servers() : onePerDriver();

const casesOf = (engine: ServerEngine): readonly Heavy[] => [
  ...(anyServer().includes(engine) ? atTheDoor(engine) : []),
  ...nearTheServer,
  ...(engine.client === 'postgres' ? ofPostgres : []),
];

describe.each(byName(tested))('on %s', (_, engine) => {
  let target: Target;
  beforeAll(async () => {
    target = await openTarget(engine);
  });
  afterAll(() => target?.close());

  test.each(casesOf(engine).map((heavy) => [heavy.name, heavy] as const))(
    '%s',
    { timeout: 200_000 },
    async (_, heavy) => {
      const { answers, hold, bound, memory, lives } = await weigh(target, heavy);
      if (process.env.HEAVY_REPORT)
        console.log(
          `${engine.name} | ${heavy.name} | hold ${hold.toFixed(0)} of ${bound.toFixed(0)} ms | memory ${(memory / 1e6).toFixed(0)} MB | ${answers.map(({ status, bytes, text }) => `${status} ${bytes} ${status === 200 ? '' : text.slice(0, 100)}`).join(', ')}`,
        );
      expect(lives).toBe(true);
      for (const answer of answers) expect([heavy.status.includes(answer.status), answer]).toEqual([true, answer]);
      expect(hold).toBeLessThanOrEqual(bound);
      expect(memory).toBeLessThan(maxMemory);
    },
  );
});
