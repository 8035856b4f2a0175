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

/** Further runs until one has met a commit whose outcome is unknown. */
const mostRuns = 4;

describe.each(byName(asked))('on %s', (_, engine) => {
  // PostgreSQL is asked what became of a lost commit, and mostly knows.
  const needsUnknown = engine.client === 'mysql';
  test(
    'no read that begins after a write was answered shows an older version',
    async () => {
      const field = await openField(engine);
      try {
        const part = Math.ceil(operations / asked.length);
        const { stale, counts } = await check(field, { operations: part, seed });
        // A slow machine may lose no answer of a commit among so few operations.
        for (let nth = 1; needsUnknown && stale === null && counts.unknown === 0 && nth <= mostRuns; nth++) {
          const more = await check(field, { operations: part, seed: seed + nth });
          expect(more.stale).toBeNull();
          counts.unknown += more.counts.unknown;
        }
        console.log(`SOAK_SEED=${seed} ${engine.name} ${JSON.stringify(counts)}`);
        expect(stale).toBeNull();
        // A checker that meets nothing finds nothing.
        for (const kind of ['hits', 'misses', 'fresh', 'notModified', 'writes', 'refused', 'looks'] as const)
          expect(counts[kind], kind).toBeGreaterThan(0);
        if (needsUnknown) expect(counts.unknown).toBeGreaterThan(0);
      } finally {
        await field.close();
      }
    },
    60_000 + operations * 20 * (needsUnknown ? mostRuns : 1),
  );
});
