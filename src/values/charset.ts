import type { BoundValue } from '../model/value.ts';

/** Matches strings that a MySQL column in this character set can certainly hold. In any other character set, we only trust ASCII. */
const certainTexts: Readonly<Record<string, RegExp>> = {
  utf8: /^[^\ud800-\udfff]*$/,
  utf8mb3: /^[^\ud800-\udfff]*$/,
  latin1: /^[\0-\x7f\xa0-\xff]*$/,
};
const unicode = ['utf8mb4', 'utf16', 'utf16le', 'utf32'];

/** Whether a column may be unable to hold a string. Null: the column has the database's encoding, which can hold every string. */
export function mayNotStore(charset: string | null, value: BoundValue): boolean {
  if (charset === null || unicode.includes(charset) || typeof value !== 'string') return false;
  return !(certainTexts[charset] ?? /^[\0-\x7f]*$/).test(value);
}
