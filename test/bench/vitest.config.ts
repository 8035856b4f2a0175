import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { chosenOf } from './benchmarks.ts';

/** Benchmarks are not part of the tests. They run one after another: `npm run bench`, or only some: `npm run bench start`. */
export default defineConfig({
  test: {
    root: resolve(import.meta.dirname, '../..'),
    include: chosenOf(process.argv).map((name) => `test/bench/${name}.bench.ts`),
    globalSetup: ['test/bench/setup.ts'],
    pool: 'forks',
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 600_000,
    watch: false,
  },
});
