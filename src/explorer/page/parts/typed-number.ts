/** Reads numbers as people of the page's language type them. */
import { numberOf, type RawNumber } from '../ask/json.ts';
import { decimalSign, groupSign } from './format.ts';

export type TypedNumber =
  | { readonly is: 'number'; readonly value: number | RawNumber | string }
  /** It may be meant as a decimal, or as a number with groups of digits. */
  | { readonly is: 'ambiguous'; readonly readings: readonly [string, string] }
  | { readonly is: 'no number' };

const [group, decimal] = [groupSign, decimalSign].map((sign) => `\\${sign}`);
const plain = new RegExp(`^-?\\d+(?:${decimal}\\d+)?(?:e[+-]?\\d+)?$`, 'i');
const grouped = new RegExp(`^-?[1-9]\\d{0,2}(?:${group}\\d{3})+(?:${decimal}\\d+)?$`);
const foreign = new RegExp(`^-?\\d+${group}\\d+$`);

/** French groups digits by a space that no keyboard has. */
const spaces = /\s/.test(groupSign) ? ([/\s/g, groupSign] as const) : ([/[\u00a0\u202f]/g, ''] as const);

/** Groups count only where each has three digits: `1.2` in German is never taken for 12, and never for 1,2. */
export function typedNumber(typed: string): TypedNumber {
  const text = typed
    .trim()
    .replace('−', '-')
    .replace(...spaces);
  // CKAN writes these as strings.
  if (/^(?:NaN|-?Infinity)$/.test(text)) return { is: 'number', value: text };
  if (plain.test(text) || grouped.test(text)) {
    const value = numberOf(withoutZeros(text.replaceAll(groupSign, '').replace(decimalSign, '.')));
    return value === null ? { is: 'no number' } : { is: 'number', value };
  }
  if (!foreign.test(text)) return { is: 'no number' };
  return { is: 'ambiguous', readings: [text.replace(groupSign, decimalSign), text.replace(groupSign, '')] };
}

/** JSON has no leading zeros. */
const withoutZeros = (text: string): string => text.replace(/^(-?)0+(?=\d)/, '$1');
