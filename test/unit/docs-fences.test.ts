/** Every fenced block of the docs is run, loaded or compared by a test, or listed with a reason. These checks find mistakes in that. */
import { expect, test } from 'vitest';
import { isShownJson, isShownText } from '../support/docs/compare.ts';
import { problemsOf, scenes, treatmentOf, untestedBlocks } from '../support/docs/coverage.ts';
import { applyDiff } from '../support/docs/edit.ts';
import { fencesOf, pages } from '../support/docs/fences.ts';

test('every block is run, loaded, compared or named with the reason', () => {
  expect(problemsOf(pages.flatMap((page) => fencesOf(page)))).toEqual([]);
  expect(untestedBlocks.filter(({ why }) => why === '')).toEqual([]);
});

test('every page that is run has something to run', () => {
  const idle = Object.keys(scenes).filter((page) => !fencesOf(page).some((fence) => treatmentOf(fence) === 'run'));
  expect(idle).toEqual([]);
});

const block = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\`\n`;
const page = (...blocks: readonly string[]) => fencesOf('docs/publishing.md', blocks.join('\n'));

test.each([
  ['without a language', block('', 'x'), 'docs/publishing.md:1: no test takes this block of ""'],
  [
    'of a language that nothing runs',
    block('ruby', 'puts 1'),
    'docs/publishing.md:1: no test takes this block of "ruby"',
  ],
  ['that shows an output of nothing', block('json', '{}'), 'docs/publishing.md:1: no test takes this block of "json"'],
  [
    'of YAML that does not load',
    block('yaml', 'sever: {}'),
    'docs/publishing.md:1: sever (page.yaml:1:1) is not a setting',
  ],
])('a block %s is a problem', (_, text, problem) => {
  const [first, ...others] = problemsOf(page(text), []);
  expect(first).toContain(problem);
  expect(others).toEqual([]);
});

test('a block on a page that is not run is a problem, and so is a second output', () => {
  const run = fencesOf('docs/security.md', block('sh', 'true'));
  expect(problemsOf(run, [])).toEqual(['docs/security.md:1: no test takes this block of "sh"']);
  const twice = page(block('sh', 'true'), block('text', 'a'), block('text', 'b'));
  expect(twice.map((fence) => treatmentOf(fence, []))).toEqual(['run', 'output', null]);
  const apart = page(block('sh', 'true'), '## Another matter\n', block('text', 'a'));
  expect(apart.map((fence) => treatmentOf(fence, []))).toEqual(['run', null]);
});

test('a name without its block is a problem, and a named block is none', () => {
  const one = { page: 'docs/publishing.md', begins: 'docker', why: 'needs Docker' };
  expect(problemsOf(page(block('sh', 'docker up')), [one])).toEqual([]);
  expect(problemsOf(page(), [one])).toEqual(['docs/publishing.md: 0 blocks begin with "docker"']);
});

test('a block that is indented or has no end is refused', () => {
  expect(() => fencesOf('a.md', '  ```sh\n  ls\n  ```\n')).toThrow('a.md:1: a fenced block must not be indented');
  expect(() => fencesOf('a.md', 'x\n```sh\nls\n')).toThrow('a.md:2: the block does not end');
});

test.each([
  ['a\nb', 'a\nb\n', true],
  ['a\nb', '\na\nb  \n\n', true],
  ['a\nb', 'a\nc', false],
  ['a', 'a\nb', false],
  ['a', '', false],
  ['a … z', 'a b z', true],
  ['a … z', 'a b\nc z', false],
  ['a\n…\nz', 'a\nb\nc\nz', true],
  ['a\n…\nz', 'a\nz', true],
  ['a\n…', 'b\na', false],
  ['a.b', 'axb', false],
])('the text %j is shown for %j: %j', (shown, printed, is) => {
  expect(isShownText(shown, printed)).toBe(is);
});

test.each([
  ['{"a": 1, "b": [2]}', '{"b":[2],"a":1}', true],
  ['{"a": 1}', '{"a":1,"b":2}', false],
  ['{"a": 1, "…": "…"}', '{"a":1,"b":2}', true],
  ['{"a": 1, "b": 2}', '{"a":1}', false],
  ['{"a": 9007199254740993}', '{"a":9007199254740992}', false],
  ['{"a": 1.50}', '{"a":1.5}', false],
  ['{"a": "1"}', '{"a":1}', false],
  ['{"a": "x…z"}', '{"a":"x\\nyz"}', true],
  ['["a", "…"]', '["a","b","c"]', true],
  ['["a", "…"]', '["b"]', false],
  ['["a"]', '["a","b"]', false],
  ['null', 'null', true],
  ['{"a": null}', '{"a":false}', false],
])('the JSON %s is shown for %s: %j', (shown, printed, is) => {
  expect(isShownJson(shown, printed)).toBe(is);
});

test('an edit replaces the lines that it shows, and only where they stand once', () => {
  const text = 'a:\n  x: 1\nb:\n  hash: "00ff"\n  x: 1\n';
  const edit = (diff: string) => applyDiff(diff, () => text);
  expect(edit('--- f.yaml\n a:\n-  x: 1\n+  x: 2')).toEqual({ file: 'f.yaml', lines: text.replace('x: 1', 'x: 2') });
  expect(edit('--- f.yaml\n-  hash: "…"\n+  hash: "…" # kept').lines).toContain('  hash: "00ff" # kept\n');
  expect(() => edit('--- f.yaml\n-  x: 1\n+  x: 2')).toThrow('f.yaml has 2 times');
  expect(() => edit('--- f.yaml\n-  y: 1')).toThrow('f.yaml has 0 times');
  expect(() => edit('-  x: 1')).toThrow('a diff must begin with --- FILE');
});
