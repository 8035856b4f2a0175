/** The part of a word search that is the same SQL on every engine. The dialect decides how to find words in a text. */
import { type Query, textsOf, type Words } from '../model/words.ts';
import { type Expression, joined, raw } from './knex.ts';

/** Compiles a query to a condition; `find` compiles words. It uses IS NOT TRUE instead of NOT, so that a NULL field counts as no match. */
export function compileQuery(query: Query, find: (words: Words) => Expression): Expression {
  switch (query.op) {
    case 'and':
    case 'or': {
      const [first, ...others] = query.of.map((part) => compileQuery(part, find));
      if (first === undefined) return raw(query.op === 'or' ? 'FALSE' : 'TRUE');
      return others.length === 0 ? first : joined([first, ...others], query.op === 'or' ? ' OR ' : ' AND ');
    }
    case 'not':
      return raw('(? IS NOT TRUE)', [compileQuery(query.of, find)]);
    default:
      return find(query);
  }
}

/** Zero as an expression: in ORDER BY a bare 0 would be the number of a column. */
export const nothing = '0 + 0';

/** SQL that counts how many conditions hold. It adds them in halves, because a flat sum over a wide table overflows the server's stack. */
export function countHits(conditions: readonly Expression[]): Expression {
  const [first, ...others] = conditions;
  if (first === undefined) return raw(nothing);
  if (others.length === 0) return raw('CASE WHEN ? THEN 1 ELSE 0 END', [first]);
  const half = Math.ceil(conditions.length / 2);
  return raw('(? + ?)', [countHits(conditions.slice(0, half)), countHits(conditions.slice(half))]);
}

/** The words as one text; the words of a phrase are joined by blanks. */
export const textOf = (words: Words): string => textsOf(words).join(' ');
