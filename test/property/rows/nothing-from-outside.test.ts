/** Whatever happens to rows outside, a caller with a row filter gets the same bytes as before. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Random } from '../../support/random.ts';
import { byName, fewEngines } from '../../support/servers/engines.ts';
import { type Call, readingCall, writingCall } from './calls.ts';
import { casesOf, expectEqual, runSequences, spelled } from './check.ts';
import { outsideKeys, rowOutside } from './lines.ts';
import { openWorld, type World } from './world.ts';

/** A write that leaves all rows inside as they are. */
function changeOutside(random: Random): Call {
  const keys = random.some(outsideKeys, random.one([1, 2, 5, outsideKeys.length]));
  return random.isIn(0.3)
    ? { action: 'datastore_records_delete', params: { filters: { id: keys } } }
    : { action: 'datastore_upsert', params: { records: keys.map((id) => rowOutside(id, random)) } };
}

describe.each(byName(fewEngines()))('on %s', (_, engine) => {
  const cases = casesOf(engine, fewEngines());
  let world: World;
  beforeAll(async () => {
    world = await openWorld(engine);
  });
  afterAll(() => world?.close());

  test('the answer to any call is the same after any change of rows outside', {
    // Only a hang reaches this timeout: a sequence takes about 100 ms.
    timeout: 120_000 + cases.count * 400,
  }, async () => {
    let inside = '';
    let outside = '';
    await runSequences(
      world,
      cases,
      async (random, transcript) => {
        if (transcript.length === 0) [inside, outside] = [await world.stored('inside'), await world.stored('outside')];
        const calls = Array.from({ length: random.from(3, 5) }, () =>
          random.isIn(0.8) ? readingCall(random, { native: true }) : writingCall(random, true),
        );
        const ask = () => Promise.all(calls.map((call) => world.ask('inside', call)));
        const first = await ask();
        transcript.push(...calls.map(spelled));
        const change = changeOutside(random);
        await world.change(change);
        transcript.push(`then rows outside: ${spelled(change)}`);
        for (const [nth, answer] of (await ask()).entries()) {
          const [call, earlier] = [calls[nth], first[nth]];
          if (call === undefined || earlier === undefined) throw new Error('an answer without a call');
          transcript.push(`and again ${spelled(call)}`);
          expectEqual(earlier, answer);
        }
      },
      async () => {
        expect(await world.stored('inside')).toBe(inside);
        expect(await world.stored('outside')).not.toBe(outside);
      },
    );
  });
});
