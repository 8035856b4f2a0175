/** JSON columns beside JSON values: MySQL has a type of its own for documents, MariaDB keeps their text. */
import type { Column } from '../../model/table.ts';
import type { BoundValue } from '../../model/value.ts';
import { type Expression, id, list, raw } from '../knex.ts';

/** Equality of documents: the order of members, blanks and zeros behind a point say nothing. */
export function amongDocuments(column: Column, values: readonly BoundValue[]): Expression {
  const name = id(column);
  if (column.native === 'json') {
    // Parsed again: a date or a decimal that SQL has put into a document is shown as JSON, but equals none. (MySQL 8 documents no IN.)
    const parts = values.map(() => 'CAST(CONVERT(?? USING utf8mb4) AS JSON) = CAST(? AS JSON)');
    return raw(
      `(${parts.join(' OR ')})`,
      values.flatMap((value) => [name, value]),
    );
  }
  // Its collation may be one that folds case.
  const normal = (text: string) => `CAST(JSON_NORMALIZE(${text}) AS BINARY)`;
  const written = values.flatMap(spellings);
  return raw(`${normal('CONVERT(?? USING utf8mb4)')} IN (?)`, [name, list(normal('?'), written, written.length)]);
}

/**
 * JSON_NORMALIZE leaves the characters of texts as they are spelled. So a document is found as most programs write it. Characters
 * beyond ASCII stand as they are or as `\u00e9` (Python), and a slash may be `\/` (PHP).
 */
function spellings(value: BoundValue): readonly string[] {
  const plain = String(value);
  const ascii = (text: string) =>
    text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const slashed = plain.replaceAll('/', '\\/');
  return [...new Set([plain, ascii(plain), slashed, ascii(slashed)])];
}
