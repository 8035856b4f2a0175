/** Reads numbers the way people type them in the page's language. */
import { numberOf, type RawNumber } from '../ask/json.ts';
import { say } from '../texts/index.ts';
import { decimalSign, groupSign } from './format.ts';

export type TypedNumber =
  | { readonly is: 'number'; readonly value: number | RawNumber | string }
  /** The text could be a decimal, or a number with grouped digits. */
  | { readonly is: 'ambiguous'; readonly readings: readonly [string, string] }
  | { readonly is: 'no number' };

const [group, decimal] = [groupSign, decimalSign].map((sign) => `\\${sign}`);
const plain = new RegExp(`^-?\\d+(?:${decimal}\\d+)?(?:e[+-]?\\d+)?$`, 'i');
const grouped = new RegExp(`^-?[1-9]\\d{0,2}(?:${group}\\d{3})+(?:${decimal}\\d+)?$`);
const foreign = new RegExp(`^-?\\d+${group}\\d+$`);

/** French groups digits with a space that no keyboard has. */
const spaces = /\s/.test(groupSign) ? ([/\s/g, groupSign] as const) : ([/[\u00a0\u202f]/g, ''] as const);

/** A group counts only if it has three digits: German `1.2` is never taken for 12, and never for 1,2. */
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

/** What is wrong with a text that is not a number. */
export const whyNoNumber = (typed: Exclude<TypedNumber, { is: 'number' }>): string =>
  typed.is === 'ambiguous' ? say.ambiguousNumber(...typed.readings) : say.notANumber;

/** JSON has no leading zeros. */
const withoutZeros = (text: string): string => text.replace(/^(-?)0+(?=\d)/, '$1');
