/** Conditions for columns that contain words. They match the text that the API shows, ignoring case. */

import type { Column } from '../../model/table.ts';
import { certainOf, contains, hasPattern, type Words } from '../../model/words.ts';
import { canShow } from '../alphabet.ts';
import { type Expression, filling, joined, type Operand, of, raw } from '../knex.ts';
import { textOf } from '../query.ts';
import { shown } from './column.ts';

/** Whether any of the columns contains the words. */
export function contained(words: Words, columns: readonly Column[]): Expression {
  const able = ableTo(columns, words);
  if (able.length === 0) return raw('FALSE');
  const groups = textOf(words).includes(separator) || hasPattern(words) ? able.map((one) => [one]) : together(able);
  return joined(
    groups.map((group) => holds(group, words)),
    ' OR ',
  );
}

/** One condition for each column that can contain the words. */
export const containedIn = (words: Words, columns: readonly Column[]): readonly Expression[] =>
  ableTo(columns, words).map((column) => holds([column], words));

const ableTo = (columns: readonly Column[], words: Words): readonly Column[] =>
  textOf(words).isWellFormed() ? columns.filter(({ type }) => canShow(type, certainOf(words))) : [];

/** Separates the joined texts of columns. A word that contains this character is searched in each column separately. */
const separator = '\u0001';

/** Compares bytes: that is correct in UTF-8, and takes half the time. Most of the rest goes into folding case, so we join texts first. */
function holds(columns: readonly Column[], words: Words): Expression {
  const texts = columns.map(unicode);
  const text = texts.length === 1 ? texts : [raw('CONCAT_WS(CHAR(1 USING utf8mb4), ??)', [texts])];
  // A `_` in a pattern must match a whole character, and would match a single byte. So compare characters if the words have a pattern.
  const compared = (text: string) =>
    hasPattern(words) ? `${lower(text)} COLLATE utf8mb4_bin` : `CAST(${lower(text)} AS BINARY)`;
  const pattern = compared('CONVERT(? USING utf8mb4)');
  return raw(`${compared('??')} LIKE ${pattern} ESCAPE '|'`, [...text, contains(words)]);
}

/** Converts texts to utf8mb4, because texts in different character sets cannot be joined. */
const unicode = (column: Column): Operand =>
  of(column, column.charset === 'utf8mb4' && shown(column) === '??' ? '??' : `CONVERT(${shown(column)} USING utf8mb4)`);

/**
 * Groups the columns whose texts are joined. A joined text above `max_allowed_packet` (1 MB or more) would be NULL, and folding case
 * may add half of its length.
 */
function together(columns: readonly Column[]): readonly (readonly Column[])[] {
  const groups: Column[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const column of columns) {
    const more = maxBytesOf(column);
    const last = groups.at(-1);
    if (last !== undefined && bytes + more <= maxJoinedBytes) last.push(column);
    else groups.push([column]);
    bytes = last === groups.at(-1) ? bytes + more : more;
  }
  return groups;
}
const maxJoinedBytes = 512 * 1024;

function maxBytesOf({ type, native }: Column): number {
  switch (type.kind) {
    case 'text':
      return type.length === null
        ? /^(tiny)?text/.test(native)
          ? 65_535 * 2
          : Number.POSITIVE_INFINITY
        : type.length * 4;
    case 'choice':
      return type.values.reduce((sum, value) => sum + value.length * 4 + 1, 0);
    case 'json':
    case 'opaque':
    case 'array':
      return Number.POSITIVE_INFINITY;
    default:
      return 1000;
  }
}

/** A LIKE on the text that the API shows. `seen` wraps the SQL of both the text and the pattern, for example to fold case. */
export function shownLike(column: Column, seen: (text: string) => string, pattern: string): Expression {
  const text = seen(shown(column));
  return raw(`${text} LIKE ${seen('?')} ESCAPE '|'`, [...filling(text, column), pattern]);
}

/** Folds case but not accents. This collation (520) knows the case of all Unicode letters, and is available since MySQL 5.6. */
export const folded = (text: string): string => `${lower(`CONVERT(${text} USING utf8mb4)`)} COLLATE utf8mb4_bin`;

const lower = (text: string): string => `LOWER(${text} COLLATE utf8mb4_unicode_520_ci)`;
