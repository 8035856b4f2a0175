/** A search as SQL, as far as all engines say it alike; what finds words in a text is the dialect's. */
import type { Query, Words } from '../plan.ts';

/** A condition that is true or not, never NULL under `not`; `find` writes the condition of words. */
export function truth(query: Query, find: (words: Words) => string): string {
  switch (query.op) {
    case 'and':
    case 'or': {
      const parts = query.of.map((part) => truth(part, find));
      if (parts.length === 0) return query.op === 'or' ? 'FALSE' : 'TRUE';
      return parts.length === 1 ? parts.join('') : `(${parts.join(query.op === 'or' ? ' OR ' : ' AND ')})`;
    }
    case 'not':
      return `(${truth(query.of, find)} IS NOT TRUE)`;
    default:
      return find(query);
  }
}

/** How many of these conditions hold, as SQL. */
export function hits(conditions: readonly string[]): string {
  return conditions.length === 0
    ? '0'
    : `(${conditions.map((one) => `CASE WHEN ${one} THEN 1 ELSE 0 END`).join(' + ')})`;
}

/** The words a query looks for, in its order. `wanted`: without those that it wants absent. */
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

/** The words as one text: those of a phrase with one blank between them. */
export function textOf(words: Words): string {
  return words.op === 'word' ? words.text : words.of.map(({ text }) => text).join(' ');
}

/** Words as a LIKE pattern for "contains", to be used with `ESCAPE '|'` (a backslash means different things to engines). */
export function contains(words: Words): string {
  return `%${textOf(words).replace(/[|%_]/g, '|$&')}%`;
}
