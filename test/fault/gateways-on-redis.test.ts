/** A fleet on a database whose server shows no token, connected by Redis, through the faults of Redis and of the lines to it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { create, empty } from '../property/coherence/world.ts';
import { type Mistake, openProgram, type Program } from '../support/program.ts';
import { anyServer, freshDatabase, type ServerDatabase } from '../support/servers/engines.ts';
import { has, thisMachine } from '../support/servers/programs.ts';
import { startRedis } from '../support/servers/redis.ts';
import { openScope, type Scope } from '../support/servers/scope.ts';
import { disturbed, type Faults, isSoak, operations, partitions, unplugged, usualFaults } from './fleet.ts';
import { redisFaults } from './redis-faults.ts';

const faultsOf = (scope: Scope, redis: string): Faults => ({ ...redisFaults(scope, redis), ...usualFaults });

/** What the program could do wrong, and the faults by which that is found. */
const mistakes: Readonly<Record<string, Mistake & { readonly faults: Faults }>> = {
  'a lease never ends': {
    file: 'cache/buses/redis/lease.js',
    right: 'return now < this.#until &&',
    wrong: 'return now < Infinity ||',
    faults: partitions,
  },
  'a process that joins again keeps what it has': {
    file: 'cache/buses/redis/memberships.js',
    right: 'if (before !== null)',
    wrong: 'if (false)',
    faults: partitions,
  },
  'a write does not wait until its announcement is heard': {
    file: 'cache/buses/redis.js',
    right: 'isAwaited: true, due',
    wrong: 'isAwaited: false, due',
    faults: usualFaults,
  },
};
// The bus knows no engine.
const [engine] = anyServer();

describe.runIf(engine !== undefined && has('redis'))('three gateways on Redis', () => {
  let scope: Scope;
  let program: Program;
  let database: ServerDatabase;
  beforeAll(async () => {
    if (engine === undefined) return;
    scope = openScope();
    program = openProgram();
    database = await freshDatabase(engine);
    await create(database);
  });
  afterAll(async () => {
    program?.remove();
    await database?.drop();
    await scope?.close();
  });

  /** Asks and writes while the faults go around. */
  async function go(required: boolean, kinds: typeof faultsOf, by: Pick<Program, 'serve'> = program, most?: number) {
    await empty(database);
    const redis = await startRedis(scope, thisMachine());
    return disturbed({
      ...{ database, program: by, faults: kinds(scope, redis), connecting: redis },
      configured: (line) => ({ bus: { url: line, required } }),
      ...(most === undefined ? {} : { most }),
    });
  }

  test.each([
    ['also where one is cut off', true],
    ['also where writes go on without Redis', false],
  ])(
    'no read that begins after a write was answered shows an older version, %s',
    async (_, required) => {
      const { stale, counts } = await go(required, (...at) => ({
        ...(required ? partitions : {}),
        ...(required && isSoak ? unplugged : {}),
        ...faultsOf(...at),
      }));
      expect(stale).toBeNull();
      for (const kind of ['hits', 'misses', 'writes', 'looks'] as const) expect(counts[kind], kind).toBeGreaterThan(0);
    },
    120_000 + operations * 60,
  );

  test.runIf(isSoak).each(Object.entries(mistakes))(
    'a mistake is found: %s',
    async (_, { faults, ...mistake }) => {
      const { stale } = await go(true, () => faults, program.with(mistake), 40_000);
      expect(stale).toMatch(/is shown as|are counted/);
    },
    300_000,
  );
});
