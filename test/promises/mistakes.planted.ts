/** Each promise is held by a test: it passes, and fails once the mistake of the promise is planted in the source. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Promised, promises } from '../promises.ts';
import { end, root } from '../support/program.ts';
import { servers } from '../support/servers/engines.ts';

/** A test that hangs because of a mistake ends here, and has found it. */
const testTimeoutMs = 30_000;

/** The reports of all runs. */
let folder: string;
let runs = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'promises-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Outcome {
  readonly passed: number;
  /** The first line of each failure. */
  readonly failures: readonly string[];
  readonly output: string;
}

/** The report of a run, as vitest writes it. */
interface Report {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly failureMessages?: readonly string[] }[];
  }[];
}

/**
 * Runs the tests of one file that have one of these names, on the servers of this run.
 * @param mistake planted in the modules that the tests import, and in the program that they start
 */
async function run(
  { test: file, engines }: Promised,
  names: readonly string[],
  mistake?: Promised['mistake'],
): Promise<Outcome> {
  const report = join(folder, `${runs++}.json`);
  // With the variables of this vitest the other one would take itself for a worker of it.
  const own = Object.entries(process.env).filter(([name]) => !/^(?:VITEST|TEST_|NODE_)/.test(name));
  const child = spawn(
    process.execPath,
    [
      ...['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts', file],
      ...['-t', names.map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')],
      ...['--testTimeout', String(testTimeoutMs), '--reporter=json', '--outputFile', report],
    ],
    {
      cwd: root,
      env: {
        ...Object.fromEntries(own),
        ...Object.fromEntries(servers().map(({ name, url }) => [`TEST_${name.toUpperCase()}_URL`, url])),
        TEST_BUILD: inject('compiled'),
        ...(mistake === undefined ? {} : { TEST_MISTAKE: JSON.stringify(mistake) }),
        TEST_PARTS: file.startsWith('test/unit/') ? 'unit' : 'all',
        // A run has an engine, also for a test that uses none.
        TEST_ENGINES: engines.length === 0 ? 'postgres' : engines.join(),
      },
    },
  );
  const { stdout, stderr } = await end(child);
  const output = stdout + stderr;
  // Without a report the sources could not be loaded, which is no finding of a test.
  if (!existsSync(report)) throw new Error(output);
  const { numPassedTests, testResults }: Report = JSON.parse(readFileSync(report, 'utf8'));
  const failures = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed')
    .map(({ failureMessages = [] }) => failureMessages[0]?.split('\n', 1)[0] ?? 'failed');
  return { passed: numPassedTests, failures, output };
}

/** Runs the tests of a file without a mistake, once for all promises that it holds. */
const sound = new Map<string, Promise<Outcome>>();
function withoutMistake(promised: Promised): Promise<Outcome> {
  const { test: file } = promised;
  const names = promises.filter((other) => other.test === file).map(({ name }) => name);
  const running = sound.get(file) ?? run(promised, names);
  sound.set(file, running);
  return running;
}

test.concurrent.each(promises.map((promised) => [promised.id, promised] as const))('%s', async (_, promised) => {
  const before = await withoutMistake(promised);
  expect(before.failures, before.output).toEqual([]);
  expect(before.passed, `no test has this name\n${before.output}`).toBeGreaterThan(0);
  const { failures, output } = await run(promised, [promised.name], promised.mistake);
  expect(failures.length, `no test has found the mistake\n${output}`).toBeGreaterThan(0);
  console.log(`${promised.id}: ${failures[0]?.slice(0, 200)}`);
});
