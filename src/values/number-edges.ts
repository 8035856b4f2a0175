/** Divides numbers into ranges whose width is 1, 2 or 5 times a power of ten. It avoids doubles, which would lose digits. */
import { type Decimal, parseDecimal, withoutZeros, writeDecimal } from './decimal.ts';

/** The most digits that a range's edge may have. PostgreSQL's numeric has up to 147,455 digits, and a thousand such edges would be a huge answer. */
const maxDigits = 100;
/** There are at most 1,000 ranges, so the step has at most this many digits fewer than the distance from least to greatest. */
const spareDigits = 4;

/**
 * The ascending edges of at most `maxRanges` ranges that cover all numbers from `least` to `greatest`.
 * @param maxRanges at least 2, because zero is always an edge
 * @param places the column's number of fractional digits; null if it is not limited
 */
export function numberEdges(
  least: string,
  greatest: string,
  maxRanges: number,
  places: number | null,
): readonly string[] {
  const [low, high] = [parseDecimal(least), parseDecimal(greatest)];
  if (low === null || high === null) return [];
  const power = unitOf(low, high, places);
  const [from, to] = [inUnits(low, power), inUnits(high, power)];
  const step = stepFor(from, to, BigInt(maxRanges));
  const edges: string[] = [];
  for (let nth = floor(from, step); nth <= floor(to, step) + 1n; nth++) edges.push(written(nth * step, power));
  return edges;
}

/** The exponent of our counting unit, a power of ten: so small that any step is a multiple, and so large that edges stay short. */
function unitOf(low: Decimal, high: Decimal, places: number | null): number {
  const magnitude = Math.max(
    ...[low, high].map(({ digits, exponent }) => (digits === '' ? 0 : digits.length + exponent)),
  );
  const isOne = low.negative === high.negative && low.digits === high.digits && low.exponent === high.exponent;
  const smallest = Math.min(low.exponent, high.exponent) - (isOne ? 0 : spareDigits);
  return Math.max(magnitude - maxDigits, smallest, places === null ? -Infinity : -places);
}

/** How many whole units the number has, rounded down. */
function inUnits({ negative, digits, exponent }: Decimal, power: number): bigint {
  const shift = exponent - power;
  if (shift >= 0) return BigInt(`${negative ? '-' : ''}${digits}${'0'.repeat(shift)}` || '0');
  const whole = BigInt(digits.slice(0, shift) || '0');
  // The digits don't end in zeros, so the cut-off fraction is not 0: a negative number is rounded down.
  return negative ? -whole - 1n : whole;
}

/** The smallest step that needs at most `maxRanges` ranges. */
function stepFor(from: bigint, to: bigint, maxRanges: bigint): bigint {
  // No smaller unit can suffice, so the search begins here.
  let unit = 10n ** BigInt(Math.max(0, String(to - from).length - spareDigits));
  for (;;) {
    for (const times of [1n, 2n, 5n]) {
      const step = unit * times;
      if (floor(to, step) - floor(from, step) < maxRanges) return step;
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
