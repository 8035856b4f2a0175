import type { Search, Table } from '../../plan.ts';
import { type Bind, contains } from '../sql.ts';
import { id, shown } from './column.ts';

/** `q` as SQL: LIKE over the text we show, or the engine's full text. */
export function searched(search: Search, table: Table, bind: Bind): string {
  return search.by === 'native' ? native(search, table, bind) : like(search, table, bind);
}

/** Folds case and nothing else: the 520 collation knows the case of all of Unicode and exists since 5.6; accents stay. */
const folded = (text: string): string =>
  `LOWER(CONVERT(${text} USING utf8mb4) COLLATE utf8mb4_unicode_520_ci) COLLATE utf8mb4_bin`;

function like(search: Search, table: Table, bind: Bind): string {
  const { columns } = table.search;
  if (columns.length === 0 || search.words.some((word) => !word.isWellFormed())) return 'FALSE';
  return search.words
    .map(
      (word) =>
        `(${columns.map((column) => `${folded(shown(column))} LIKE ${folded(bind(contains(word)))} ESCAPE '|'`).join(' OR ')})`,
    )
    .join(' AND ');
}

/** Each word as a phrase, so that no character of it is an operator; words the index leaves out fall out here, as in PostgreSQL. */
function native(search: Search, table: Table, bind: Bind): string {
  const { index, columns } = table.search;
  const words = search.words
    .map((word) => word.replace(/"/g, ' '))
    .filter((word) => index !== null && word.isWellFormed() && !index.ignores(word));
  if (words.length === 0) return 'FALSE';
  return `MATCH (${columns.map(id).join(', ')}) AGAINST (${bind(words.map((word) => `+"${word}"`).join(' '))} IN BOOLEAN MODE)`;
}
