/** Most numbers and times take a fast path, with the same result as the general one. */
import { expect, test } from 'vitest';
import type { Type } from '../../../src/model/table.ts';
import { convert } from '../../../src/values/convert.ts';
import { parseDate, parseTimestamp } from '../../../src/values/datetime.ts';

const numbers = [0, 1, 9, 10, 99.9, 99.95, 100, 999.99, 999.995, 0.1, 0.01, 1e-6, 9.9e-7, 1e-7, 1e15 - 1, 1e15, 1e16]
  .concat([1e20, 1e21, 1.5e300, 5e-324, 2 ** 53 - 1, 2 ** 53, 32_767, 32_768, 1901, 0.30000000000000004, 12_345.678])
  .flatMap((number) => [number, -number]);
const decimal = (precision: number | null, scale: number | null): Type => ({
  ...{ kind: 'decimal', precision, scale, nan: true },
});
const types: readonly Type[] = [
  { kind: 'int', wire: 'int2', min: -32_768n, max: 32_767n },
  { kind: 'int', wire: 'int8', min: -(2n ** 63n), max: 2n ** 63n - 1n },
  { kind: 'int', wire: 'int2', min: 1901n, max: 2155n, zero: true },
  ...[
    decimal(null, null),
    decimal(5, 2),
    decimal(3, 1),
    decimal(2, 4),
    decimal(3, -2),
    decimal(38, 0),
    decimal(65, 30),
  ],
  { kind: 'float', bits: 64, nan: true },
  { kind: 'float', bits: 64, nan: true, scale: 2 },
  { kind: 'float', bits: 32, nan: true },
];

test.each(types.map((type) => [type.kind, type] as const))('a number is converted as its text is: %s', (_, type) => {
  for (const number of numbers)
    expect(convert(number, type), String(number)).toEqual(convert(Object.is(number, -0) ? '-0' : String(number), type));
});

const days = [
  '0000-01-01',
  '0001-01-01',
  '2020-00-10',
  '2020-13-01',
  '2020-02-00',
  '2020-02-28',
  '2020-02-30',
  '9999-12-31',
];

test.each([true, false])('a time is converted as with its zone (infinite: %s)', (infinite) => {
  for (const day of days)
    for (const clock of ['00:00:00', '23:59:59', '24:00:00', '12:60:00', '12:00:60']) {
      const type = { digits: 3, zoned: infinite, infinite };
      for (const between of ['T', ' ', 't', 'x'])
        expect(parseTimestamp(`${day}${between}${clock}`, type)).toBe(
          parseTimestamp(`${day}${between}${clock}Z`, type),
        );
      expect(parseDate(day, infinite)).toBe(parseDate(`${day} 00:00:00`, infinite));
    }
});
