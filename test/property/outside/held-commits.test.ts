import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ServerEngine } from '../../support/servers/engines.ts';
import { openScope, type Scope } from '../../support/servers/scope.ts';
import { checkHeld } from './held.ts';
import { variants } from './variants.ts';

/** Of each way to hold a commit. */
const soak = process.env.SOAK_OPERATIONS;
const rounds = soak === undefined ? 2 : Math.ceil(Number(soak) / 5000);
const alone = variants().filter(({ isAlone, tokens }) => isAlone && tokens.length > 0);

describe.each(alone.map((variant) => [variant.name, variant] as const))('on %s', (_, variant) => {
  let scope: Scope;
  let engine: ServerEngine;
  beforeAll(async () => {
    scope = openScope();
    engine = await variant.start(scope, 'replicable');
  });
  afterAll(() => scope?.close());

  test(
    'a commit that is held before others can see it leaves no old answer behind',
    async () => {
      expect(await checkHeld(engine, variant, rounds)).toEqual([]);
    },
    30_000 + rounds * 10_000,
  );
});
