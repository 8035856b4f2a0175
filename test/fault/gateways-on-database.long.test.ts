/** A fleet with `cache.otherGateways` under network faults: the gateways are connected only through their database. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { create, empty } from '../property/coherence/world.ts';
import { variants } from '../property/outside/variants.ts';
import type { Mistake } from '../support/mistake.ts';
import { openProgram, type Program } from '../support/program.ts';
import { freshDatabase, type ServerDatabase } from '../support/servers/engines.ts';
import { openScope, type Scope } from '../support/servers/scope.ts';
import { disturbed, isSoak, operations } from './fleet.ts';

/** In milliseconds. */
const maxStaleness = 200;

/** A bug that the check must find. */
const mistake: Mistake = {
  file: 'src/tables/other-gateways.ts',
  right: 'let waitMs = maxStaleness;',
  wrong: 'let waitMs = 0;',
};

// Servers without other writers, so that there are cache hits. Only the last one, unless this is a soak run.
const logging = variants()
  .filter(({ hasLog, name }) => hasLog && !name.includes('56'))
  .slice(isSoak ? 0 : -1)
  .map((variant) => [variant.name, variant] as const);

describe.each(logging)('three gateways on %s', (_, variant) => {
  let scope: Scope;
  let program: Program;
  let database: ServerDatabase;
  beforeAll(async () => {
    scope = openScope();
    program = openProgram();
    database = await freshDatabase(await variant.start(scope));
    await create(database);
  });
  afterAll(async () => {
    program?.remove();
    await database?.drop();
    await scope?.close();
  });

  async function go(by: Pick<Program, 'serve'> = program, most?: number) {
    await empty(database);
    return disturbed({ database, program: by, maxStaleness, ...(most === undefined ? {} : { most }) });
  }

  test(
    'no read that begins after a write was answered shows an older version',
    async () => {
      const { stale, counts } = await go();
      expect(stale).toBeNull();
      for (const kind of ['hits', 'misses', 'writes', 'looks'] as const) expect(counts[kind], kind).toBeGreaterThan(0);
    },
    120_000 + operations * 60,
  );

  test.runIf(isSoak)(
    'a write that is answered at once is found',
    async () => {
      const { stale } = await go(program.with(mistake), 40_000);
      expect(stale).toMatch(/is shown as|are counted/);
    },
    300_000,
  );
});
