/** JSON columns beside JSON values: MySQL has a type of its own for documents, MariaDB keeps their text. */
import type { Column } from '../../model/table.ts';
import type { Bound } from '../../model/value.ts';
import type { Bind } from '../sql.ts';
import { id } from './column.ts';

/** Equality of documents: the order of members, blanks and zeros behind a point say nothing. */
export function amongDocuments(column: Column, values: readonly Bound[], bind: Bind): string {
  const text = `CONVERT(${id(column)} USING utf8mb4)`;
  if (column.native === 'json') {
    // Read anew: a date or a decimal that SQL has put into a document is shown as JSON, but equals none. (MySQL 8 documents no IN.)
    return `(${values.map((value) => `CAST(${text} AS JSON) = CAST(${bind(value)} AS JSON)`).join(' OR ')})`;
  }
  // Its collation may be one that folds case.
  const normal = (document: string) => `CAST(JSON_NORMALIZE(${document}) AS BINARY)`;
  const written = values.flatMap(spellings).map((value) => normal(bind(value)));
  return `${normal(text)} IN (${written.join(', ')})`;
}

/**
 * JSON_NORMALIZE leaves the characters of texts as they are spelled. So a document is found as it is written by most programs:
 * with the characters themselves, or with those beyond ASCII as `\u00e9` (Python), and with `\/` for a slash (PHP).
 */
function spellings(value: Bound): readonly string[] {
  const plain = String(value);
  const ascii = (text: string) =>
    text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const slashed = plain.replaceAll('/', '\\/');
  return [...new Set([plain, ascii(plain), slashed, ascii(slashed)])];
}
