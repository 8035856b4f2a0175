import { basename, resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { FailedNames } from '../support/failed-names.ts';

/** They come first: at the end one of them would keep a worker busy while the others have nothing to do. */
const longest = ['schemathesis', 'docs', 'explorer-axe', 'explorer-code', 'container', 'ckanapi', 'curl'];

/** Begins with the longest files, longest first. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => longest.indexOf(basename(moduleId, '.client.ts'));
    const place = (file: TestSpecification) => (rank(file) < 0 ? longest.length : rank(file));
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

/** Real clients against the built gateway, by `npm run test:clients`. Each file has its gateway and its databases. */
export default defineConfig({
  test: {
    root: resolve(import.meta.dirname, '../..'),
    include: ['test/clients/**/*.client.ts'],
    globalSetup: ['test/support/servers/global.ts', 'test/clients/global.ts'],
    reporters: ['verbose', new FailedNames()],
    pool: 'forks',
    // The tests share no state, and loading everything anew takes time.
    isolate: false,
    // Twice the cores of the smallest machine: a browser waits for the page, and the other programs for the gateway.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A page that takes half a second on an idle machine may take many on a busy one.
    expect: { poll: { timeout: 20_000 } },
    watch: false,
  },
});
