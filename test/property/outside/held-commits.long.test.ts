import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ServerEngine } from '../../support/servers/engines.ts';
import { openScope, type Scope } from '../../support/servers/scope.ts';
import { checkHeld } from './held.ts';
import { variants } from './variants.ts';

/** Of each way to hold a commit. */
const soak = process.env.SOAK_OPERATIONS;
const rounds = soak === undefined ? 2 : Math.ceil(Number(soak) / 5000);
/** No test can start a newer MySQL: the one that is given serves the other test files, too. */
const held = variants().filter(({ name, isAlone, tokens }) => tokens.length > 0 && (isAlone || name === 'mysql'));

describe.each(held.map((variant) => [variant.name, variant] as const))('on %s', (_, variant) => {
  let scope: Scope;
  let engine: ServerEngine;
  beforeAll(async () => {
    scope = openScope();
    engine = await variant.start(scope, 'replicable');
  });
  afterAll(() => scope?.close());

  // Some ways to hold a commit stop all writers of the server. The test files of a soak wait for that.
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
