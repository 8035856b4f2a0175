import { expect, test } from 'vitest';
import type { Type } from '../../../src/model/table.ts';
import { parquetColumn, type Value } from '../../../src/reply/formats/parquet/columns.ts';
import { int4, text } from '../../support/table.ts';

const int8: Type = { kind: 'int', wire: 'int8', min: -(2n ** 63n), max: 2n ** 63n - 1n };
const unsigned: Type = { kind: 'int', wire: 'numeric', min: 0n, max: 2n ** 64n - 1n };
const decimal = (precision: number | null, scale: number | null): Type => ({
  ...{ kind: 'decimal', precision, scale, nan: true },
});
const float = (bits: 32 | 64): Type => ({ kind: 'float', bits, nan: true });
const date: Type = { kind: 'date', infinite: true };
const timestamp = (zoned: boolean): Type => ({ kind: 'timestamp', digits: 6, zoned, infinite: true });
const time = (span: boolean): Type => ({ kind: 'time', digits: 6, span });
const array = (of: Type): Type => ({ kind: 'array', of });
const lost = Symbol('lost');

/** The schema of a column in a few words, and a value in it. */
function written(type: Type, value: string): readonly [string, Value | typeof lost] {
  const { elements, value: convert } = parquetColumn('c', type);
  const names = elements.map(({ type: physical, type_length: length, logical_type: logical }) => {
    const { type: kind, ...rest } = { type: '', ...logical };
    const details = Object.values(rest).join(',');
    return [`${physical ?? ''}${length ?? ''}`, `${kind}${details === '' ? '' : `(${details})`}`]
      .filter(Boolean)
      .join(' ');
  });
  let isLost = false;
  const result = convert(value, () => {
    isLost = true;
    return null;
  });
  return [names.join(' > '), isLost && result === null ? lost : result];
}

test.each<[string, Type, string, Value | typeof lost]>([
  ['INT32', int4, '-2147483648', -2_147_483_648],
  ['INT64', int8, '9007199254740993', 9_007_199_254_740_993n],
  ['FIXED_LEN_BYTE_ARRAY9 DECIMAL(20,0)', unsigned, '18446744073709551615', 18_446_744_073_709_551_615n],
  ['INT32 DECIMAL(9,2)', decimal(9, 2), '-1234567.80', -123_456_780n],
  ['INT64 DECIMAL(12,3)', decimal(12, 3), '12.345', 12_345n],
  ['INT64 DECIMAL(18,0)', decimal(18, 0), '999999999999999999', 10n ** 18n - 1n],
  ['FIXED_LEN_BYTE_ARRAY9 DECIMAL(19,0)', decimal(19, 0), '-9999999999999999999', 1n - 10n ** 19n],
  ['FIXED_LEN_BYTE_ARRAY16 DECIMAL(38,10)', decimal(38, 10), '-0.0000000001', -1n],
  ['INT32 DECIMAL(5,0)', decimal(3, -2), '12300', 12_300n],
  ['INT32 DECIMAL(4,4)', decimal(2, 4), '0.0012', 12n],
  ['INT32 DECIMAL(9,2)', decimal(9, 2), 'NaN', lost],
  ['INT32 DECIMAL(9,2)', decimal(9, 2), '12345678.00', lost],
  ['INT32 DECIMAL(9,2)', decimal(9, 2), '1.234', lost],
  ['BYTE_ARRAY STRING', decimal(39, 0), '1', '1'],
  ['BYTE_ARRAY STRING', decimal(null, null), '1.50', '1.50'],
  ['FLOAT', float(32), '0.1', 0.1],
  ['DOUBLE', float(64), '-Infinity', -Infinity],
  ['DOUBLE', float(64), 'NaN', Number.NaN],
  ['BOOLEAN', { kind: 'bool' }, 'true', true],
  ['BOOLEAN', { kind: 'bool' }, '2', lost],
  ['INT32', { kind: 'bits', length: 1, varying: false }, '1', 1],
  ['BYTE_ARRAY STRING', { kind: 'bits', length: 3, varying: false }, '011', '011'],
  ['INT32 DATE', date, '1969-12-31', -1],
  ['INT32 DATE', date, '1600-02-29', -135_081],
  ['INT32 DATE', date, '0001-01-01 BC', -719_528],
  ['INT32 DATE', date, '5874897-12-31', 2_145_042_905],
  ['INT32 DATE', date, 'infinity', lost],
  ['INT32 DATE', date, '0000-00-00', lost],
  ['INT32 DATE', date, '2021-02-29', lost],
  ['INT64 TIMESTAMP(false,MICROS)', timestamp(false), '1969-12-31T23:59:59.999999', -1n],
  ['INT64 TIMESTAMP(true,MICROS)', timestamp(true), '1970-01-01T00:00:00.5+00:00', 500_000n],
  ['INT64 TIMESTAMP(true,MICROS)', timestamp(true), '294276-12-31T23:59:59.999999+00:00', lost],
  ['INT64 TIMESTAMP(true,MICROS)', timestamp(true), '-infinity', lost],
  ['INT64 TIME(false,MICROS)', time(false), '23:59:59.999999', 86_399_999_999n],
  ['INT64 TIME(false,MICROS)', time(false), '24:00:00', lost],
  ['BYTE_ARRAY STRING', time(true), '-800:00:01', '-800:00:01'],
  ['BYTE_ARRAY', { kind: 'binary', length: null }, '\\x00ff', Buffer.from([0, 255])],
  ['BYTE_ARRAY STRING', text, '', ''],
  ['BYTE_ARRAY STRING', { kind: 'json', binary: false, finds: null }, '{"a": 1.10}', '{"a": 1.10}'],
  ['LIST >  > INT64', array(int8), '{9007199254740993,NULL}', [9_007_199_254_740_993n, null]],
  ['LIST >  > BYTE_ARRAY STRING', array(text), '[0:1]={"a\\"b",""}', ['a"b', '']],
  ['LIST >  > BOOLEAN', array({ kind: 'bool' }), '{t,f}', [true, false]],
  ['LIST >  > INT64 TIMESTAMP(true,MICROS)', array(timestamp(true)), '{"1970-01-01 00:00:01+00"}', [1_000_000n]],
  ['LIST >  > INT32', array(int4), '{}', []],
  ['LIST >  > INT32', array(int4), '{{1},{2}}', lost],
  ['BYTE_ARRAY STRING', { kind: 'array', of: int4, vector: 'int2[]' }, '[1,2]', '[1,2]'],
])('%s, nth %#', (schema, type, value, expected) => {
  expect(written(type, value)).toEqual([schema, expected]);
});

test('within a list, a value that cannot be written is null alone', () => {
  const taken: string[] = [];
  const list = parquetColumn('c', array(date)).value('{1970-01-02,infinity}', (one) => {
    taken.push(one);
    return null;
  });
  expect([list, taken]).toEqual([[1, null], ['infinity']]);
});
