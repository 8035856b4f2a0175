/** Compares JSON columns with JSON values. MySQL has a type for documents, MariaDB stores their text. */
import type { Column } from '../../model/table.ts';
import type { BoundValue } from '../../model/value.ts';
import { type Expression, id, list, raw } from '../knex.ts';

/** Equality of documents. The order of members, blanks and trailing zeros make no difference. */
export function amongDocuments(column: Column, values: readonly BoundValue[]): Expression {
  const name = id(column);
  if (column.native === 'json') {
    // The column is parsed again: a date or decimal that SQL put into a document is shown as JSON, but equals no JSON value. (Not by
    // IN: MySQL 8 does not document it for JSON.)
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
 * JSON_NORMALIZE does not change how characters are spelled, so we search for the usual spellings: characters beyond ASCII
 * as they are or as `\u00e9` (Python), and a slash also as `\/` (PHP).
 */
function spellings(value: BoundValue): readonly string[] {
  const plain = String(value);
  const ascii = (text: string) =>
    text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const slashed = plain.replaceAll('/', '\\/');
  return [...new Set([plain, ascii(plain), slashed, ascii(slashed)])];
}
