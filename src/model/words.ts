/** The words of a search. Pure. */

/** A full-text query. An `or` without parts matches nothing. */
export type Query =
  | { readonly op: 'and' | 'or'; readonly of: readonly Query[] }
  | { readonly op: 'not'; readonly of: Query }
  | Words;

/** A word or phrase to find, in the case that the client sent; only the engine folds it. */
export type Words =
  | ({ readonly op: 'word' } & Word)
  /** A phrase: words that follow one another. */
  | { readonly op: 'phrase'; readonly of: readonly Word[] };

export interface Word {
  /** May contain blanks, if the client has quoted it. */
  readonly text: string;
  /** Whether it matches all words that begin with `text`. */
  readonly prefix: boolean;
  /** Each `_` in it stands for any one character, because PostgreSQL's full-text search treats `_` as a separator of words. */
  readonly isPattern?: true;
}

/** The words of a query, in order. `wanted`: without the negated ones. */
export function wordsOf(query: Query, which: 'all' | 'wanted' = 'all'): readonly Words[] {
  switch (query.op) {
    case 'and':
    case 'or':
      return query.of.flatMap((part) => wordsOf(part, which));
    case 'not':
      return which === 'all' ? wordsOf(query.of) : [];
    default:
      return [query];
  }
}

const listOf = (words: Words): readonly Word[] => (words.op === 'word' ? [words] : words.of);

/** The texts of a word or phrase, in order. */
export function textsOf(words: Words): readonly string[] {
  return listOf(words).map(({ text }) => text);
}

export function hasPrefix(words: Words): boolean {
  return listOf(words).some(({ prefix }) => prefix);
}

export function hasPattern(words: Words): boolean {
  return listOf(words).some(({ isPattern }) => isPattern);
}

/** A LIKE pattern for texts that contain the words, separated by one blank. For `ESCAPE '|'`: engines treat backslashes differently. */
export function contains(words: Words): string {
  const parts = listOf(words).map(({ text, isPattern }) => text.replace(isPattern ? /[|%]/g : /[|%_]/g, '|$&'));
  return `%${parts.join(' ')}%`;
}

/** The characters that a text must contain to match the words: without the `_` of a pattern, which can be any character. */
export function certainOf(words: Words): string {
  const parts = listOf(words).map(({ text, isPattern }) => (isPattern ? text.replaceAll('_', '') : text));
  return parts.join(' ');
}
