import { indexFor, type Search } from '../../model/plan.ts';
import type { SearchIndex } from '../../model/search-index.ts';
import type { Column, Table } from '../../model/table.ts';
import { hasPattern, hasPrefix, type Query, wordsOf } from '../../model/words.ts';
import { type Expression, id, raw } from '../knex.ts';
import { compileQuery, countHits, nothing, textOf } from '../query.ts';
import { contained, containedIn } from './contains.ts';

/** A search as SQL: LIKE on the columns as the API shows them, or MATCH on a full-text index. */
export function searched(search: Search, table: Table): Expression {
  return (
    native(search, table) ?? compileQuery(search.query, (words) => contained(words, searchedColumns(search, table)))
  );
}

/** A number that is higher the better a record matches; the encoder scales it to less than 1. */
export function rank(search: Search, table: Table): Expression {
  const columns = searchedColumns(search, table);
  const found = () => wordsOf(search.query, 'wanted').flatMap((words) => containedIn(words, columns));
  return (search.ranksAlone === true ? null : native(search, table)) ?? countHits(found());
}

const searchedColumns = ({ column }: Search, table: Table): readonly Column[] =>
  column === null ? table.search.columns : [column];

/** Whether the search uses a full-text index. */
export const isMatched = (search: Search, table: Table): boolean => native(search, table) !== null;

/** MATCH, which serves as condition and as rank; null if no index fits, or if boolean mode cannot express the query. */
function native(search: Search, table: Table): Expression | null {
  const index = search.by === 'native' ? indexFor(search, table.search) : null;
  const booleanQuery = index === null ? null : toBooleanMode(search.query, index);
  if (booleanQuery === null) return null;
  if (booleanQuery === '') return raw(nothing);
  const names = searchedColumns(search, table).map(id);
  return raw(`MATCH (${names.map(() => '??').join(', ')}) AGAINST (? IN BOOLEAN MODE)`, [...names, booleanQuery]);
}

/**
 * Writes a query in MATCH's boolean mode: '' if no words remain, null if boolean mode cannot express it. We quote each word, so that
 * boolean mode treats none of its characters as an operator. We drop words that the index leaves out, as PostgreSQL does.
 */
function toBooleanMode(query: Query, index: SearchIndex): string | null {
  const words = wordsOf(query);
  if (!words.every((one) => textOf(one).isWellFormed() && !hasPattern(one))) return null;
  // InnoDB misses records if a prefix (`foo*`) follows a quoted word, so if there is a prefix, no word may be quoted.
  const isBare = words.some(hasPrefix);
  if (isBare && !words.every((one) => /^[\p{L}\p{M}\p{N}_]+$/u.test(textOf(one)))) return null;
  return writePart(query, index, isBare);
}

function writePart(query: Query, index: SearchIndex, isBare: boolean): string | null {
  switch (query.op) {
    case 'and':
    case 'or': {
      const parts: { readonly isAbsent: boolean; readonly text: string }[] = [];
      for (const part of query.of) {
        const isAbsent = part.op === 'not' && query.op === 'and';
        const one = isAbsent ? part.of : part;
        const text = writePart(one, index, isBare);
        if (text === null) return null;
        if (text !== '') parts.push({ isAbsent, text: one.op === 'and' || one.op === 'or' ? `(${text})` : text });
      }
      // Boolean mode finds nothing if every word is excluded.
      if (parts.length > 0 && parts.every(({ isAbsent }) => isAbsent)) return null;
      const sign = query.op === 'and' ? '+' : '';
      return parts.map(({ isAbsent, text }) => `${isAbsent ? '-' : sign}${text}`).join(' ');
    }
    case 'not':
      return null;
    default: {
      const text = textOf(query).replace(/"/g, ' ');
      if (query.op === 'word' && query.prefix) return `${text}*`;
      return index.ignores(text) ? '' : isBare ? text : `"${text}"`;
    }
  }
}
