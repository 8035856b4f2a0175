import { expect, test } from 'vitest';
import { canShow } from '../../../src/dialects/alphabet.ts';
import { choice, type Type } from '../../../src/model/table.ts';
import { int4, text } from '../../support/table.ts';

const timestamp: Type = { kind: 'timestamp', digits: 6, zoned: true, infinite: true };
const number: Type = { kind: 'decimal', precision: null, scale: null, nan: true };
const date: Type = { kind: 'date', infinite: true };

test.each<readonly [Type, readonly string[]]>([
  [int4, ['7', '-12']],
  [number, ['2.50', '-1', 'NaN', '-Infinity', 'infinity', 'NAN']],
  [{ kind: 'float', bits: 64, nan: true }, ['1e+20', '2.5E-05']],
  [{ kind: 'bool' }, ['TRUE', 'als', 'true']],
  [date, ['2024-02-29', '0044-03-15 BC', '-infinity']],
  [timestamp, ['2024-02-29t23:59:59.123456+00:00', '29T2', '0044-03-15T00:00:00+00:00 BC', 'infinity']],
  [{ kind: 'time', digits: 6, span: true }, ['-838:59:59', '12:30:00.5']],
  [{ kind: 'bits', length: 5, varying: false }, ['01010']],
  [{ kind: 'uuid' }, ['6D1B7B4E-0f5a']],
  [{ kind: 'array', of: number }, ['[1.5,null]', '[[1,2],[3,4]]', '"NaN"']],
  [{ kind: 'array', of: text }, ['any ж']],
  [choice(['a', 'b'], false), ['any ж']],
  [text, ['any ж']],
])('%o may show %j', (type, texts) => {
  for (const shown of texts) expect([shown, canShow(type, shown)]).toEqual([shown, true]);
});

test.each<readonly [Type, readonly string[]]>([
  [int4, ['a', '1 2', '1.5', 'ж', '１', '٣', '\u0001']],
  [number, ['water', '5%', '1,5']],
  [{ kind: 'bool' }, ['1', 'yes']],
  [date, ['water', '2024/02']],
  [timestamp, ['fog', 'серпень']],
  [{ kind: 'uuid' }, ['water', '{6d1b']],
  [{ kind: 'array', of: number }, ['water', '1;2']],
])('%o shows none of %j', (type, texts) => {
  for (const shown of texts) expect([shown, canShow(type, shown)]).toEqual([shown, false]);
});

test('a character that folds to one of the alphabet is no reason to leave a column out', () => {
  // The long s, and the dotted and dotless i.
  expect(canShow({ kind: 'bool' }, 'fal\u017fe')).toBe(true);
  for (const shown of ['ınfınıty', 'İnfinity']) expect([shown, canShow(date, shown)]).toEqual([shown, true]);
  // The Kelvin sign folds to k, which no number contains.
  expect(canShow(number, '\u212a')).toBe(false);
});
