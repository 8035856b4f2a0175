/** `npm test` and `npm run test:rest` together run every test on every engine, and none of them twice. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { engineNames, parts, partsOf } from '../parts.ts';

const root = resolve(import.meta.dirname, '../..');
const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const partsIn = (script: string) => partsOf(/TEST_PARTS=(\S+)/.exec(scripts[script] ?? '')?.[1]);
const modules = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !/^(?:bench|clients|soak|unit)\//.test(file))
  .map((file) => ({ file: `test/${file}`, text: readFileSync(join(root, 'test', file), 'utf8') }));
const tests = modules.filter(({ file }) => file.endsWith('.test.ts'));

/** Matches calls that select engines, in tests and in some of their helper modules. `anyEngine` does not count. */
const selecting = /\b(?:engines|servers|onePerDriver|fewServers|fewEngines|anyServer)\(|inject\('(?:engines|pglite)'\)/;
const helpers = modules
  .filter(({ file, text }) => selecting.test(text) && !/\.test\.ts$|support\//.test(file))
  .map(({ file }) => `/${basename(file)}'`);
const usesEngines = (text: string) =>
  selecting.test(text) || (!/\banyEngine\(/.test(text) && helpers.some((end) => text.includes(end)));

test('npm run test:engines is npm test and npm run test:rest', () => {
  expect(scripts['test:engines']).toBe('npm test && npm run test:rest');
  expect(partsIn('test')).toEqual(['unit', 'usual']);
  expect(partsIn('test:rest')).toEqual(['long', 'others']);
});

test('a test that selects engines runs once on each, any other test once', () => {
  expect(tests.length).toBeGreaterThan(150);
  expect(tests.filter(({ text }) => usesEngines(text)).length).toBeGreaterThan(100);
  const runs = [...partsIn('test'), ...partsIn('test:rest')].map((name) => parts[name]);
  const ran = (file: string) => runs.filter((part) => part.has(file)).flatMap(({ engines }) => engines);
  const expected = (text: string) => (usesEngines(text) ? engineNames : engineNames.slice(0, 3));
  expect(tests.map(({ file }) => [file, ran(file)])).toEqual(tests.map(({ file, text }) => [file, expected(text)]));
});

test('a unit test runs in no other part', () => {
  const run = Object.entries(parts).filter(([, part]) => part.has('test/unit/parts.test.ts'));
  expect(run.map(([name]) => name)).toEqual(['unit']);
});
