/** How much may be looked for in columns whose texts may be of any length. */
import type { Column } from '../../model/table.ts';

/**
 * Bytes of all patterns, or words, that are compared with such texts. To find where a text contains a pattern, servers try each place of
 * the text with up to the whole pattern, and hear no KILL before a record is done. With a thousand times the same letter in a pattern and
 * a million times in a text, that takes some seconds; with ten thousand, half a minute.
 */
export const mostOnLongTexts = 500;

/** Characters that a column may hold and count as short; a pattern of `limits.qBytes` on so many takes milliseconds. */
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

/** What a refusal says of patterns or words of so many bytes. */
export const tooLongFor = ({ label }: Column, bytes: number): string =>
  `must have at most ${mostOnLongTexts} bytes to be looked for in texts of any length such as "${label}", got: ${bytes}`;
