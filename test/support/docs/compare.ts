/** Compares the output that a page shows with what was really printed. In the page `…` stands for anything. */
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'lossless-json';

/**
 * Whether printed lines match a page. `…` within a line stands for any text, a line that is only `…` for any number of lines. Trailing blanks, and
 * empty lines at the start and end, are ignored.
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

/** A regular expression that matches exactly this text. */
export const literally = (text: string): string => text.replace(/[\\^$.|?*+()[\]{}/-]/g, '\\$&');

/**
 * Whether printed JSON matches a page: the same members in any order, numbers with the same digits. `…` within a text stands for any text, as a
 * member's name for more members, as an item for more items.
 */
export function isShownJson(shown: string, printed: string): boolean {
  return isSame(read(shown), read(printed));
}

/** Parses JSON and keeps the digits of numbers. */
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
