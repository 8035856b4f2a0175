import { expect, test } from 'vitest';
import { engines } from '../../support/servers/engines.ts';
import { openFleet } from './fleet.ts';
import { compareGroups } from './grouping.ts';
import { compareAnswers, randomTables } from './property.ts';

const cases = Number(process.env.FUZZ_CASES ?? 40);
/** `npm test` is the same every time; `npm run fuzz` makes new choices. */
const chance = process.env.FUZZ_CASES === undefined ? 7 : Math.floor(Math.random() * 2 ** 31);
const first = Number(process.env.FUZZ_SEED ?? chance);
/** New tables after this many cases, so that a failure late in a long run can be repeated with its own seed. */
const block = 2000;

test(
  'random calls on random tables are answered as the model says, on every engine',
  async () => {
    for (let done = 0, seed = first; done < cases; seed = (seed + 1000) % 2 ** 31) {
      console.log(`FUZZ_SEED=${seed} (${done} of ${cases} cases done)`);
      const tables = randomTables(seed);
      const fleet = await openFleet(engines(), tables);
      try {
        const part = { seed, cases: Math.min(block, cases - done), shrink: true };
        const outcome = await compareAnswers(fleet, tables, part);
        if (outcome.failure !== null) expect.fail(`repeat with FUZZ_SEED=${seed} npm run fuzz\n${outcome.failure}`);
        const faults = await compareGroups(fleet, tables, { seed, cases: Math.ceil(part.cases / 3) });
        expect(faults, `repeat with FUZZ_SEED=${seed} npm run fuzz`).toEqual([]);
        done += outcome.cases;
      } finally {
        await fleet.close();
      }
    }
    // Only a hang reaches this timeout: a case takes about 10 ms.
  },
  300_000 + cases * 200,
);
