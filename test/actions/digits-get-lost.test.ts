import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDecimal, significantFraction, writeDecimal } from '../../src/actions/decimal.ts';
import { identity } from '../../src/actions/values.ts';
import { shortestFloat32 } from '../../src/float32.ts';

const digits = (minLength: number) => fc.stringMatching(new RegExp(`^[0-9]{${minLength},40}$`));
const written = fc
  .record({
    sign: fc.constantFrom('', '-', '+'),
    whole: digits(1),
    fraction: digits(0),
    exponent: fc.integer({ min: -60, max: 60 }),
  })
  .map(({ sign, whole, fraction, exponent }) => ({
    text: `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}${exponent === 0 ? '' : `e${exponent}`}`,
    // The same number as a whole one: every digit, shifted beyond all fractions.
    exact: BigInt(`${sign === '-' ? '-' : ''}${whole}${fraction}`) * 10n ** BigInt(200 + exponent - fraction.length),
  }));
const exactly = (plain: string): bigint => {
  const [whole = '', fraction = ''] = plain.split('.');
  return BigInt(whole + fraction) * 10n ** BigInt(200 - fraction.length);
};
function parsed(text: string) {
  const number = parseDecimal(text);
  if (number === null || number === 'huge') throw new Error(text);
  return number;
}

describe('a decimal', () => {
  test('is the number that was written, to the last digit', () => {
    fc.assert(
      fc.property(written, ({ text, exact }) => {
        expect(exactly(writeDecimal(parsed(text)))).toBe(exact);
      }),
    );
  });

  test('is written plainly: no exponent, no zeros before it, no minus of a zero', () => {
    fc.assert(
      fc.property(written, ({ text }) => {
        expect(writeDecimal(parsed(text))).toMatch(/^(?!-0(\.0*)?$)-?(0|[1-9]\d*)(\.\d+)?$/);
      }),
    );
  });

  test('reads what it has written', () => {
    fc.assert(
      fc.property(written, ({ text }) => {
        const once = writeDecimal(parsed(text));
        expect(writeDecimal(parsed(once))).toBe(once);
      }),
    );
  });

  test('is identified by its value, however it is spelled', () => {
    const type = { kind: 'decimal', precision: null, scale: null, nan: true } as const;
    const identityOf = (text: string) => identity(writeDecimal(parsed(text)), type);
    fc.assert(
      fc.property(written, written, fc.nat(20), (a, b, zeros) => {
        expect(identityOf(a.text) === identityOf(b.text)).toBe(a.exact === b.exact);
        const plain = writeDecimal(parsed(a.text));
        const longer = `${plain}${plain.includes('.') ? '' : '.'}${'0'.repeat(zeros)}`;
        expect(identityOf(longer)).toBe(identityOf(a.text));
      }),
    );
  });

  test.each([
    ['12.50', '12.50', '5'],
    ['-0.0', '0.0', ''],
    ['+.5', '0.5', '5'],
    ['5.', '5', ''],
    ['007', '7', ''],
    ['1.5e3', '1500', ''],
    ['1.5e1', '15', ''],
    ['15e-1', '1.5', '5'],
    ['15e-4', '0.0015', '0015'],
    ['1.20e-1', '0.120', '12'],
    ['0e999999999999', '0', ''],
    [' 1\t', '1', ''],
  ])('%s is %s', (text, expected, fraction) => {
    expect(writeDecimal(parsed(text))).toBe(expected);
    expect(significantFraction(parsed(text))).toBe(fraction);
  });

  test.each(['', ' ', '.', '-', 'e5', '.e5', '1e', '1e+', '1 2', '1,5', '0x10', '1_000', 'NaN', 'Infinity', '１'])(
    '%j is none',
    (text) => {
      expect(parseDecimal(text)).toBeNull();
    },
  );

  test.each(['1e131073', '1e-16384', '1e999999999', `1${'0'.repeat(131_072)}`, `0.${'1'.repeat(16_384)}`])(
    'more than any engine holds is told apart: %#',
    (text) => {
      expect(parseDecimal(text)).toBe('huge');
    },
  );
});

describe('a float32', () => {
  const single = fc.float({ noNaN: true, noDefaultInfinity: true });

  test('is the same float32 again', () => {
    fc.assert(
      fc.property(single, (float) => {
        // The sign of a zero is told by `convert`, before.
        expect(Math.fround(Number(shortestFloat32(float))) === float).toBe(true);
      }),
    );
  });

  test('has no shorter text', () => {
    fc.assert(
      fc.property(single, (float) => {
        const digitsOf = (text: string) =>
          text
            .replace(/e.*$/, '')
            .replace(/[-.]/g, '')
            .replace(/^0+|0+$/g, '').length;
        const length = digitsOf(String(shortestFloat32(float)));
        for (let fewer = 1; fewer < length; fewer++)
          expect(Math.fround(Number(float.toPrecision(fewer)))).not.toBe(float);
      }),
    );
  });

  test.each([
    [Math.fround(0.1), '0.1'],
    [16777216, '16777216'],
    [Math.fround(3.4028235e38), '3.4028235e+38'],
    [2 ** -149, '1e-45'],
    [-1.5, '-1.5'],
  ])('%d is %s', (float, expected) => {
    expect(String(shortestFloat32(float))).toBe(expected);
  });
});
