import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Real clients against the built gateway, by `npm run test:clients`; one file after the other, each with its gateway. */
export default defineConfig({
  test: {
    root: resolve(import.meta.dirname, '../..'),
    include: ['test/clients/*.client.ts'],
    globalSetup: ['test/support/servers/global.ts', 'test/clients/global.ts'],
    reporters: ['verbose'],
    pool: 'forks',
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    watch: false,
  },
});
