import { describe, expect, test } from 'vitest';
import { byName, onePerDriver, servers } from '../../support/servers/engines.ts';
import { check } from './check.ts';
import { openField } from './field.ts';

const soak = process.env.SOAK_OPERATIONS;
const operations = Number(soak ?? 3000);
/** `npm test` makes the same choices every time; `npm run soak` makes new ones. */
const seed = Number(process.env.SOAK_SEED ?? (soak === undefined ? 5 : Math.floor(Math.random() * 2 ** 31)));
// Both dialects are enough for every run: the cache knows no engine, and dependencies come from the catalogue.
const asked = soak === undefined ? onePerDriver() : servers();

describe.each(byName(asked))('on %s', (_, engine) => {
  test(
    'no read that begins after a write was answered shows an older version',
    async () => {
      const field = await openField(engine);
      try {
        const { stale, counts } = await check(field, { operations: Math.ceil(operations / asked.length), seed });
        console.log(`SOAK_SEED=${seed} ${engine.name} ${JSON.stringify(counts)}`);
        expect(stale).toBeNull();
        // A checker that meets nothing finds nothing.
        for (const kind of ['hits', 'misses', 'fresh', 'notModified', 'writes', 'refused', 'looks'] as const)
          expect(counts[kind], kind).toBeGreaterThan(0);
        // PostgreSQL is asked what became of a lost commit, and mostly knows. In a short run there may be none on a slow machine.
        if (engine.client === 'mysql' && soak !== undefined) expect(counts.unknown).toBeGreaterThan(0);
      } finally {
        await field.close();
      }
    },
    60_000 + operations * 20,
  );
});
