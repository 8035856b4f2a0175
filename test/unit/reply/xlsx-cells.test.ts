import { describe, expect, test } from 'vitest';
import type { Type } from '../../../src/model/table.ts';
import { cellWriter } from '../../../src/reply/formats/xlsx/cells.ts';
import { int4, text } from '../../support/table.ts';

const counts = { cut: 0, numbers: 0, times: 0 };
const decimal: Type = { kind: 'decimal', precision: null, scale: null, nan: true };
const float: Type = { kind: 'float', bits: 64, nan: true };
const date: Type = { kind: 'date', infinite: true };
const timestamp: Type = { kind: 'timestamp', digits: 6, zoned: true, infinite: true };
const time: Type = { kind: 'time', digits: 6, span: false };
const span: Type = { kind: 'time', digits: 6, span: true };
/** What a cell is, and its content as it stands in the XML. */
const cell = (type: Type, value: string) => {
  const xml = cellWriter(type, counts)(value);
  const [, style = '', is = 'n', shown = ''] =
    /^<c(?: s="(\d)")?(?: t="(\w+)")?>(?:<is><t xml:space="preserve">)?(?:<v>)?([\s\S]*?)(?:<\/v>|<\/t><\/is>)<\/c>$/.exec(
      xml,
    ) ?? [];
  return [{ n: 'number', b: 'boolean', inlineStr: 'text' }[is] + style, shown];
};

test.each<[string, Type, string, string?]>([
  ['number', int4, '-2147483648'],
  ['number', decimal, '999999999999999'],
  ['text', decimal, '9999999999999999'],
  ['text', decimal, '9007199254740993'],
  ['number', decimal, '-123456789012.345'],
  ['text', decimal, '-1234567890123.456'],
  ['number', decimal, '0.000000000000000000000012345'],
  ['number', decimal, '1.50000000000000000000'],
  ['number', decimal, '123456789012345000000'],
  ['text', decimal, `1${'0'.repeat(400)}`],
  ['text', decimal, 'NaN'],
  ['text', decimal, '-Infinity'],
  ['number', float, '0.1'],
  ['number', float, '1.7976931348623157e+308'],
  ['text', float, 'NaN'],
  ['text', float, 'Infinity'],
  ['number', { kind: 'bits', length: 1, varying: false }, '1'],
  ['text', { kind: 'bits', length: 8, varying: false }, '00000001'],
  ['boolean', { kind: 'bool' }, 'true', '1'],
  ['boolean', { kind: 'bool' }, 'false', '0'],
  ['text', { kind: 'bool' }, '2'],
  ['text', text, '00001'],
  ['text', text, ''],
  ['text', text, '=SUM(A1:A2)'],
  ['text', text, ' a\tb\n'],
  ['text', text, 'a\r\n\u0001', 'a_x000D_\n_x0001_'],
  ['text', text, '<&>"\ufffe😀\u0085', '&lt;&amp;&gt;"_xFFFE_😀\u0085'],
  ['text', text, '_x0041_ _xyz_ _x00_', '_x005F_x0041_ _xyz_ _x00_'],
  ['text', { kind: 'array', of: int4 }, '[1,null]'],
  ['text', { kind: 'json', binary: true, finds: 'numeric' }, '{"a": 1.10}'],
  ['text', date, '1900-02-28'],
  ['number2', date, '1900-03-01', '61'],
  ['number2', date, '1970-01-01', '25569'],
  ['number2', date, '9999-12-31', '2958465'],
  ['text', date, '10000-01-01'],
  ['text', date, '2000-01-01 BC'],
  ['text', date, 'infinity'],
  ['text', date, '2020-00-00'],
  ['text', date, '2021-02-29'],
  ['number3', timestamp, '2020-01-02T12:00:00+00:00', '43832.5'],
  ['number3', timestamp, '2020-01-02T23:59:59.999999+00:00', `${43832 + 86399.999 / 86400}`],
  ['text', timestamp, '1899-12-31T00:00:00+00:00'],
  ['text', timestamp, '-infinity'],
  ['number4', time, '06:00:00', '0.25'],
  ['text', time, '24:00:00'],
  ['number5', span, '36:00:00', '1.5'],
  ['number5', span, '838:59:59', `${(838 * 3600 + 59 * 60 + 59) / 86_400}`],
  ['text', span, '-00:00:01'],
])('a %s, nth %#', (is, type, value, shown = value) => {
  expect(cell(type, value)).toEqual([is, shown]);
});

describe('a text of 32,767 characters', () => {
  const long = (value: string) => {
    const before = counts.cut;
    const [, shown = ''] = cell(text, value);
    return [shown.length, counts.cut - before];
  };
  test('is whole; a longer one is cut and counted, never within a character', () => {
    expect(long('x'.repeat(32_767))).toEqual([32_767, 0]);
    expect(long('x'.repeat(32_768))).toEqual([32_767, 1]);
    expect(long(`${'x'.repeat(32_766)}😀`)).toEqual([32_766, 1]);
    expect(long(`${'x'.repeat(32_765)}😀!`)).toEqual([32_767, 1]);
  });
});

test('numbers and times that are text are counted', () => {
  const before = { ...counts };
  for (const value of ['1', '12345678901234567890', 'NaN']) cell(decimal, value);
  for (const value of ['2020-01-01', 'infinity']) cell(date, value);
  expect([counts.numbers - before.numbers, counts.times - before.times]).toEqual([2, 1]);
});
