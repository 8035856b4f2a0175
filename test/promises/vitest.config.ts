import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

// Read by the global setup, in this process.
process.env.TEST_ENGINES ??= 'postgres,mariadb';

/** Tests wait for servers half of the time. */
const atOnce = 3;

/** Plants the mistake of each promise, by `npm run promises`. `npm run promises -- -t digits` tries that of one. */
export default defineConfig({
  test: {
    root: resolve(import.meta.dirname, '../..'),
    include: ['test/promises/*.planted.ts'],
    globalSetup: ['test/support/setup.ts'],
    reporters: ['verbose'],
    pool: 'forks',
    maxWorkers: 1,
    fileParallelism: false,
    maxConcurrency: atOnce,
    testTimeout: 300_000,
    hookTimeout: 900_000,
    watch: false,
  },
});
