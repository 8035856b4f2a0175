import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { parts, partsOf } from './parts.ts';
import { FailedNames } from './support/failed-names.ts';
import { LevelSequencer } from './support/level-sequencer.ts';
import { mistakeOfRun, mistakePlugin } from './support/mistake.ts';
import { threads } from './support/threads.ts';

/** Paths and names of tests, behind those of every run. With them, `npm test` runs long files, too. */
const chosen = process.argv.slice(2).filter((word) => !/^-|^run$|vitest\.config\.ts$/.test(word));
const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => `test/${file}`);

const named = partsOf(process.env.TEST_PARTS);
const isUnitToo = named.length > 1 && named.includes('unit');
/**
 * As few as a run needs: each project transforms all modules and loads them in processes of its own. Unit tests therefore join the
 * first part that has servers.
 */
const projects = named
  .filter((name) => name !== 'unit' || !isUnitToo)
  .map((name, nth) => {
    const part = parts[name === 'usual' && chosen.length > 0 ? 'all' : name];
    return {
      name,
      include: files.filter((file) => part.has(file) || (isUnitToo && nth === 0 && parts.unit.has(file))),
      globalSetup: part.engines.length > 0 ? ['test/support/setup.ts'] : [],
    };
  });

export default defineConfig({
  plugins: [threads(), ...(mistakeOfRun === null ? [] : [mistakePlugin(mistakeOfRun)])],
  test: {
    root: resolve(import.meta.dirname, '..'),
    projects: projects.map((test) => ({ extends: true, test })),
    reporters: ['default', new FailedNames()],
    pool: 'forks',
    // Unit tests wait for nothing, and each worker loads everything. In the others, a good part of the time is waiting for servers: more
    // workers than twice the cores of the smallest machine they have to be quick on.
    maxWorkers: named.every((name) => name === 'unit') ? 2 : 5,
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
    // With some of the engines alone, some files have no test. A run with all of them still reports a file without tests.
    passWithNoTests: (process.env.TEST_ENGINES ?? process.env.TEST_PARTS) !== undefined,
    // Files in another order each time; the run prints its seed, `npm test -- --sequence.seed=N` repeats the order.
    sequence: { sequencer: LevelSequencer, seed: Date.now() },
  },
});
