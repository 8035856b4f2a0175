/** Limits for searches in columns whose values may be very long. */
import type { Column } from '../../model/table.ts';

/**
 * The limit of bytes of all patterns or words that a call compares with long texts. Servers try the pattern at each position of the text,
 * and ignore a KILL until the record is done. On a text of a million characters, a pattern of a thousand equal letters takes seconds, and
 * one of ten thousand half a minute.
 */
export const maxBytesOnLongTexts = 500;

/** A column of at most this many characters counts as short: matching one value with `limits.qBytes` of patterns takes milliseconds. */
const maxShortCharacters = 10_000;

/** Whether values of this column may be very long. */
export function isLong({ type }: Column): boolean {
  switch (type.kind) {
    case 'text':
      return type.length === null || type.length > maxShortCharacters;
    case 'json':
    case 'array':
      return true;
    default:
      return false;
  }
}

/** The message for a refused search whose patterns or words have this many bytes. */
export const tooLongFor = ({ label }: Column, bytes: number): string =>
  `must have at most ${maxBytesOnLongTexts} bytes to be looked for in texts of any length such as "${label}", got: ${bytes}`;
