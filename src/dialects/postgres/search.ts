import type { Column, Search, Server, Table } from '../../plan.ts';
import { type Bind, contains } from '../sql.ts';
import { shown } from './column.ts';

/** `q` as SQL: LIKE over the text we show, or the engine's full text. */
export function searched(search: Search, table: Table, server: Server, bind: Bind): string {
  return search.by === 'native' ? native(search, table, server, bind) : like(search, table, server, bind);
}

function like(search: Search, table: Table, server: Server, bind: Bind): string {
  const { columns } = table.search;
  if (columns.length === 0) return 'FALSE';
  const words = search.words.filter((word) => word.isWellFormed() && !word.includes('\0'));
  if (words.length < search.words.length) return 'FALSE';
  return words
    .map(
      (word) =>
        `(${columns.map((column) => `${foldable(column, server)} ILIKE ${bind(contains(word))} ESCAPE '|'`).join(' OR ')})`,
    )
    .join(' AND ');
}

/**
 * Full text by the language's configuration; stop words fall out, and a query of nothing else finds nothing. In mode
 * `auto` a stop word sends the whole `q` to LIKE: only the server knows them, and its planner folds the CASE away.
 */
function native(search: Search, table: Table, server: Server, bind: Bind): string {
  const { index, columns, language, mode } = table.search;
  if (columns.length === 0 || search.words.some((word) => !word.isWellFormed() || word.includes('\0'))) return 'FALSE';
  const config = bind(language);
  const vector =
    index?.expression ??
    `to_tsvector(${config}::regconfig, concat_ws(' ', ${columns.map((column) => foldable(column, server)).join(', ')}))`;
  const queries = search.words.map(
    (word) => `${/\s/.test(word) ? 'phraseto' : 'plainto'}_tsquery(${config}::regconfig, ${bind(word)})`,
  );
  const found = `${vector} @@ (${queries.join(' && ')})`;
  if (mode !== 'auto') return found;
  return `CASE WHEN ${queries.map((query) => `numnode(${query}) > 0`).join(' AND ')} THEN ${found} ELSE ${like(search, table, server, bind)} END`;
}

/** The shown text of a column, in a collation whose case folding knows every alphabet. */
function foldable(column: Column, server: Server): string {
  if (column.type.kind !== 'text') return shown(column);
  if (server.foldCollation !== null) return `(${shown(column)} COLLATE pg_catalog.${server.foldCollation})`;
  // These fold ASCII only, and a nondeterministic collation has no LIKE before PostgreSQL 18.
  const unfit = ['C', 'POSIX', 'ucs_basic'].includes(column.collation ?? '') || column.equality === 'folds';
  return unfit ? `(${shown(column)} COLLATE pg_catalog."default")` : shown(column);
}
