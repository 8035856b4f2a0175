/** Conditions for columns that contain words. They match the text that the API shows, ignoring case. */
import type { Server } from '../../model/catalog.ts';
import type { Column } from '../../model/table.ts';
import { certainOf, contains, hasPattern, type Words } from '../../model/words.ts';
import { canShow } from '../alphabet.ts';
import { type Expression, joined, type Operand, of, raw, Shared } from '../knex.ts';
import { textOf } from '../query.ts';
import { shown } from './column.ts';
import { isStorable } from './encoding.ts';

/** Whether any of the columns contains the words. If a column is NULL, the result may be NULL instead of false. */
export function contained(words: Words, columns: readonly Column[], server: Server): Expression {
  const able = ableTo(columns, words, server);
  if (able.length === 0) return raw('FALSE');
  const pattern = new Shared(contains(words));
  const groups =
    hasTrigrams(words, able, server) || holdsSeparator(words) ? able.map((one) => [one]) : byFolding(able, server);
  return joined(
    groups.map((group) => together(group, pattern, server)),
    ' OR ',
  );
}

/** One condition for each column that can contain the words. */
export function containedIn(words: Words, columns: readonly Column[], server: Server): readonly Expression[] {
  const pattern = new Shared(contains(words));
  return ableTo(columns, words, server).map((column) => alone(column, pattern, server));
}

const ableTo = (columns: readonly Column[], words: Words, server: Server): readonly Column[] =>
  isStorable(textOf(words), server) ? columns.filter(({ type }) => canShow(type, certainOf(words))) : [];

/** Whether trigram indexes can find the words in all of these columns. */
export const hasTrigrams = (words: Words, columns: readonly Column[], server: Server): boolean =>
  /[\p{L}\p{N}]{3}/u.test(textOf(words)) && ableTo(columns, words, server).every(({ trigrams }) => trigrams === true);

/** Separates the joined texts of columns. A word that contains this character is searched in each column separately. */
const separator = '\u0001';
const holdsSeparator = (words: Words): boolean => textOf(words).includes(separator) || hasPattern(words);

/** A function takes at most 100 arguments. */
const maxTexts = 90;

const alone = (column: Column, pattern: Shared, server: Server): Expression =>
  raw("?? ILIKE ? ESCAPE '|'", [foldable(column, server), pattern]);

/** Folding case takes most of the time, so we join the texts of the columns and fold them once. */
function together(columns: readonly Column[], pattern: Shared, server: Server): Expression {
  const [first, ...others] = columns;
  if (first !== undefined && others.length === 0) return alone(first, pattern, server);
  const texts: Expression[] = [];
  for (let at = 0; at < columns.length; at += maxTexts) {
    const some = columns.slice(at, at + maxTexts).map((column) => of(column, shown(column)));
    texts.push(raw('concat_ws(chr(1), ??)', [some]));
  }
  const text = texts.length === 1 ? texts[0] : raw('concat_ws(chr(1), ??)', [texts]);
  const folding = first === undefined ? null : foldingOf(first, server);
  // Does the same as ILIKE, but folds the pattern only once, not for each record.
  if (folding === 'default' || folding === server.foldCollation) {
    const collate = `COLLATE pg_catalog.${folding === 'default' ? '"default"' : folding}`;
    return raw(`lower(? ${collate}) LIKE lower(?::text ${collate}) ESCAPE '|'`, [text ?? raw(''), pattern]);
  }
  return raw("? ILIKE ? ESCAPE '|'", [text ?? raw(''), pattern]);
}

function byFolding(columns: readonly Column[], server: Server): readonly (readonly Column[])[] {
  const groups = new Map<string, Column[]>();
  for (const column of columns) {
    const folding = foldingOf(column, server);
    groups.set(folding, [...(groups.get(folding) ?? []), column]);
  }
  return [...groups.values()];
}

/** The collation that folds a column's case: `default` means the database's. */
export function foldingOf(column: Column, server: Server): string {
  if (column.type.kind !== 'text') return 'default';
  if (server.foldCollation !== null) return server.foldCollation;
  return column.collation === null || isUnfit(column) ? 'default' : column.collation;
}

/** C, POSIX and ucs_basic only fold ASCII, and before PostgreSQL 18 a nondeterministic collation has no LIKE. */
const isUnfit = ({ collation, equality }: Column): boolean =>
  ['C', 'POSIX', 'ucs_basic'].includes(collation ?? '') || equality !== 'exact';

/** The text that the API shows, in a collation that folds the case of every alphabet. */
export function foldable(column: Column, server: Server): Operand {
  const text = shown(column);
  if (column.type.kind !== 'text') return of(column, text);
  if (server.foldCollation !== null) return of(column, `(${text} COLLATE pg_catalog.${server.foldCollation})`);
  return of(column, isUnfit(column) ? `(${text} COLLATE pg_catalog."default")` : text);
}
