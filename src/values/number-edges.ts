/** Edges of ranges of numbers, in steps of 1, 2 or 5 times a power of ten. No digit passes through a double. */
import { type Decimal, parseDecimal, withoutZeros, writeDecimal } from './decimal.ts';

/** Digits of an edge at most. PostgreSQL's numeric has 147,455, and a thousand edges of that length would be an attack. */
const mostDigits = 100;
/** A step has at most so many digits less than the distance of two values: there are at most a thousand ranges. */
const spareDigits = 4;

/**
 * The edges, ascending, of at most `most` ranges from the least to the greatest number.
 * @param most at least 2: zero is always an edge
 * @param places fractional digits of the column at most; null: any number
 */
export function numberEdges(least: string, greatest: string, most: number, places: number | null): readonly string[] {
  const [low, high] = [parseDecimal(least), parseDecimal(greatest)];
  if (low === null || high === null) return [];
  const power = unitOf(low, high, places);
  const [from, to] = [inUnits(low, power), inUnits(high, power)];
  const step = stepFor(from, to, BigInt(most));
  const edges: string[] = [];
  for (let nth = floor(from, step); nth <= floor(to, step) + 1n; nth++) edges.push(written(nth * step, power));
  return edges;
}

/** The power of ten that counts as one: small enough for any step, and large enough for numbers of few digits. */
function unitOf(low: Decimal, high: Decimal, places: number | null): number {
  const magnitude = Math.max(
    ...[low, high].map(({ digits, exponent }) => (digits === '' ? 0 : digits.length + exponent)),
  );
  const isOne = low.negative === high.negative && low.digits === high.digits && low.exponent === high.exponent;
  const smallest = Math.min(low.exponent, high.exponent) - (isOne ? 0 : spareDigits);
  return Math.max(magnitude - mostDigits, smallest, places === null ? -Infinity : -places);
}

/** The number of whole units, rounded down. */
function inUnits({ negative, digits, exponent }: Decimal, power: number): bigint {
  const shift = exponent - power;
  if (shift >= 0) return BigInt(`${negative ? '-' : ''}${digits}${'0'.repeat(shift)}` || '0');
  const whole = BigInt(digits.slice(0, shift) || '0');
  // A fraction is left over, because the digits have no zeros at their end.
  return negative ? -whole - 1n : whole;
}

/** The least step with which so many ranges suffice. */
function stepFor(from: bigint, to: bigint, most: bigint): bigint {
  // No shorter step can suffice.
  let unit = 10n ** BigInt(Math.max(0, String(to - from).length - spareDigits));
  for (;;) {
    for (const times of [1n, 2n, 5n]) {
      const step = unit * times;
      if (floor(to, step) - floor(from, step) < most) return step;
    }
    unit *= 10n;
  }
}

/** How often the step goes into the number, rounded down. */
function floor(number: bigint, step: bigint): bigint {
  const times = number / step;
  return number < 0n && times * step !== number ? times - 1n : times;
}

function written(units: bigint, power: number): string {
  const all = String(units < 0n ? -units : units);
  const digits = units === 0n ? '' : withoutZeros(all);
  const exponent = digits === '' ? 0 : power + all.length - digits.length;
  return writeDecimal({ negative: units < 0n, digits, exponent, scale: Math.max(0, -exponent) });
}
