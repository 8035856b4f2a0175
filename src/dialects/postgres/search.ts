import type { Server } from '../../model/catalog.ts';
import { indexFor, type Search } from '../../model/plan.ts';
import type { Column, Table } from '../../model/table.ts';
import { hasPrefix, type Query, type Words, wordsOf } from '../../model/words.ts';
import { type Expression, escapedMarks, raw, Shared } from '../knex.ts';
import { compileQuery, countHits, textOf } from '../query.ts';
import { quote } from './column.ts';
import { contained, containedIn, foldable, hasTrigrams } from './contains.ts';
import { isStorable } from './encoding.ts';

/** A search as SQL: LIKE on the texts that the API shows, or full text (`@@`). */
export function searched(search: Search, table: Table, server: Server): Expression {
  return either(search, table, server, {
    native: (vector, query) => raw('? @@ ?', [vector, query]),
    like: () => compileQuery(search.query, (words) => contained(words, searchedColumns(search, table), server)),
  });
}

/** A number that is higher the better a record matches; the encoder scales it to less than 1. */
export function rank(search: Search, table: Table, server: Server): Expression {
  return either(search, table, server, {
    native: (vector, query) => raw('ts_rank(?, ?)', [vector, query]),
    like() {
      const columns = searchedColumns(search, table);
      return countHits(wordsOf(search.query, 'wanted').flatMap((words) => containedIn(words, columns, server)));
    },
  });
}

/** Whether the search can use an index. */
export function isIndexed(search: Search, table: Table, server: Server): boolean {
  if (search.by === 'native') return indexFor(search, table.search) !== null;
  const words = wordsOf(search.query);
  return words.length > 0 && words.every((one) => hasTrigrams(one, searchedColumns(search, table), server));
}

/**
 * Full text drops the language's stop words, so a query of only stop words finds nothing. Therefore, in mode `auto`, any query with a stop
 * word uses LIKE, even if full text could find the phrase without it. Only the server knows its stop words: it evaluates the CASE once,
 * while planning.
 */
function either(
  search: Search,
  table: Table,
  server: Server,
  by: { native(vector: Expression, query: Expression): Expression; like(): Expression },
): Expression {
  const columns = searchedColumns(search, table);
  const words = wordsOf(search.query);
  const areStorable = words.every((one) => isStorable(textOf(one), server));
  if (search.by === 'like' || columns.length === 0 || words.length === 0 || !areStorable) return by.like();
  const config = new Shared(quote(search.language));
  const index = indexFor(search, table.search);
  const texts = columns.map((column) => foldable(column, server));
  // A NULL text has no words, so a negated query must find it.
  const isNegated = wordsOf(search.query, 'wanted').length < words.length;
  const vector =
    index === null
      ? raw("to_tsvector(?::regconfig, concat_ws(' ', ??))", [config, texts])
      : raw(isNegated && index.mayBeNull ? "coalesce(?, ''::tsvector)" : '?', [raw(escapedMarks(index.expression))]);
  const tsqueries = new Map(words.map((one) => [one, tsquery(one, config)]));
  const matched = by.native(vector, combined(search.query, tsqueries));
  if (table.search.mode !== 'auto') return matched;
  const wordQueries = [...tsqueries].flatMap(([one, query]) =>
    one.op === 'word' ? [query] : one.of.map((part) => tsquery({ op: 'word', ...part }, config)),
  );
  const isKnown = wordQueries.map(() => 'numnode(?) > 0').join(' AND ');
  return raw(`CASE WHEN ${isKnown} THEN ? ELSE ? END`, [...wordQueries, matched, by.like()]);
}

function combined(query: Query, tsqueries: ReadonlyMap<Words, Expression>): Expression {
  switch (query.op) {
    case 'and':
    case 'or': {
      const parts = query.of.map((part) => combined(part, tsqueries));
      return raw(`(${parts.map(() => '?').join(query.op === 'and' ? ' && ' : ' || ')})`, parts);
    }
    case 'not':
      return raw('(!! ?)', [combined(query.of, tsqueries)]);
    default:
      return tsqueries.get(query) ?? raw('');
  }
}

/** `plainto_tsquery` and `phraseto_tsquery` treat any text as words. `to_tsquery` has operators, so we quote each word. */
function tsquery(words: Words, config: Shared): Expression {
  if (hasPrefix(words)) {
    const list = words.op === 'word' ? [words] : words.of;
    const quoted = list.map(({ text, prefix }) => `'${text.replace(/['\\]/g, '$&$&')}'${prefix ? ':*' : ''}`);
    return raw('to_tsquery(?::regconfig, ?)', [config, new Shared(quoted.join(' <-> '))]);
  }
  const text = textOf(words);
  const parse = /\s/.test(text) ? 'phraseto_tsquery' : 'plainto_tsquery';
  return raw(`${parse}(?::regconfig, ?)`, [config, new Shared(text)]);
}

const searchedColumns = ({ column }: Search, table: Table): readonly Column[] =>
  column === null ? table.search.columns : [column];
