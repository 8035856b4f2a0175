import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Runs for minutes, alone: `npm run soak`. `SOAK_MINUTES=2` makes it short. */
export default defineConfig({
  test: {
    root: resolve(import.meta.dirname, '../..'),
    include: ['test/soak/*.soak.ts'],
    globalSetup: ['test/support/servers/global.ts', 'test/support/compiled.ts'],
    pool: 'forks',
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: 3_600_000,
    hookTimeout: 120_000,
    watch: false,
  },
});
