/** An exact decimal number: `coefficient × 10^exponent`, without trailing zeros in the coefficient. */
export interface Decimal {
  readonly coefficient: bigint;
  readonly exponent: number;
}

const form = /^([+-]?)(\d+\.?\d*|\.\d+)(?:[eE]([+-]?\d+))?$/;

/** Parses the text of a number; null if it is not one. */
export function decimal(text: string): Decimal | null {
  const found = form.exec(text);
  if (found === null) return null;
  const [, sign, digits = '', power = '0'] = found;
  const [whole = '', fraction = ''] = digits.split('.');
  const all = (whole + fraction).replace(/^0+(?=\d)/, '');
  const zeros = all === '0' ? 0 : (/0*$/.exec(all)?.[0].length ?? 0);
  const coefficient = BigInt(all.slice(0, all.length - zeros));
  const exponent = coefficient === 0n ? 0 : Number(power) - fraction.length + zeros;
  return { coefficient: sign === '-' ? -coefficient : coefficient, exponent };
}

/** The number with exactly `scale` decimals; null if it has more, or more than `whole` digits before the point. */
export function fixed({ coefficient, exponent }: Decimal, whole: number, scale: number): string | null {
  const magnitude = coefficient < 0n ? -coefficient : coefficient;
  if (magnitude === 0n) return scale === 0 ? '0' : `0.${'0'.repeat(scale)}`;
  if (-exponent > scale || magnitude.toString().length + exponent > whole) return null;
  const digits = (magnitude * 10n ** BigInt(exponent + scale)).toString().padStart(scale + 1, '0');
  const point = digits.length - scale;
  return `${coefficient < 0n ? '-' : ''}${digits.slice(0, point)}${scale === 0 ? '' : `.${digits.slice(point)}`}`;
}
