import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: resolve(import.meta.dirname, '..'),
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/servers/global.ts', 'test/support/compiled.ts'],
    pool: 'forks',
    // One more than the cores of the smallest machine it has to be quick on: a good part of the tests' time is waiting for servers.
    maxWorkers: 3,
    fileParallelism: true,
    // To load everything anew for each file takes a tenth of the time of all.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 30_000,
    // What does not come on an idle machine within a second may take longer on one that has other work.
    expect: { poll: { timeout: 10_000 } },
    watch: false,
    // Files in another order each time; the run prints its seed, `npm test -- --sequence.seed=N` repeats the order.
    sequence: { shuffle: { files: true, tests: false } },
  },
});
