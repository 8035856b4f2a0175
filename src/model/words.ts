/** The words of a search. Pure. */

/** A full-text query. `or` of nothing matches nothing. */
export type Query =
  | { readonly op: 'and' | 'or'; readonly of: readonly Query[] }
  | { readonly op: 'not'; readonly of: Query }
  | Words;

/** A word or phrase to find; case is folded only by the engine. */
export type Words =
  | ({ readonly op: 'word' } & Word)
  /** Consecutive words. */
  | { readonly op: 'phrase'; readonly of: readonly Word[] };

export interface Word {
  /** It may contain blanks: then it was quoted. */
  readonly text: string;
  /** Matches words that begin with it. */
  readonly prefix: boolean;
  /** Each `_` of it stands for any one character. PostgreSQL's full text reads it so: it separates words like any other sign. */
  readonly isPattern?: true;
}

/** The words of a query, in its order. `wanted`: without negated ones. */
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

/** Words, with one blank between them, as a LIKE pattern for "contains", with `ESCAPE '|'` (a backslash means different things to engines). */
export function contains(words: Words): string {
  const parts = listOf(words).map(({ text, isPattern }) => text.replace(isPattern ? /[|%]/g : /[|%_]/g, '|$&'));
  return `%${parts.join(' ')}%`;
}

/** The characters that a text must have to contain the words. */
export function certainOf(words: Words): string {
  const parts = listOf(words).map(({ text, isPattern }) => (isPattern ? text.replaceAll('_', '') : text));
  return parts.join(' ');
}
