import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { anyServer, byName, onePerDriver, servers } from '../../support/servers/engines.ts';
import { checkInRounds, type OpenField, openField } from './field.ts';

const soak = process.env.SOAK_OPERATIONS;
const operations = Number(soak ?? 1000);
/** `npm test` makes the same choices every time; `npm run soak` makes new ones. */
const seed = Number(process.env.SOAK_SEED ?? (soak === undefined ? 5 : Math.floor(Math.random() * 2 ** 31)));
// `npm test` takes one server for each dialect: the cache does not depend on the engine, and dependencies come from the catalogue.
const tested = soak === undefined ? onePerDriver() : servers();

/** With so few operations, a slow machine may not lose any commit in one round. */
const mostRounds = 5;

describe.each(byName(tested))('on %s', (_, engine) => {
  // PostgreSQL can mostly report the outcome of a lost commit.
  const needsUnknown = engine.client === 'mysql';
  const rounds = needsUnknown ? mostRounds : 1;
  let field: OpenField;
  beforeEach(async () => {
    field = await openField(engine);
  });
  afterEach(() => field?.close());

  test(
    'no read that begins after a write was answered shows an older version',
    async () => {
      const part = Math.ceil(operations / tested.length);
      const { stale, counts } = await checkInRounds(field, { operations: part, seed }, rounds);
      console.log(`SOAK_SEED=${seed} ${engine.name} ${JSON.stringify(counts)}`);
      expect(stale).toBeNull();
      // Make sure that the checker has seen every kind of operation.
      for (const kind of ['hits', 'misses', 'fresh', 'notModified', 'writes', 'refused', 'looks'] as const)
        expect(counts[kind], kind).toBeGreaterThan(0);
      if (needsUnknown) expect(counts.unknown).toBeGreaterThan(0);
    },
    60_000 + operations * 20 * rounds,
  );
});

test.each(byName(anyServer()))(
  'a round without an unknown outcome is followed by one on empty tables, whose stale answers count, on %s',
  async (_, engine) => {
    const effort = { operations: 100, seed, losses: 0 };
    const field = await openField(engine);
    try {
      const renew = vi.fn(field.renew);
      expect(await checkInRounds({ ...field, renew }, effort, 2)).toMatchObject({
        stale: null,
        counts: { unknown: 0 },
      });
      expect(renew).toHaveBeenCalledTimes(1);
      // To a history that begins with empty tables, the rows of an earlier round are stale answers.
      const { stale } = await checkInRounds({ ...field, renew: async () => undefined }, effort, 2);
      expect(stale).toMatch(/is shown as|are counted/);
    } finally {
      await field.close();
    }
  },
);
