/** A caller with a row filter gets the bytes that he would get from a table with these rows only. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { byName, engines } from '../../support/servers/engines.ts';
import { anyCall, type Call } from './calls.ts';
import { casesOf, expectEqual, runSequences, spelled } from './check.ts';
import { openWorld, type World } from './world.ts';

describe.each(byName(engines()))('on %s', (_, engine) => {
  const cases = casesOf(engine, engines());
  let world: World;
  beforeAll(async () => {
    world = await openWorld(engine);
  });
  afterAll(() => world?.close());

  test('any sequence of calls is answered as on a table that holds the rows inside only', {
    // Only a hang reaches this timeout: a sequence takes about 100 ms.
    timeout: 120_000 + cases.count * 400,
  }, async () => {
    // MATCH ranks by the words of all rows. With a filter the rank is that of mode `like`, so it differs from the twin's.
    const native = engine.client !== 'mysql';
    let outside = '';
    let found = 0;
    await runSequences(
      world,
      cases,
      async (random, transcript) => {
        if (transcript.length === 0) outside = await world.stored('outside');
        for (let calls = random.from(3, 6); calls > 0; calls--) {
          const call = anyCall(random, { native });
          transcript.push(spelled(call));
          const [inside, twin] = await Promise.all([world.ask('inside', call), world.ask('twin', call)]);
          expectEqual(inside, twin);
          if (inside.status === 200 && call.action === 'datastore_search') found++;
          await followPages(call, inside.text, transcript);
        }
      },
      async () => {
        expect(await world.stored('inside')).toBe(await world.stored('twin'));
        expect(await world.stored('outside')).toBe(outside);
      },
    );
    expect(found).toBeGreaterThan(cases.count / 2);
  });

  /** Goes on to the next page, each side with its own cursor. */
  async function followPages(call: Call, text: string, transcript: string[]): Promise<void> {
    if (!text.includes('"next_page":{')) return;
    const next = async (side: 'inside' | 'twin') => {
      const { result } = JSON.parse((await world.send(side, call)).text);
      const { after } = result.next_page;
      const { offset: _, ...params } = call.params;
      const filters = {
        $and: [Array.isArray(params.filters) ? { $or: params.filters } : (params.filters ?? {}), result.next_page],
      };
      return world.ask(side, { ...call, params: { ...params, ...(after === undefined ? { filters } : { after }) } });
    };
    transcript.push('and its next page');
    const [inside, twin] = await Promise.all([next('inside'), next('twin')]);
    expectEqual(inside, twin);
    expect(inside.status).toBe(200);
  }
});
