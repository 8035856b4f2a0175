/** A benchmark measures what users run, starts only the servers that it needs, and records only when told to. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test, vi } from 'vitest';
import { chosenOf, enginesOf } from '../bench/benchmarks.ts';
import { report } from '../bench/report.ts';
import { read, root } from '../support/docs/pages.ts';

const results = resolve(root, 'test/bench/results');

test('a benchmark prints its table, and writes it only with RECORD=1', () => {
  const file = join(results, 'not-recorded.md');
  const print = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  vi.stubEnv('RECORD', undefined);
  try {
    report('not-recorded', 'A title', ['Case', 'Gateway (1/s)'], [['GET', '1']]);
    expect(print.mock.calls.join()).toContain('| GET | 1 |');
    expect(existsSync(file)).toBe(false);
  } finally {
    rmSync(file, { force: true });
    vi.unstubAllEnvs();
    print.mockRestore();
  }
});

test('a benchmark starts only the servers that it needs', () => {
  expect(chosenOf(['run', '--config', 'x', 'cached'])).toEqual(['cached']);
  expect(chosenOf(['test/bench/write.bench.ts', 'proxy'])).toEqual(['proxy', 'write']);
  expect(enginesOf(['cached'])).toEqual(['postgres']);
  expect(enginesOf(['httpxy'])).toEqual([]);
  expect(enginesOf(['cached', 'write-workers'])).toEqual(['postgres', 'mariadb']);
  expect(enginesOf(chosenOf([]))).toEqual(['postgres', 'mariadb', 'mysql', 'mysql56']);
});

test('no benchmark gives Node flags that a user does not give', () => {
  const folder = resolve(root, 'test/bench');
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(?:ts|mjs)$/.test(name),
  );
  const flags = /--[a-z-]*(?:semi-space|old-space|heap|budget)\b|setFlagsFromString|v8-options/;
  expect(sources.filter((name) => flags.test(read(resolve(folder, name))))).toEqual([]);
});
