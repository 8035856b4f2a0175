import fc from 'fast-check';
import { decimal, fixed } from './model/decimal.ts';
import type { Kind } from './table.ts';
import { anyText, letters, similarTexts, words } from './words.ts';

/** Random stored values of a kind, few enough to collide. `key`: without values that only some collations consider equal. */
export function cells(kind: Kind, key = false): fc.Arbitrary<string> {
  switch (kind.is) {
    case 'int': {
      const top = 2n ** BigInt(kind.bits - 1);
      const edges = [
        0n,
        1n,
        -1n,
        2n,
        3n,
        10n,
        100n,
        top - 1n,
        -top,
        ...(kind.bits === 64 ? [2n ** 53n + 1n, 2n ** 53n] : []),
      ];
      return fc.oneof(fc.constantFrom(...edges), fc.bigInt({ min: -top, max: top - 1n })).map(String);
    }
    case 'numeric': {
      const nines = '9'.repeat(kind.precision);
      const unscaled = fc.oneof(
        fc.constantFrom('0', '1', '-1', '10', nines, `-${nines}`),
        fc.bigInt({ min: -(10n ** BigInt(kind.precision)) + 1n, max: 10n ** BigInt(kind.precision) - 1n }).map(String),
      );
      return unscaled.map(
        (text) => fixed(decimal(`${text}e-${kind.scale}`) ?? zero, kind.precision, kind.scale) ?? '0',
      );
    }
    case 'double':
      return fc
        .oneof(fc.constantFrom(...doubles), fc.double({ noNaN: true, noDefaultInfinity: true }))
        .map((n) => String(n === 0 ? 0 : n));
    case 'boolean':
      return fc.constantFrom('true', 'false');
    case 'text':
      return fc.oneof(
        fc.constantFrom(...similarTexts),
        fc.constantFrom(...letters),
        fc.constantFrom(...words),
        anyText,
      );
    case 'varchar':
    case 'char':
      return cells({ is: 'text' }).map((text) => {
        const cut = [...text].slice(0, kind.length).join('');
        if (key) return cut.replace(/[\0- \u007f]/g, '');
        return kind.is === 'char' ? cut.replace(/ +$/, '') : cut;
      });
    case 'date':
      return fc.oneof(fc.constantFrom('2024-02-29', '1970-01-01', '1000-01-01', '9999-12-31', '1582-10-10'), dates);
    case 'timestamp':
      return fc
        .tuple(cells({ is: 'date' }), cells({ is: 'time', digits: kind.digits }))
        .map(([date, time]) => `${date}T${time}`);
    case 'time':
      return fc
        .tuple(
          fc.constantFrom('00:00:00', '12:00:00', '23:59:59', '01:02:03'),
          fc.constantFrom('000000', '500000', '999999', '120000', '123456', '000001'),
        )
        .map(([time, fraction]) => `${time}.${fraction.slice(0, kind.digits).padEnd(6, '0')}`);
    case 'bytes':
      return fc.oneof(
        fc.constantFrom('', '00', 'ff', '2725', '5c78', 'cafe'),
        fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString('hex')),
      );
  }
}

const zero = { coefficient: 0n, exponent: 0 };
const doubles = [
  0,
  1,
  -1,
  0.1,
  1.5,
  -2.5,
  0.30000000000000004,
  1e-7,
  0.0001,
  0.00001,
  1e14,
  1e15,
  1e16,
  1e20,
  1e21,
  123456789012345.6,
  2 ** 53,
  5e-324,
  2.2250738585072014e-308,
  1.7976931348623157e308,
];
const dates = fc
  .tuple(fc.integer({ min: 1000, max: 9999 }), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 28 }))
  .map(([y, m, d]) => `${y}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`);
