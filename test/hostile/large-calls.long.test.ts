/** Harmless calls, as large as the limits allow: others are still answered meanwhile, and memory stays bounded. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { byName, onePerDriver, type ServerEngine, servers } from '../support/servers/engines.ts';
import { maxMemory, weigh } from './heavy.ts';
import { furnishGiants, openTarget, type Target } from './heavy-world.ts';
import { largeAnswers, largeWrites } from './large-calls.ts';

const isFuzz = process.env.FUZZ_CASES !== undefined;

const tested = isFuzz ? servers() : onePerDriver();

/** `npm run fuzz` runs all cases on every server, `npm test` every eighth, alternating between the drivers. */
const casesOf = (engine: ServerEngine) =>
  [...largeWrites(engine), ...largeAnswers(engine)].filter(
    (_, nth) => isFuzz || (nth % 8 === 0 && (nth / 8) % tested.length === tested.indexOf(engine)),
  );

describe.each(byName(tested))('on %s', (_, engine) => {
  let target: Target;
  beforeAll(async () => {
    target = await openTarget(engine);
    await furnishGiants(target.database);
  }, 120_000);
  afterAll(() => target?.close());

  test.each(casesOf(engine).map((heavy) => [heavy.name, heavy] as const))(
    '%s',
    { timeout: 300_000 },
    async (_, heavy) => {
      const { answers, hold, bound, memory, lives } = await weigh(target, heavy);
      if (process.env.HEAVY_REPORT)
        console.log(
          `${engine.name} | ${heavy.name} | hold ${hold.toFixed(0)} of ${bound.toFixed(0)} ms | memory ${(memory / 1e6).toFixed(0)} MB | ${answers.map(({ status, bytes, text }) => `${status} ${bytes} ${status === 200 ? '' : text.slice(0, 300)}`).join(', ')}`,
        );
      expect(lives).toBe(true);
      for (const answer of answers) expect([heavy.status.includes(answer.status), answer]).toEqual([true, answer]);
      expect(hold).toBeLessThanOrEqual(bound);
      expect(memory).toBeLessThan(maxMemory);
    },
  );
});
