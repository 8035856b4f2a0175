/** Whatever `npm test` tests only in part, `npm run fuzz` or `npm run soak` tests in full. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const { scripts }: { scripts: Record<'fuzz' | 'soak', string> } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);
const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts') && !file.endsWith('thinned.test.ts'))
  .map((file) => `test/${file}`);

const marks = {
  fuzz: /FUZZ_CASES|\b(?:fuzzCases|fewEngines|fewServers|fewWorkers|standsForItsKind)\(|shareOf.*\/world\.ts/,
  soak: /SOAK_OPERATIONS/,
};

test.each(['fuzz', 'soak'] as const)('npm run %s has every file with a part of what it runs', (script) => {
  const paths = scripts[script].split(' ').filter((word) => word.startsWith('test/'));
  const thinned = files.filter((file) => marks[script].test(readFileSync(join(root, file), 'utf8')));
  expect(thinned.length).toBeGreaterThan(5);
  expect(thinned.filter((file) => !paths.some((path) => file.startsWith(path)))).toEqual([]);
});
