/**
 * Decimal numbers as strings. No digit ever passes through a double, and exponents are compared before digits are written out, so
 * that the nine characters of `1e1310000` never become a million digits.
 */

/** The number `digits` × 10^`exponent`. */
export interface Decimal {
  readonly negative: boolean;
  /** The significant digits, without zeros at either end; empty for 0. */
  readonly digits: string;
  readonly exponent: number;
  /** How many fractional digits were written, trailing zeros included: PostgreSQL's numeric stores this number, too. */
  readonly scale: number;
}

/** PostgreSQL's numeric has 131072 digits before the point and 16383 after it. No engine has more. */
const maxWhole = 131_072;
export const maxScale = 16_383;

/** Reads `-12.50`, `.5`, `1e3`. Returns null for a string that is not a number. */
export function parseDecimal(text: string): Decimal | null {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text.trim());
  if (match === null) return null;
  const [, sign, whole = '', fraction = '', power = '0'] = match;
  const all = whole + fraction;
  if (all === '') return null;
  const shift = Number(power);
  const trimmed = withoutZeros(all);
  const digits = withoutLeadingZeros(trimmed);
  if (digits === '') return { negative: false, digits, exponent: 0, scale: shift === 0 ? fraction.length : 0 };
  return {
    negative: sign === '-',
    digits,
    exponent: shift - fraction.length + all.length - trimmed.length,
    scale: Math.max(0, fraction.length - shift),
  };
}

/** Cuts trailing zeros off. `/0+$/` would take quadratic time for a megabyte of zeros before a last 1. */
export function withoutZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}

function withoutLeadingZeros(digits: string): string {
  let start = 0;
  while (digits[start] === '0') start++;
  return digits.slice(start);
}

/** The exponent of the smallest power of ten that is larger than the number; `-Infinity` for 0. */
const magnitude = ({ digits, exponent }: Decimal): number => (digits === '' ? -Infinity : digits.length + exponent);

/**
 * The number as a column `numeric(precision, scale)` stores it. Null if it is too large, or if the column would round it. A
 * precision of null is the widest type of any engine. PostgreSQL allows a scale below 0 or above the precision.
 */
export function fitted(number: Decimal, precision: number | null, scale: number | null): Decimal | null {
  const places = precision === null ? maxScale : (scale ?? 0);
  const maxWholeDigits = precision === null ? maxWhole : precision - places;
  const fits = number.digits === '' || (number.exponent >= -places && magnitude(number) <= maxWholeDigits);
  return fits ? { ...number, scale: Math.min(number.scale, Math.max(places, 0)) } : null;
}

/** Truncates a number to `places` fractional digits. If `places` is negative, it truncates tens, hundreds and so on. */
export function cut(number: Decimal, places: number): Decimal {
  const { digits, exponent } = number;
  const cutDigits = digits.slice(0, Math.max(0, digits.length + Math.min(0, exponent + places)));
  const significant = withoutZeros(cutDigits);
  return {
    negative: number.negative && significant !== '',
    digits: significant,
    exponent: significant === '' ? 0 : exponent + digits.length - significant.length,
    scale: Math.max(places, 0),
  };
}

/** The largest number of numeric(precision, places). */
export function greatest(precision: number, places: number): Decimal {
  return { negative: false, digits: '9'.repeat(precision), exponent: -places, scale: Math.max(places, 0) };
}

/** Compares two numbers by their exact values, for sorting. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  if (a.negative !== b.negative) return a.negative ? -1 : 1;
  const [left, right] = a.negative ? [b, a] : [a, b];
  const larger = magnitude(left) - magnitude(right);
  // The difference of two zeros is NaN. Numbers of equal magnitude are ordered by their digits.
  if (larger < 0 || larger > 0) return larger;
  return left.digits < right.digits ? -1 : left.digits > right.digits ? 1 : 0;
}

/** The whole part of a number. Null if it has more than 20 digits, which no integer column can hold. */
export function toInteger(number: Decimal): bigint | null {
  if (magnitude(number) > 20) return null;
  const { digits, exponent } = cut(number, 0);
  return digits === '' ? 0n : BigInt(`${number.negative ? '-' : ''}${digits}${'0'.repeat(exponent)}`);
}

/** How many zeros we write out before we use an exponent. MySQL's numbers have up to 65 digits, and must be written in plain digits. */
const maxZeros = 65;

/**
 * The canonical spelling, which keeps trailing zeros of the fraction: plain digits, or an exponent instead of very many zeros.
 * PostgreSQL does not write out the zeros of such an exponent, either.
 */
export function writeDecimal({ negative, digits, exponent, scale }: Decimal): string {
  const sign = negative ? '-' : '';
  if (digits === '') return scale === 0 ? '0' : `0.${'0'.repeat(scale)}`;
  const power = scale === 0 ? exponent : -scale;
  const all = digits.padEnd(digits.length + exponent - power, '0');
  const zeros = Math.max(power, -power + 1 - all.length);
  if (zeros > maxZeros) return `${sign}${all}e${power}`;
  if (power >= 0) return `${sign}${all}${'0'.repeat(power)}`;
  const padded = all.padStart(1 - power, '0');
  return `${sign}${padded.slice(0, power)}.${padded.slice(power)}`;
}

/** A string that is the same for all spellings of a number, to compare the keys of records. */
export function decimalIdentity({ negative, digits, exponent }: Decimal): string {
  return digits === '' ? '0' : `${negative ? '-' : ''}${digits}e${exponent}`;
}
