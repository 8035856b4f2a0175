import type { BoundValue } from '../model/value.ts';

/** Texts that a column of MySQL can surely hold, by its character set. Any other set can hold ASCII. */
const certainTexts: Readonly<Record<string, RegExp>> = {
  utf8: /^[^\ud800-\udfff]*$/,
  utf8mb3: /^[^\ud800-\udfff]*$/,
  latin1: /^[\0-\x7f\xa0-\xff]*$/,
};
const unicode = ['utf8mb4', 'utf16', 'utf16le', 'utf32'];

/** Whether a column of this character set may be unable to hold the text. Null: the set of the whole database, which holds all texts. */
export function mayLack(charset: string | null, value: BoundValue): boolean {
  if (charset === null || unicode.includes(charset) || typeof value !== 'string') return false;
  return !(certainTexts[charset] ?? /^[\0-\x7f]*$/).test(value);
}
