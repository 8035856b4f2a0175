import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { identity } from '../../../src/values/convert.ts';
import { cut, decimalIdentity, fitted, parseDecimal, writeDecimal } from '../../../src/values/decimal.ts';
import { shortestFloat32 } from '../../../src/values/float32.ts';

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
    // The same number as an integer, scaled so that no digit is lost.
    exact: BigInt(`${sign === '-' ? '-' : ''}${whole}${fraction}`) * 10n ** BigInt(200 + exponent - fraction.length),
  }));
const exactly = (text: string): bigint => {
  const [mantissa = '', power = '0'] = text.split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return BigInt(whole + fraction) * 10n ** BigInt(200 + Number(power) - fraction.length);
};
function parsed(text: string) {
  const number = parseDecimal(text);
  if (number === null) throw new Error(text);
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

  test('is written plainly: no zeros before it, no minus of a zero, an exponent only instead of many zeros', () => {
    fc.assert(
      fc.property(written, ({ text }) => {
        const plain = writeDecimal(parsed(text));
        expect(plain).toMatch(/^(?!-0(\.0*)?$)-?(0|[1-9]\d*)(\.\d+|e-?\d\d+)?$/);
        expect(plain.length).toBeLessThan(text.length + 70);
      }),
    );
  });

  test('has plain digits in every DECIMAL of MySQL and MariaDB, where an exponent would mean a double', () => {
    const places = fc.integer({ min: 0, max: 38 });
    fc.assert(
      fc.property(places, fc.integer({ min: -40, max: 70 }), digits(1), (scale, power, mantissa) => {
        const stored = fitted(parsed(`${mantissa}e${power}`), 65, scale);
        if (stored !== null) expect(writeDecimal(stored)).not.toContain('e');
      }),
    );
  });

  test('is cut towards zero', () => {
    fc.assert(
      fc.property(written, fc.integer({ min: -50, max: 50 }), ({ text, exact }, places) => {
        const unit = 10n ** BigInt(200 - places);
        expect(exactly(writeDecimal(cut(parsed(text), places)))).toBe((exact / unit) * unit);
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
    ['12.50', '12.50', '125e-1'],
    ['-0.0', '0.0', '0'],
    ['+.5', '0.5', '5e-1'],
    ['5.', '5', '5e0'],
    ['007', '7', '7e0'],
    ['1.5e3', '1500', '15e2'],
    ['1.5e1', '15', '15e0'],
    ['1.50e1', '15.0', '15e0'],
    ['15e-1', '1.5', '15e-1'],
    ['15e-4', '0.0015', '15e-4'],
    ['1.20e-1', '0.120', '12e-2'],
    ['0e999999999999', '0', '0'],
    [' 1\t', '1', '1e0'],
    ['-1.5e66', `-15${'0'.repeat(65)}`, '-15e65'],
    ['-1.5e67', '-15e66', '-15e66'],
    ['1.20e131000', '12e130999', '12e130999'],
    ['1.20e-16000', '120e-16002', '12e-16001'],
    [`1${'0'.repeat(131_000)}`, '1e131000', '1e131000'],
    [`${'12'.repeat(100)}.00`, `${'12'.repeat(100)}.00`, `${'12'.repeat(100)}e0`],
  ])('%s is %s', (text, expected, identity) => {
    expect(writeDecimal(parsed(text))).toBe(expected);
    expect(decimalIdentity(parsed(text))).toBe(identity);
  });

  test.each(['', ' ', '.', '-', 'e5', '.e5', '1e', '1e+', '1 2', '1,5', '0x10', '1_000', 'NaN', 'Infinity', '１'])(
    '%j is none',
    (text) => {
      expect(parseDecimal(text)).toBeNull();
    },
  );

  test.each([
    ['1e131071', '1e131072'],
    ['-1e-16383', '1e-16384'],
    [`${'9'.repeat(131_072)}`, `1${'0'.repeat(131_072)}`],
    [`0.${'1'.repeat(16_383)}`, `0.${'1'.repeat(16_384)}`],
    [`1.${'0'.repeat(20_000)}`, '1e999999999'],
    ['0e-999999999', `1e-${'9'.repeat(400)}`],
  ])('the largest and smallest that any engine holds: %#', (held, not) => {
    expect(fitted(parsed(held), null, null)).not.toBeNull();
    expect(fitted(parsed(not), null, null)).toBeNull();
  });
});

describe('a float32', () => {
  const single = fc.float({ noNaN: true, noDefaultInfinity: true });

  test('is the same float32 again', () => {
    fc.assert(
      fc.property(single, (float) => {
        // `convert` has already handled the sign of zero.
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
