/** Records whose shown values are equal are one record, whatever their types and collations say. */
import type { Column } from '../../model/table.ts';
import { flat, id, type Knex, of, raw } from '../knex.ts';
import { isLong, knex, output, shown, sorted, sortedCharacters } from './column.ts';

/**
 * An expression that is equal where the values shown are the same bytes, with `??` for the column. The column itself, where its own
 * `=` compares bytes.
 */
export function exact(column: Column): string {
  const bytes = 'CAST(CONVERT(?? USING utf8mb4) AS BINARY)';
  // A group is found by the beginning of a long value only.
  const digest = (text: string) => `SHA2(${text}, 256)`;
  switch (column.type.kind) {
    case 'text':
      return isLong(column) ? digest(bytes) : bytes;
    case 'choice':
      return bytes;
    case 'binary':
      return isLong(column) ? digest('??') : '??';
    case 'json':
      return digest(document);
    case 'opaque':
      return digest(`CONCAT(${output(column)})`);
    case 'float':
      return output(column);
    case 'date':
    case 'timestamp':
      return shown(column);
    default:
      return '??';
  }
}

/** The text of JSON. Its own null is shown as NULL is. */
const document = "NULLIF(CONVERT(?? USING utf8mb4) COLLATE utf8mb4_bin, 'null')";

/** The sort of such records by a column: its own order, or the shown text, bit by bit. */
export function ordered(column: Column): string {
  switch (column.type.kind) {
    case 'json':
      return `LEFT(${document}, ${sortedCharacters})`;
    case 'opaque':
      return `LEFT(CONVERT(${output(column)} USING utf8mb4) COLLATE utf8mb4_bin, ${sortedCharacters})`;
    case 'date':
    case 'timestamp':
      return exact(column);
    default:
      return sorted(column);
  }
}

/** Of these records those that differ. Each group shows one of its records, and all of them show the same. */
export function distinct(rows: Knex.QueryBuilder, columns: readonly Column[]): Knex.QueryBuilder {
  if (columns.length === 0) return rows.distinct(knex.raw('NULL'));
  const exacts = columns.map((column) => of(column, exact(column)));
  return rows.select(columns.map(id)).groupByRaw(...flat(knex, raw('??', [exacts])));
}
