/** Limits for searching in columns with texts of any length. */
import type { Column } from '../../model/table.ts';

/**
 * Limit of bytes of all patterns, or words, that are compared with such texts. Servers try the whole pattern at each position
 * of the text, and ignore KILL until a record is done. A thousand equal letters in a pattern and a million in a text take some
 * seconds. Ten thousand take half a minute.
 */
export const mostOnLongTexts = 500;

/** Columns up to this many characters count as short; a pattern of `limits.qBytes` on such a text takes milliseconds. */
const short = 10_000;

/** Whether a text of this column may be of any length. */
export function isLong({ type }: Column): boolean {
  switch (type.kind) {
    case 'text':
      return type.length === null || type.length > short;
    case 'json':
    case 'array':
      return true;
    default:
      return false;
  }
}

/** The refusal for patterns or words of so many bytes. */
export const tooLongFor = ({ label }: Column, bytes: number): string =>
  `must have at most ${mostOnLongTexts} bytes to be looked for in texts of any length such as "${label}", got: ${bytes}`;
