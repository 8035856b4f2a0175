import { expect, test } from 'vitest';
import { namesInSql } from '../../../src/values/sql-names.ts';

const cases: [sql: string, names: readonly string[]][] = [
  ['SELECT 1 FROM "a b"', ['SELECT', '1', 'FROM', 'a b']],
  ['"x""y"', ['x"y']],
  ['U&"d\\0061t\\+000061"', ['data']],
  ['u&"\\+ffffff"', ['']],
  ['public.t', ['public.t', 'public', 't']],
  ['public."t"', ['public', 't']],
  ['0a-1b,c', ['0a-1b', 'c']],
  ['a--b\nc', ['a', 'c']],
  ['a/*b*/c', ['a', 'c']],
  ["a'b''c'd", ['a', 'd']],
  ["E'it\\'s b' c", ['c']],
  ['a$b$c $$d$$ $x$e $$ $x$ f', ['a$b$c', 'f']],
  ["a 'b", ['a']],
  ['a /* b', ['a']],
  ['a "b', ['a', 'b']],
  ['$1 größe', ['1', 'größe']],
];

test.each(cases)('%s', (sql, names) => {
  const found = namesInSql(sql);
  expect([...new Set(found)]).toEqual(names);
});

test('the time grows with the length of the text, whatever is not closed', () => {
  for (const part of ['/*', '$a$', "e'\\", '"', "'", '--', '$', 'a.', 'u&"'])
    expect(namesInSql(part.repeat(100_000)).length).toBeLessThan(400_001);
});
