/** Compares JSON columns with JSON values. MySQL has a document type, MariaDB stores the text. */
import type { Column } from '../../model/table.ts';
import type { BoundValue } from '../../model/value.ts';
import { type Expression, id, list, raw } from '../knex.ts';

/** Equality of documents, whatever the order of members, blanks or trailing zeros. */
export function amongDocuments(column: Column, values: readonly BoundValue[]): Expression {
  const name = id(column);
  if (column.native === 'json') {
    // We parse the column again: a date or decimal that SQL put into a document is shown as JSON, but equals no JSON value. (No IN: MySQL 8
    // does not document it for JSON.)
    const parts = values.map(() => 'CAST(CONVERT(?? USING utf8mb4) AS JSON) = CAST(? AS JSON)');
    return raw(
      `(${parts.join(' OR ')})`,
      values.flatMap((value) => [name, value]),
    );
  }
  // Compared as bytes, because the column's collation may ignore case.
  const normal = (text: string) => `CAST(JSON_NORMALIZE(${text}) AS BINARY)`;
  const written = values.flatMap(spellings);
  return raw(`${normal('CONVERT(?? USING utf8mb4)')} IN (?)`, [name, list(normal('?'), written, written.length)]);
}

/**
 * JSON_NORMALIZE keeps the spelling of characters, so we search for the usual spellings: characters beyond ASCII unescaped or as
 * `\u00e9` (Python), and a slash also as `\/` (PHP).
 */
function spellings(value: BoundValue): readonly string[] {
  const plain = String(value);
  const ascii = (text: string) =>
    text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const slashed = plain.replaceAll('/', '\\/');
  return [...new Set([plain, ascii(plain), slashed, ascii(slashed)])];
}
