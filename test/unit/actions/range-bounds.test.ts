import { describe, expect, test } from 'vitest';
import { where } from '../../../src/actions/query/filters.ts';
import { choice, type Type } from '../../../src/model/table.ts';
import type { Json } from '../../../src/model/value.ts';
import { positionOf } from '../../../src/values/range.ts';
import { bounds, column, films, withColumns } from '../../support/table.ts';
import { refused } from './refused.ts';

const tiny: Type = { kind: 'int', wire: 'int2', min: -128n, max: 127n };
const year: Type = { kind: 'int', wire: 'int4', min: 1901n, max: 2155n, zero: true };
const decimal = (precision: number | null, scale: number | null, nan = false): Type => ({
  ...{ kind: 'decimal', precision, scale, nan },
});
const numeric = { kind: 'decimal', precision: null, scale: null, nan: true } as const;
const float = (bits: 32 | 64, nan = false): Type => ({ kind: 'float', bits, nan });
const date = (infinite: boolean): Type => ({ kind: 'date', infinite });
const timestamp = (digits: number, infinite: boolean, zoned = false): Type => ({
  ...{ kind: 'timestamp', digits, zoned, infinite },
});
const time = (digits: number, span: boolean, lastSecond?: true): Type => ({
  ...{ kind: 'time', digits, span, ...(lastSecond === undefined ? {} : { lastSecond }) },
});
const text: Type = { kind: 'text', length: 3, padded: false, nul: false };

function describeBound(json: Json, type: Type): string {
  const found = positionOf(json, type);
  return 'value' in found ? `${found.is} ${found.value}` : found.is;
}

test.each<readonly [string, Type, readonly (readonly [Json, string])[]]>([
  [
    'int',
    tiny,
    [
      [5, 'at 5'],
      ['-0', 'at 0'],
      [2.5, 'above 2'],
      [-2.5, 'below -2'],
      [0.1, 'above 0'],
      [-0.1, 'below 0'],
      [127, 'at 127'],
      [127.5, 'above 127'],
      [128, 'over'],
      [-128.5, 'below -128'],
      [-129, 'under'],
      ['1e999999999', 'over'],
      ['-1e999999999', 'under'],
      ['1e-999999999', 'above 0'],
      ['-1e-999999999', 'below 0'],
      ['NaN', 'wrong'],
      [true, 'wrong'],
    ],
  ],
  [
    'YEAR, which has a 0',
    year,
    [
      [-1, 'under'],
      [-0.5, 'below 0'],
      [0.5, 'above 0'],
      [1900, 'above 0'],
      [1901, 'at 1901'],
      [2156, 'over'],
    ],
  ],
  [
    'decimal',
    decimal(4, 2),
    [
      ['1.00', 'at 1.00'],
      ['1.005', 'above 1.00'],
      ['-1.005', 'below -1.00'],
      ['0.001', 'above 0.00'],
      ['-0.001', 'below 0.00'],
      ['99.99', 'at 99.99'],
      ['99.991', 'above 99.99'],
      [100, 'above 99.99'],
      ['-1e400', 'below -99.99'],
      ['Infinity', 'above 99.99'],
      ['NaN', 'above 99.99'],
      ['-inf', 'below -99.99'],
      ['1e-99999', 'above 0.00'],
    ],
  ],
  [
    'decimal of tens',
    decimal(2, -1, true),
    [
      [110, 'at 110'],
      [115, 'above 110'],
      [-9, 'below 0'],
      [995, 'above 990'],
      ['1e9', 'above 990'],
      ['NaN', 'at NaN'],
      ['Infinity', 'above 990'],
    ],
  ],
  [
    'decimal below 1',
    decimal(1, 3),
    [
      ['0.0095', 'above 0.009'],
      ['0.5', 'above 0.009'],
      ['-0.0001', 'below 0.000'],
    ],
  ],
  [
    'decimal without bounds',
    { ...numeric, infinite: true },
    [
      ['1e50', `at 1${'0'.repeat(50)}`],
      ['1e131000', 'at 1e131000'],
      ['1e200000', 'below Infinity'],
      ['-1e200000', 'above -Infinity'],
      ['Infinity', 'at Infinity'],
      ['1e-200000', 'above 0'],
      ['-1e-200000', 'below 0'],
      [`12.5${'0'.repeat(16_382)}1`, 'above 12.5'],
      [`-12.5${'0'.repeat(16_382)}1`, 'below -12.5'],
    ],
  ],
  [
    'decimal without bounds before PostgreSQL 14, which has NaN and no infinities',
    numeric,
    [
      ['1e200000', 'below NaN'],
      ['Infinity', 'below NaN'],
      ['NaN', 'at NaN'],
      ['-1e200000', 'under'],
      ['-Infinity', 'under'],
    ],
  ],
  [
    'double',
    float(64),
    [
      [0.1, 'at 0.1'],
      ['0.1000', 'at 0.1'],
      // The bound rounds to the same double, but is not equal to it.
      ['0.10000000000000001', 'above 0.1'],
      ['0.0999999999999999999', 'below 0.1'],
      ['9007199254740993', 'above 9007199254740992'],
      ['-0.0', 'at 0'],
      ['1e-400', 'above 0'],
      ['-1e-99999', 'below 0'],
      ['1e400', 'above 1.7976931348623157e+308'],
      ['-1e400', 'below -1.7976931348623157e+308'],
      ['NaN', 'above 1.7976931348623157e+308'],
    ],
  ],
  [
    'double of PostgreSQL',
    float(64, true),
    [
      ['NaN', 'at NaN'],
      ['-Infinity', 'at -Infinity'],
      ['1e400', 'above 1.7976931348623157e+308'],
    ],
  ],
  [
    'float',
    float(32),
    [
      [0.1, 'at 0.1'],
      [16777217, 'above 16777216'],
      ['0.100000001', 'above 0.1'],
      ['3.4028235e38', 'at 3.4028235e+38'],
      ['3.5e38', 'above 3.4028235e+38'],
      [1e-50, 'above 0'],
    ],
  ],
  [
    'date',
    date(false),
    [
      ['2024-02-29', 'at 2024-02-29'],
      ['2024-02-29T00:00:00Z', 'at 2024-02-29'],
      ['2024-02-29T12:00', 'above 2024-02-29'],
      ['2024-02-29 00:00:00.0000001', 'above 2024-02-29'],
      ['2024-02-00', 'at 2024-02-00'],
      ['0000-00-00', 'under'],
      ['0044-03-15 BC', 'under'],
      ['-infinity', 'under'],
      ['10000-01-01', 'over'],
      ['infinity', 'over'],
      ['2023-02-29', 'wrong'],
      [20240229, 'wrong'],
    ],
  ],
  [
    'date of PostgreSQL',
    date(true),
    [
      ['0044-03-15T12:00 BC', 'above 0044-03-15 BC'],
      ['2024-00-17', 'below 2024-01-01'],
      ['2024-02-00', 'below 2024-02-01'],
      ['0000-05-05', 'below 0001-01-01'],
      ['5874898-01-01', 'below infinity'],
      ['5000-01-01 BC', 'above -infinity'],
      ['infinity', 'at infinity'],
    ],
  ],
  [
    'timestamp',
    timestamp(3, false),
    [
      ['2024-02-29T12:34:56.789', 'at 2024-02-29 12:34:56.789'],
      ['2024-02-29T12:34:56.7891234567', 'above 2024-02-29 12:34:56.789'],
      ['2024-02-29T12:34:56.0009', 'above 2024-02-29 12:34:56'],
      ['2024-02-29T12:34:56+02:00', 'wrong'],
      ['10000-01-01', 'over'],
    ],
  ],
  [
    'timestamp with time zone',
    timestamp(0, true, true),
    [
      ['2024-02-29T12:34:56.5+02:00', 'above 2024-02-29 10:34:56+00'],
      ['0044-03-15 12:00:00.5 BC', 'above 0044-03-15 12:00:00+00 BC'],
      ['300000-01-01', 'below infinity'],
      ['2024-00-17', 'below 2024-01-01 00:00:00+00'],
    ],
  ],
  [
    'TIME, which has a sign',
    time(1, true),
    [
      ['12:00:00.25', 'above 12:00:00.2'],
      ['-12:00:00.25', 'below -12:00:00.2'],
      ['-00:00:00.01', 'below 00:00:00'],
      ['838:59:59.05', 'over'],
      ['900:00:00', 'over'],
      ['-900:00:00', 'under'],
    ],
  ],
  ['TIME with its last second', time(0, true, true), [['838:59:59.5', 'above 838:59:59']]],
  [
    'time of day',
    time(6, false),
    [
      ['24:00:00', 'at 24:00:00'],
      ['24:00:00.1', 'over'],
      ['-00:00:01', 'under'],
      ['12:00:00.1234567', 'above 12:00:00.123456'],
    ],
  ],
  [
    'text',
    text,
    [
      ['abc', 'at abc'],
      ['abcdef', 'at abcdef'],
      [5, 'at 5'],
      ['a\0b', 'above a'],
      ['\ud800', 'wrong'],
    ],
  ],
  [
    'bits',
    { kind: 'bits', length: 2, varying: false },
    [
      ['01', 'at 01'],
      ['011', 'wrong'],
    ],
  ],
  [
    'array',
    { kind: 'array', of: tiny },
    [
      [[1, 2], 'at {"1","2"}'],
      [[1.5], 'wrong'],
    ],
  ],
])('%s', (_, type, places) => {
  expect(places.map(([json]) => [json, describeBound(json, type)])).toEqual(places);
});

describe('types of few values', () => {
  const enumTable = withColumns(films, [
    column('yes', { kind: 'bool' }),
    column('size', choice(['', 'small', 'medium', 'large'], false)),
    column('set', choice(['a', 'b'], true)),
  ]);
  test.each([
    [{ yes: { gt: false } }, ['true']],
    [{ yes: { gte: 'f' } }, ['false', 'true']],
    [{ yes: { lt: false } }, []],
    [{ yes: { lte: false } }, ['false']],
    // An enum is ordered by its declaration, as in the database.
    [{ size: { gt: 'small' } }, ['medium', 'large']],
    [{ size: { gte: 'small' } }, ['small', 'medium', 'large']],
    [{ size: { lt: 'small' } }, ['']],
    [{ size: { lte: 'large' } }, ['', 'small', 'medium', 'large']],
  ])('%j', (filters, values) => {
    expect(where(filters, enumTable, bounds)).toMatchObject({ op: 'in', values });
  });
  test.each([
    [{ size: { gt: 'huge' } }, 'invalid input value for enum: "huge" (field "size")'],
    [{ set: { gt: 'a' } }, 'a field of type text has no order for "gt" (field "set")'],
    [{ yes: { gt: 1 } }, 'invalid input syntax for type boolean: "1" (field "yes")'],
  ])('%j is refused', (filters, says) => {
    expect(refused(() => where(filters, enumTable, bounds))).toEqual({ filters: [says] });
  });
});
