/** Inserts entries into configuration files of any style: nothing else changes, and the parser finds the entries. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { insertEntries } from '../../../src/config/insert.ts';
import { fuzzCases } from '../../support/fuzz-cases.ts';

const entry = [
  '# about 3 rows',
  'fresh:',
  '  table: t # why',
  '  columns:',
  '    a: { hidden: true }',
  '  access: { read: token }',
];
const value = { table: 't', columns: { a: { hidden: true } }, access: { read: 'token' } };

/** Inserts an entry, and checks what must hold for every file. */
function inserted(text: string): string {
  const whole = insertEntries(text, 'resources', [entry]);
  if (whole === null) throw new Error('nothing was inserted');
  // The insertion is contiguous: without it, the file is byte for byte the old one.
  let start = 0;
  while (start < text.length && text[start] === whole[start]) start++;
  let end = 0;
  while (end < text.length - start && text.at(-1 - end) === whole.at(-1 - end)) end++;
  expect(text.slice(0, start) + text.slice(text.length - end)).toBe(text);
  const before: unknown = parse(text.replace(/^\ufeff/, ''));
  expect(parse(whole.replace(/^\ufeff/, ''))).toEqual({
    ...Object(before),
    resources: { ...Object(before).resources, fresh: value },
  });
  return whole;
}

test('the indentation and the line ends are those of the file', () => {
  expect(inserted('resources:\r\n    a:\r\n        table: x\r\ntokens: []\r\n')).toBe(
    [
      ...['resources:', '    a:', '        table: x', '    # about 3 rows', '    fresh:', '        table: t # why'],
      ...['        columns:', '            a: { hidden: true }', '        access: { read: token }', 'tokens: []', ''],
    ].join('\r\n'),
  );
});

test.each([
  [
    'aligned comments',
    'resources:\n  a: { table: x }      # one\n  bb: { table: y }     # two\n\n# the tokens\ntokens: []\n',
  ],
  ['an anchor and an alias', 'resources:\n  a: &a\n    table: x\n  b: *a\n'],
  ['a block of text', 'resources:\n  a:\n    description: |\n      one\n\n      two\ntokens: []\n'],
  ['a kept block of text', 'resources:\n  a:\n    description: |+\n      one\n\n\ntokens: []\n'],
  ['four blanks', 'resources:\n    a:\n        table: x\n'],
  ['one blank', 'resources:\n a:\n  table: x\n'],
  ['no line end', 'resources:\n  a: { table: x }'],
  ['an entry without a value', 'resources:\n  a:\ntokens: []\n'],
  ['braces over several lines', 'resources:\n  a: {\n    table: x\n  } # end\n\ntokens: []\n'],
  ['a comment behind the last entry', 'resources:\n  a:\n    table: x\n    # of a\n  # of nobody\ntokens: []\n'],
  ['a document between marks', '---\nresources:\n  a: { table: x }\n...\n'],
  ['a byte order mark', '\ufeffresources:\n  a: { table: x }\ntokens: []\n'],
  ['quoted names', 'resources:\n  "a b": { table: x }\n  \'c\': { table: y }\n'],
  ['a list as the last value', 'resources:\n  a:\n    key:\n    - x\n    - y\ntokens:\n- a: 1\n'],
  ['resources in front', 'resources:\n  a: { table: x }\ndatabases:\n  b: { client: y }\n'],
])('%s', (_, text) => void inserted(text));

test.each([
  ['resources in braces', 'resources: { a: { table: x } }\n'],
  ['no resources', 'databases: {}\n'],
  ['empty resources', 'resources:\ntokens: []\n'],
  ['a list', '- a\n'],
  ['not YAML', 'resources:\n  a: [\n'],
  ['an explicit key', 'resources:\n  ? a\n  : table: x\n'],
])('%s: nothing can be inserted', (_, text) => expect(insertEntries(text, 'resources', [entry])).toBeNull());

test('names of digits keep their places', () => {
  inserted('resources:\n  zoo: { table: x }\n  2024: { table: y }\n');
  const whole = insertEntries('resources:\n  zoo: { table: x }\n', 'resources', [['"2024":', '  table: y']]);
  expect(whole).toBe('resources:\n  zoo: { table: x }\n  "2024":\n    table: y\n');
});

test('a name that is there already is not added a second time', () => {
  expect(insertEntries('resources:\n  fresh: { table: x }\n', 'resources', [entry])).toBeNull();
});

test('no entry, no change', () => expect(insertEntries('resources: {}\n', 'resources', [])).toBe('resources: {}\n'));

const blanks = fc.constantFrom('', ' ', '   ');
const remark = fc.constantFrom('', ' # a remark', '   # {braces} "quotes"', ' # tab\tinside');
const writtenValue = (indent: string) =>
  fc.constantFrom(
    ' { table: x }',
    ` {\n${indent}  table: x\n${indent}}`,
    `\n${indent}table: x`,
    `\n${indent}table: "x: y"\n${indent}key: [a,\n${indent} b]`,
    `\n${indent}table: x\n\n${indent}# inside\n${indent}description: >-\n${indent}  long\n${indent}  text`,
    `\n${indent}description: |+\n${indent}  kept\n\n`,
    `\n${indent}key:\n${indent}- a\n${indent}- b`,
    '',
  );
const files = fc
  .record({
    outer: fc.integer({ min: 1, max: 5 }),
    inner: fc.integer({ min: 1, max: 5 }),
    crlf: fc.boolean(),
    end: fc.boolean(),
  })
  .chain(({ outer, inner, crlf, end }) => {
    const [one, two] = [' '.repeat(outer), ' '.repeat(outer + inner)];
    const item = fc.tuple(
      writtenValue(two),
      remark,
      fc.constantFrom('', '\n', `\n${one}# between`, `\n\n# at the margin`),
    );
    return fc
      .tuple(fc.array(item, { minLength: 1, maxLength: 4 }), blanks, fc.boolean(), fc.boolean())
      .map(([items, trailing, isFirst, hasMark]) => {
        const entries = items.map(
          ([value, said, gap], i) => `${one}r${i}:${value}${value.endsWith('\n') ? '' : said}${gap}`,
        );
        const resources = `resources:${trailing}\n${entries.join('\n')}`;
        const tokens = `tokens:\n- { name: a }${trailing}`;
        const text = `${hasMark ? '---\n' : ''}${isFirst ? `${resources}\n${tokens}` : `${tokens}\n${resources}`}${end ? '\n' : ''}`;
        return crlf ? text.replaceAll('\n', '\r\n') : text;
      });
  })
  .filter((text) => {
    try {
      return typeof Object(parse(text)).resources?.r0 !== 'undefined';
    } catch {
      return false;
    }
  });

test('files of any style', () => {
  fc.assert(
    fc.property(files, (text) => void inserted(text)),
    fuzzCases(300),
  );
});
