/** A SELECT over a resource with a row filter has the bytes of one over a table with these rows only, beside whatever else it joins. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { byName, servers } from '../../support/servers/engines.ts';
import { casesOf, expectEqual, runSequences, spelled } from './check.ts';
import { selectCall } from './selects.ts';
import { openWorld, type World } from './world.ts';

/** Sequences of `npm test` on all engines together, each of five SELECTs. */
const few = 120;

describe.each(byName(servers()))('on %s', (_, engine) => {
  const cases = casesOf(engine, servers(), few);
  let world: World;
  beforeAll(async () => {
    world = await openWorld(engine);
  });
  afterAll(() => world?.close());

  test('any SELECT is answered as on a table that holds the rows inside only', {
    // Only a hang reaches this timeout: a sequence takes about 100 ms.
    timeout: 120_000 + cases.count * 400,
  }, async () => {
    let [answered, records] = [0, 0];
    await runSequences(
      world,
      cases,
      async (random, transcript) => {
        for (let nth = 0; nth < 5; nth++) {
          const call = selectCall(random, ['both', 'everything']);
          transcript.push(spelled(call));
          const [inside, twin] = await Promise.all([world.ask('inside', call), world.ask('twin', call)]);
          expectEqual(inside, twin);
          // A refusal is of the client's making.
          expect([200, 409]).toContain(inside.status);
          if (inside.status !== 200) continue;
          answered++;
          if (!inside.text.includes('"records":[]')) records++;
        }
      },
      async () => undefined,
    );
    expect(answered).toBeGreaterThan(cases.count * 3);
    expect(records).toBeGreaterThan(cases.count * 1.5);
  });
});
