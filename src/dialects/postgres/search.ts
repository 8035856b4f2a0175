import type { Server } from '../../model/catalog.ts';
import { hasPrefix, indexFor, type Query, type Search, type Words, wordsOf } from '../../model/plan.ts';
import type { Column, Table } from '../../model/table.ts';
import { contains, hits, textOf, truth } from '../query.ts';
import type { Bind } from '../sql.ts';
import { quote, shown } from './column.ts';

/** A search as SQL: LIKE over the text we show, or the engine's full text. */
export function searched(search: Search, table: Table, server: Server, bind: Bind): string {
  return either(search, table, server, bind, {
    native: (vector, query) => `${vector} @@ ${query}`,
    like: () => truth(search.query, (words) => like(words, search, table, server, bind)),
  });
}

/** A number that grows with how well a record answers; the encoder makes it less than 1. */
export function rank(search: Search, table: Table, server: Server, bind: Bind): string {
  return either(search, table, server, bind, {
    native: (vector, query) => `ts_rank(${vector}, ${query})`,
    like: () => hits(wordsOf(search.query, 'wanted').flatMap((words) => likes(words, search, table, server, bind))),
  });
}

/**
 * Full text by the language's configuration; stop words fall out, and a query of nothing else finds nothing. In mode
 * `auto` a stop word sends the whole query to LIKE: only the server knows them, and its planner folds the CASE away.
 */
function either(
  search: Search,
  table: Table,
  server: Server,
  bind: Bind,
  by: { native(vector: string, query: string): string; like(): string },
): string {
  const columns = searchedColumns(search, table);
  const words = wordsOf(search.query);
  if (search.by === 'like' || columns.length === 0 || words.length === 0 || !words.every(isStorable)) return by.like();
  const config = `${bind(quote(search.language))}::regconfig`;
  const vector =
    indexFor(search, table.search)?.expression ??
    `to_tsvector(${config}, concat_ws(' ', ${columns.map((column) => foldable(column, server)).join(', ')}))`;
  const asked = new Map(words.map((one) => [one, tsquery(one, config, bind)]));
  const found = by.native(vector, joined(search.query, asked));
  if (table.search.mode !== 'auto') return found;
  const isKnown = [...asked.values()].map((query) => `numnode(${query}) > 0`);
  return `CASE WHEN ${isKnown.join(' AND ')} THEN ${found} ELSE ${by.like()} END`;
}

function joined(query: Query, asked: ReadonlyMap<Words, string>): string {
  switch (query.op) {
    case 'and':
    case 'or':
      return `(${query.of.map((part) => joined(part, asked)).join(query.op === 'and' ? ' && ' : ' || ')})`;
    case 'not':
      return `(!! ${joined(query.of, asked)})`;
    default:
      return asked.get(query) ?? '';
  }
}

/** What the text holds is words for `plainto` and `phraseto`; for `to_tsquery`, which has operators, each is quoted. */
function tsquery(words: Words, config: string, bind: Bind): string {
  if (hasPrefix(words)) {
    const list = words.op === 'word' ? [words] : words.of;
    const quoted = list.map(({ text, prefix }) => `'${text.replace(/['\\]/g, '$&$&')}'${prefix ? ':*' : ''}`);
    return `to_tsquery(${config}, ${bind(quoted.join(' <-> '))})`;
  }
  const text = textOf(words);
  return `${/\s/.test(text) ? 'phraseto' : 'plainto'}_tsquery(${config}, ${bind(text)})`;
}

function like(words: Words, search: Search, table: Table, server: Server, bind: Bind): string {
  const conditions = likes(words, search, table, server, bind);
  return conditions.length === 0 ? 'FALSE' : `(${conditions.join(' OR ')})`;
}

/** A condition for each searched column. */
function likes(words: Words, search: Search, table: Table, server: Server, bind: Bind): readonly string[] {
  if (!isStorable(words)) return [];
  // One binding for all columns: a statement may have 65,535.
  const pattern = bind(contains(words));
  return searchedColumns(search, table).map((column) => `${foldable(column, server)} ILIKE ${pattern} ESCAPE '|'`);
}

const searchedColumns = ({ column }: Search, table: Table): readonly Column[] =>
  column === null ? table.search.columns : [column];

/** No text of this server can hold others. */
function isStorable(words: Words): boolean {
  const text = textOf(words);
  return text.isWellFormed() && !text.includes('\0');
}

/** The shown text of a column, in a collation whose case folding knows every alphabet. */
export function foldable(column: Column, server: Server): string {
  if (column.type.kind !== 'text') return shown(column);
  if (server.foldCollation !== null) return `(${shown(column)} COLLATE pg_catalog.${server.foldCollation})`;
  // These fold ASCII only, and a nondeterministic collation has no LIKE before PostgreSQL 18.
  const unfit = ['C', 'POSIX', 'ucs_basic'].includes(column.collation ?? '') || column.equality !== 'exact';
  return unfit ? `(${shown(column)} COLLATE pg_catalog."default")` : shown(column);
}
