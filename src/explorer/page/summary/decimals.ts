/** Exact sums and comparisons of decimals that are given as text. Pure. */

interface Decimal {
  readonly units: bigint;
  /** The number of digits after the point. */
  readonly places: number;
}

function decimalOf(text: string): Decimal | null {
  const [match, whole = '', fraction = ''] = /^(-?\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  return match === undefined ? null : { units: BigInt(whole + fraction), places: fraction.length };
}

/** All numbers as integers of the smallest unit among them; null if a text is not a decimal, such as `1e300` or `NaN`. */
function inUnits(texts: readonly string[]): { readonly units: readonly bigint[]; readonly places: number } | null {
  const all = texts.map(decimalOf);
  if (!all.every((one) => one !== null)) return null;
  const places = Math.max(0, ...all.map((one) => one.places));
  return { units: all.map((one) => one.units * 10n ** BigInt(places - one.places)), places };
}

/** The sum with all digits; null if a text is not a decimal. */
export function sumOf(texts: readonly string[]): string | null {
  const all = inUnits(texts);
  if (all === null) return null;
  const sum = all.units.reduce((so, one) => so + one, 0n);
  const digits = String(sum < 0n ? -sum : sum).padStart(all.places + 1, '0');
  const whole = digits.slice(0, digits.length - all.places);
  return `${sum < 0n ? '-' : ''}${whole}${all.places === 0 ? '' : `.${digits.slice(-all.places)}`}`;
}

/** Orders numbers by their exact value, and other texts alphabetically. */
export function compareTexts(one: string, other: string): number {
  const all = inUnits([one, other]);
  const [a, b] = all === null ? [one, other] : [all.units[0] ?? 0n, all.units[1] ?? 0n];
  return a < b ? -1 : a > b ? 1 : 0;
}
