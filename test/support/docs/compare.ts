/** What a page shows as the output of a block, against what the block has printed. `…` stands for what is left out. */
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'lossless-json';

/**
 * Whether the lines are those that a page shows. `…` in a line is any text, and a line of `…` alone is any lines. Blanks at the end
 * of a line do not count, nor do empty lines at both ends.
 */
export function isShownText(shown: string, printed: string): boolean {
  const lines = plain(shown).map((line) => (line.trim() === '…' ? '(?:.*\n)*?' : `${patternOf(line)}\n`));
  return new RegExp(`^${lines.join('')}$`).test(`${plain(printed).join('\n')}\n`);
}

const plain = (text: string): readonly string[] =>
  text
    .replace(/^(?:[ \t]*\n)+|\s+$/g, '')
    .split('\n')
    .map((line) => line.trimEnd());

const patternOf = (line: string): string => line.split('…').map(literally).join('.*');

/** The text as a regular expression that matches it alone. */
export const literally = (text: string): string => text.replace(/[\\^$.|?*+()[\]{}/-]/g, '\\$&');

/**
 * Whether a JSON text is the one that a page shows: the same members, in any order, with the same digits. `…` within a text is any
 * text; a member of that name stands for more members, an item for more items.
 */
export function isShownJson(shown: string, printed: string): boolean {
  return isSame(read(shown), read(printed));
}

/** Numbers as their digits. */
const read = (text: string): unknown => parse(text, null, (digits) => ({ digits }));

function isSame(shown: unknown, printed: unknown): boolean {
  if (typeof shown === 'string') return typeof printed === 'string' && isShownWords(shown, printed);
  if (Array.isArray(shown)) {
    const rest = shown.at(-1) === '…';
    const items = rest ? shown.slice(0, -1) : shown;
    if (!Array.isArray(printed) || (rest ? printed.length < items.length : printed.length !== items.length))
      return false;
    return items.every((item, at) => isSame(item, printed[at]));
  }
  if (isMembers(shown)) {
    if (!isMembers(printed)) return false;
    const names = Object.keys(shown).filter((name) => name !== '…');
    if (!Object.hasOwn(shown, '…') && Object.keys(printed).length !== names.length) return false;
    return names.every((name) => Object.hasOwn(printed, name) && isSame(shown[name], printed[name]));
  }
  return isDeepStrictEqual(shown, printed);
}

const isShownWords = (shown: string, printed: string): boolean =>
  new RegExp(`^${patternOf(shown)}$`, 's').test(printed);

const isMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
