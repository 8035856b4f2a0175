import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LevelSequencer } from './support/level-sequencer.ts';

const servers = 'test/support/servers/global.ts';
const compiled = 'test/support/compiled.ts';

/**
 * The levels, each with what is set up before its first test. They run in this order: the levels with the longest files come first,
 * so that no worker is left alone with one of them at the end.
 */
const levels: Readonly<Record<string, readonly string[]>> = {
  hostile: [servers, compiled],
  e2e: [servers, compiled],
  fault: [servers, compiled],
  property: [servers],
  contract: [servers],
  real: [servers, compiled],
  wire: [servers],
  support: [servers],
  unit: [],
};

export default defineConfig({
  test: {
    root: resolve(import.meta.dirname, '..'),
    projects: Object.entries(levels).map(([name, globalSetup]) => ({
      extends: true,
      test: { name, include: [`test/${name}/**/*.test.ts`], globalSetup: [...globalSetup] },
    })),
    pool: 'forks',
    // One more than the cores of the smallest machine it has to be quick on: a good part of the tests' time is waiting for servers.
    maxWorkers: 3,
    fileParallelism: true,
    // To load everything anew for each file takes a tenth of the time of all.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 30_000,
    // An event that comes within a second on an idle machine may take longer on a busy one.
    expect: { poll: { timeout: 10_000 } },
    watch: false,
    // Files in another order each time; the run prints its seed, `npm test -- --sequence.seed=N` repeats the order.
    sequence: { sequencer: LevelSequencer, seed: Date.now() },
  },
});
