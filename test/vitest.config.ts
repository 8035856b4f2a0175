import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LevelSequencer } from './support/level-sequencer.ts';

/** Paths and names of tests, behind those of every run. */
const chosen = process.argv.slice(2).filter((word) => !/^-|^run$|vitest\.config\.ts$/.test(word));
/** Files that take long are left out by `npm test`, unless something is chosen. `npm run test:engines` and CI run all. */
const leftOut = process.env.LEAVE_OUT_LONG !== undefined && chosen.length === 0 ? ['test/**/*.long.test.ts'] : [];

/**
 * Two projects: to run the tests of functions takes no server. There are no more, as each has its own transformed modules and its own
 * processes, which load everything anew.
 */
const projects = [
  {
    name: 'servers',
    include: ['test/**/*.test.ts'],
    exclude: ['test/unit/**', '**/node_modules/**', ...leftOut],
    globalSetup: ['test/support/setup.ts'],
  },
  { name: 'unit', include: ['test/unit/**/*.test.ts'] },
];

export default defineConfig({
  test: {
    root: resolve(import.meta.dirname, '..'),
    projects: projects.map((test) => ({ extends: true, test })),
    pool: 'forks',
    // More than twice the cores of the smallest machine it has to be quick on: a good part of the tests' time is waiting for servers.
    maxWorkers: 5,
    fileParallelism: true,
    // To load everything anew for each file takes a tenth of the time of all.
    isolate: false,
    // For tests that hang: a busy machine with a slow disk may take four times as long as a quiet one.
    testTimeout: 90_000,
    hookTimeout: 120_000,
    teardownTimeout: 30_000,
    // An event that comes within a second on an idle machine may take longer on a busy one.
    expect: { poll: { timeout: 10_000 } },
    watch: false,
    // With the engines of `TEST_ENGINES` alone, some files have no test. A run with all engines still reports a file without tests.
    passWithNoTests: process.env.TEST_ENGINES !== undefined,
    // Files in another order each time; the run prints its seed, `npm test -- --sequence.seed=N` repeats the order.
    sequence: { sequencer: LevelSequencer, seed: Date.now() },
  },
});
