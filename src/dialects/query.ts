/** A search as SQL, as far as all engines say it alike; what finds words in a text is the dialect's. */
import { type Query, textsOf, type Words } from '../model/words.ts';
import { type Expression, joined, raw } from './knex.ts';

/** A condition that is true or not, never NULL under `not`; `find` writes the condition of words. */
export function truth(query: Query, find: (words: Words) => Expression): Expression {
  switch (query.op) {
    case 'and':
    case 'or': {
      const [first, ...others] = query.of.map((part) => truth(part, find));
      if (first === undefined) return raw(query.op === 'or' ? 'FALSE' : 'TRUE');
      return others.length === 0 ? first : joined([first, ...others], query.op === 'or' ? ' OR ' : ' AND ');
    }
    case 'not':
      return raw('(? IS NOT TRUE)', [truth(query.of, find)]);
    default:
      return find(query);
  }
}

/** A number that is no position, which a bare 0 would be in ORDER BY. */
export const nothing = '0 + 0';

/** How many of these conditions hold, as SQL. Added in halves: a chain as long as a wide table overruns a server's stack. */
export function hits(conditions: readonly Expression[]): Expression {
  const [first, ...others] = conditions;
  if (first === undefined) return raw(nothing);
  if (others.length === 0) return raw('CASE WHEN ? THEN 1 ELSE 0 END', [first]);
  const half = Math.ceil(conditions.length / 2);
  return raw('(? + ?)', [hits(conditions.slice(0, half)), hits(conditions.slice(half))]);
}

/** The words as one text: those of a phrase with one blank between them. */
export const textOf = (words: Words): string => textsOf(words).join(' ');
