/** A single thread serves everybody, so parsing a value must take linear time. In quadratic time these would take hours. */
import { expect, test } from 'vitest';
import { sort } from '../../../src/actions/query/page.ts';
import { searches } from '../../../src/actions/query/words.ts';
import { choice, type Type } from '../../../src/model/table.ts';
import { convert } from '../../../src/values/convert.ts';
import { bounds, films, int4, text } from '../../support/table.ts';

const long = 3_000_000;
const zeros = '0'.repeat(long);
const blanks = ' '.repeat(long);
const decimal: Type = { kind: 'decimal', precision: 10, scale: 2, nan: true };
const timestamp: Type = { kind: 'timestamp', digits: 6, zoned: true, infinite: true };

test.each<readonly [string, string, Type]>([
  ['a fraction of a second', `2020-01-01T00:00:00.${zeros}1`, timestamp],
  ['a zone', `2020-01-01T00:00:00${blanks}x`, timestamp],
  ['a time', `00:00:00.${zeros}1`, { kind: 'time', digits: 6, span: true }],
  ['a fraction', `0.${zeros}1`, decimal],
  ['an exponent', `1e${'9'.repeat(long)}`, decimal],
  ['blanks before a number', `${blanks}x`, int4],
  ['blanks after a number', `1${blanks}x`, { kind: 'float', bits: 64, nan: true }],
  ['digits', '9'.repeat(long), int4],
  ['bits', `${'01'.repeat(long / 2)}2`, { kind: 'bits', length: 8, varying: false }],
  ['a uuid', `{${'a0'.repeat(long / 2)}`, { kind: 'uuid' }],
  ['an array', `{${'{'.repeat(1000)}${'"a",'.repeat(long / 4)}`, { kind: 'array', of: text }],
  [
    'an interval',
    `${'.0'.repeat(long / 2)}${zeros}1`,
    { kind: 'opaque', wire: 'interval', comparable: true, digits: 6 },
  ],
  ['an address', '1:'.repeat(long / 2), { kind: 'opaque', wire: 'inet', comparable: true, form: 'inet6' }],
  ['a text', '😀'.repeat(long / 2), { kind: 'text', length: 10, padded: true, nul: false }],
  ['a set', 'a,'.repeat(long / 2), choice(['a', 'b'], true)],
])('%s', (_, sent, type) => {
  expect(convert(sent, type).is).not.toBe('value');
});

test('bytes, as many as a body may hold', () => {
  expect(convert(`\\x${'ab'.repeat(5_000_000)}`, { kind: 'binary', length: null })).toMatchObject({ is: 'value' });
});

test('a sort clause', () => {
  expect(() => sort([`title${blanks}x desc`], films)).toThrow();
  expect(() => sort([`title${' nulls'.repeat(long / 6)}`], films)).toThrow();
  expect(sort([`title${blanks}desc${blanks}nulls${blanks}first${blanks}`], films)[0]?.nulls).toBe('first');
});

test('a search', () => {
  const searchFor = (q: string, plain: boolean) => () =>
    searches({ q, fullText: null, plain, language: null }, films, { ...bounds, qWords: 16 });
  expect(searchFor('" '.repeat(long / 2), true)).not.toThrow();
  expect(searchFor('a '.repeat(long / 2), true)).toThrow();
  expect(searchFor('a'.repeat(long), false)).not.toThrow();
  for (const part of ['a&', 'a <-> ', '!', '(', ')', '()', "'", "a'", '\\', ':*', 'a:*', '& ', '<'])
    expect(searchFor(`x ${part.repeat(long / part.length)}`, false), part).toThrow();
});
