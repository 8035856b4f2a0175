/** Each promise is held by a test: it passes, and fails once the mistake of the promise is planted in a copy of the sources. */
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Promised, promises } from '../promises.ts';
import { end, root } from '../support/program.ts';
import { servers } from '../support/servers/engines.ts';
import { atOnce } from './vitest.config.ts';

/** A test that hangs because of a mistake ends here, and has found it. */
const testTimeoutMs = 30_000;

/** Copies of the repository in which no mistake is planted at the moment. Inside the repository, so that they find its packages. */
const trees: string[] = [];
let folder: string;
beforeAll(() => {
  mkdirSync(join(root, '.cache'), { recursive: true });
  folder = mkdtempSync(join(root, '.cache/promises-'));
  for (let nth = 0; nth < atOnce; nth++) {
    const tree = join(folder, String(nth));
    for (const name of ['src', 'test', 'config', 'docs', 'package.json', 'tsconfig.json'])
      cpSync(join(root, name), join(tree, name), { recursive: true });
    cpSync(inject('compiled'), join(tree, 'dist'), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
    mkdirSync(join(tree, '.cache'));
    trees.push(tree);
  }
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

/** Runs the tests of one file that have one of these names, on the servers of this run. */
async function run(tree: string, { test: file, engines }: Promised, names: readonly string[]): Promise<Outcome> {
  const report = join(tree, 'report.json');
  rmSync(report, { force: true });
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
      cwd: tree,
      env: {
        ...Object.fromEntries(own),
        ...Object.fromEntries(servers().map(({ name, url }) => [`TEST_${name.toUpperCase()}_URL`, url])),
        TEST_BUILD: join(tree, 'dist'),
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

/** Writes a source file and its compiled form. */
function write(tree: string, file: string, source: string): void {
  writeFileSync(join(tree, file), source);
  const { code } = transformSync(source, { loader: 'ts', target: 'es2023' });
  const compiled = join(tree, file.replace(/^src/, 'dist').replace(/\.ts$/, '.js'));
  writeFileSync(compiled, code.replace(/(from |import\()"(\.[^"]+)\.ts"/g, '$1"$2.js"'));
}

/** Runs the tests of a file without a mistake, once for all promises that it holds. */
const sound = new Map<string, Promise<Outcome>>();
function withoutMistake(tree: string, promised: Promised): Promise<Outcome> {
  const { test: file } = promised;
  const names = promises.filter((other) => other.test === file).map(({ name }) => name);
  const running = sound.get(file) ?? run(tree, promised, names);
  sound.set(file, running);
  return running;
}

async function plant(tree: string, promised: Promised): Promise<Outcome> {
  const { file, right, wrong } = promised.mistake;
  const source = readFileSync(join(tree, file), 'utf8');
  const mistaken = source.replace(right, () => wrong);
  write(tree, file, mistaken);
  try {
    return await run(tree, promised, [promised.name]);
  } finally {
    write(tree, file, source);
  }
}

test.concurrent.each(promises.map((promised) => [promised.id, promised] as const))('%s', async (_, promised) => {
  const tree = trees.pop();
  if (tree === undefined) throw new Error(`more than ${atOnce} run at once`);
  try {
    const before = await withoutMistake(tree, promised);
    expect(before.failures, before.output).toEqual([]);
    expect(before.passed, `no test has this name\n${before.output}`).toBeGreaterThan(0);
    const { failures, output } = await plant(tree, promised);
    expect(failures.length, `no test has found the mistake\n${output}`).toBeGreaterThan(0);
    console.log(`${promised.id}: ${failures[0]?.slice(0, 200)}`);
  } finally {
    trees.push(tree);
  }
});
