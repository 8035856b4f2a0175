/** Limits for searches in columns whose texts may have any length. */
import type { Column } from '../../model/table.ts';

/**
 * The limit of bytes of all patterns or words that a call compares with long texts. Servers try the pattern at each position of the
 * text, and ignore a KILL until the record is done. A pattern of a thousand equal letters takes seconds on a text of a million,
 * and a pattern of ten thousand half a minute.
 */
export const mostOnLongTexts = 500;

/** The characters up to which a column counts as short: a pattern of `limits.qBytes` takes milliseconds on such a text. */
const maxShortCharacters = 10_000;

/** Whether a text of this column may be of any length. */
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

/** The text of the refusal for patterns or words of this many bytes. */
export const tooLongFor = ({ label }: Column, bytes: number): string =>
  `must have at most ${mostOnLongTexts} bytes to be looked for in texts of any length such as "${label}", got: ${bytes}`;
