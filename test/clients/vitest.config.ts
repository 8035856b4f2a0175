import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Begins with Schemathesis, which takes longest: at the end it would keep one worker busy while the other has nothing to do. */
class SchemathesisFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => (moduleId.includes('schemathesis') ? 0 : 1);
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

/** Real clients against the built gateway, by `npm run test:clients`. Each file has its gateway and its databases. */
export default defineConfig({
  test: {
    root: resolve(import.meta.dirname, '../..'),
    include: ['test/clients/*.client.ts'],
    globalSetup: ['test/support/servers/global.ts', 'test/clients/global.ts'],
    reporters: ['verbose'],
    pool: 'forks',
    // Schemathesis uses one core, and a browser waits for the page and the gateway.
    maxWorkers: 2,
    sequence: { sequencer: SchemathesisFirst },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    watch: false,
  },
});
