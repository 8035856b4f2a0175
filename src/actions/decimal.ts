/** Decimal numbers as text. No digit is ever handed to a double. */

export interface Decimal {
  readonly negative: boolean;
  /** No leading zeros; `0` for none. */
  readonly whole: string;
  /** As written, trailing zeros included. */
  readonly fraction: string;
}

/** PostgreSQL's numeric holds 131072 digits before the point and 16383 after it. */
const maxWhole = 131_072;
const maxFraction = 16_383;

/**
 * Reads `-12.50`, `.5`, `1e3`. Returns null for what is not a number, `huge` for what no engine's decimal can hold
 * (so that `1e999999999` costs nothing).
 */
export function parseDecimal(text: string): Decimal | 'huge' | null {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text.trim());
  if (match === null) return null;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  if (whole + fraction === '') return null;
  const shift = Number(exponent);
  const isZero = !/[1-9]/.test(whole + fraction);
  if (!isZero && (shift > maxWhole || shift < -maxFraction || whole.length > maxWhole || fraction.length > maxFraction))
    return 'huge';
  const moved = isZero ? { whole: '0', fraction: shift === 0 ? fraction : '' } : move(whole, fraction, shift);
  return { negative: sign === '-', whole: moved.whole.replace(/^0+(?=\d)/, '') || '0', fraction: moved.fraction };
}

/** The fraction without trailing zeros: what distinguishes the number. */
export function significantFraction(number: Decimal): string {
  return withoutZeros(number.fraction);
}

/** Cuts trailing zeros off. `/0+$/` would take the square of a megabyte of zeros before a last 1. */
export function withoutZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}

/** Plain digits, without exponent, trailing zeros kept. */
export function writeDecimal(number: Decimal): string {
  const digits = number.fraction === '' ? number.whole : `${number.whole}.${number.fraction}`;
  return number.negative && /[1-9]/.test(digits) ? `-${digits}` : digits;
}

/** Orders two numbers by their exact values. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const places = Math.max(a.fraction.length, b.fraction.length);
  const units = ({ negative, whole, fraction }: Decimal) =>
    BigInt((negative ? '-' : '') + whole + fraction.padEnd(places, '0'));
  const [left, right] = [units(a), units(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** A number of units of 10^-places as plain digits. */
export function writeUnits(units: bigint, places: number): string {
  const digits = String(units < 0n ? -units : units).padStart(places + 1, '0');
  const sign = units < 0n ? '-' : '';
  if (places <= 0) return units === 0n ? '0' : `${sign}${digits}${'0'.repeat(-places)}`;
  return `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

function move(whole: string, fraction: string, by: number): { whole: string; fraction: string } {
  if (by >= 0) return { whole: whole + fraction.slice(0, by).padEnd(by, '0'), fraction: fraction.slice(by) };
  const padded = whole.padStart(-by, '0');
  return { whole: padded.slice(0, padded.length + by), fraction: padded.slice(padded.length + by) + fraction };
}
