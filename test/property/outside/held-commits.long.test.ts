import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ServerEngine } from '../../support/servers/engines.ts';
import { openScope, type Scope } from '../../support/servers/scope.ts';
import { checkHeld } from './held.ts';
import { variants } from './variants.ts';

/** Rounds for each way to hold up a commit. */
const soak = process.env.SOAK_OPERATIONS;
const rounds = soak === undefined ? 2 : Math.ceil(Number(soak) / 5000);
/** We cannot start a newer MySQL ourselves, so this is the one of `TEST_MYSQL_URL`, which other test files use as well. */
const tested = variants().filter(
  ({ name, isAlone, commitMarkers }) => commitMarkers.length > 0 && (isAlone || name === 'mysql'),
);

describe.each(tested.map((variant) => [variant.name, variant] as const))('on %s', (_, variant) => {
  let scope: Scope;
  let engine: ServerEngine;
  beforeAll(async () => {
    scope = openScope();
    engine = await variant.start(scope, 'replicable');
  });
  afterAll(() => scope?.close());

  // Some ways to hold up a commit block all writers of the server; only the test files of a soak can wait for that.
  test.skipIf(!variant.isAlone && soak === undefined)(
    'a commit that is held before others can see it leaves no old answer behind',
    async () => {
      const { wrong, leftOut } = await checkHeld(engine, variant, rounds);
      if (leftOut.length > 0) console.log(`${variant.name} LEFT OUT: ${leftOut.join(', ')}`);
      expect(wrong).toEqual([]);
    },
    30_000 + rounds * 20_000,
  );
});
