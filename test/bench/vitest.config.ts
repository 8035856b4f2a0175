import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { chosenOf } from './benchmarks.ts';

/** Measurements are no tests: they run alone, one after the other, by `npm run bench` or `npm run bench start`. */
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
