import { indexFor, type Search } from '../../model/plan.ts';
import type { SearchIndex } from '../../model/search-index.ts';
import type { Column, Table } from '../../model/table.ts';
import { hasPattern, hasPrefix, type Query, wordsOf } from '../../model/words.ts';
import { type Expression, id, raw } from '../knex.ts';
import { hits, nothing, textOf, truth } from '../query.ts';
import { contained, containedIn } from './contains.ts';

/** A search as SQL: LIKE over the text we show, or the engine's full text. */
export function searched(search: Search, table: Table): Expression {
  return native(search, table) ?? truth(search.query, (words) => contained(words, searchedColumns(search, table)));
}

/** A number that grows with how well a record answers; the encoder makes it less than 1. */
export function rank(search: Search, table: Table): Expression {
  const columns = searchedColumns(search, table);
  const found = () => wordsOf(search.query, 'wanted').flatMap((words) => containedIn(words, columns));
  return native(search, table) ?? hits(found());
}

const searchedColumns = ({ column }: Search, table: Table): readonly Column[] =>
  column === null ? table.search.columns : [column];

/** Whether full text answers a search. */
export const isMatched = (search: Search, table: Table): boolean => native(search, table) !== null;

/** MATCH, which is both condition and relevance; null where no index serves the search, or the boolean language cannot say it. */
function native(search: Search, table: Table): Expression | null {
  const index = search.by === 'native' ? indexFor(search, table.search) : null;
  const asked = index === null ? null : boolean(search.query, index);
  if (asked === null) return null;
  if (asked === '') return raw(nothing);
  const names = searchedColumns(search, table).map(id);
  return raw(`MATCH (${names.map(() => '??').join(', ')}) AGAINST (? IN BOOLEAN MODE)`, [...names, asked]);
}

/**
 * A query in the language of boolean mode; '' where nothing is left of it, null where it cannot be said. Each word stands as a
 * phrase, so that no character of it is an operator. Words that the index leaves out are dropped, as in PostgreSQL.
 */
function boolean(query: Query, index: SearchIndex): string | null {
  const words = wordsOf(query);
  if (!words.every((one) => textOf(one).isWellFormed() && !hasPattern(one))) return null;
  // InnoDB loses records of a prefix that comes after a phrase: beside a prefix all must be words without operators.
  const bare = words.some(hasPrefix);
  if (bare && !words.every((one) => /^[\p{L}\p{M}\p{N}_]+$/u.test(textOf(one)))) return null;
  return said(query, index, bare);
}

function said(query: Query, index: SearchIndex, bare: boolean): string | null {
  switch (query.op) {
    case 'and':
    case 'or': {
      const left: { readonly isAbsent: boolean; readonly text: string }[] = [];
      for (const part of query.of) {
        const isAbsent = part.op === 'not' && query.op === 'and';
        const one = isAbsent ? part.of : part;
        const text = said(one, index, bare);
        if (text === null) return null;
        if (text !== '') left.push({ isAbsent, text: one.op === 'and' || one.op === 'or' ? `(${text})` : text });
      }
      // A boolean search with excluded words only finds no record.
      if (left.length > 0 && left.every(({ isAbsent }) => isAbsent)) return null;
      const sign = query.op === 'and' ? '+' : '';
      return left.map(({ isAbsent, text }) => `${isAbsent ? '-' : sign}${text}`).join(' ');
    }
    case 'not':
      return null;
    default: {
      const text = textOf(query).replace(/"/g, ' ');
      if (query.op === 'word' && query.prefix) return `${text}*`;
      return index.ignores(text) ? '' : bare ? text : `"${text}"`;
    }
  }
}
