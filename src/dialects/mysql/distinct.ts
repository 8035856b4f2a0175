/** Records that show the same are one: the equality of what is shown, not of any type or collation. */
import type { Column } from '../../model/table.ts';
import { id, isLong, output, shown, sorted, sortedCharacters } from './column.ts';

/** An expression that is equal where the values shown are the same bytes; the column itself where its own `=` says just that. */
export function exact(column: Column): string {
  const bytes = (text: string) => `CAST(CONVERT(${text} USING utf8mb4) AS BINARY)`;
  // A group is found by the beginning of a long value only.
  const digest = (text: string) => `SHA2(${text}, 256)`;
  switch (column.type.kind) {
    case 'text':
      return isLong(column) ? digest(bytes(id(column))) : bytes(id(column));
    case 'choice':
      return bytes(id(column));
    case 'binary':
      return isLong(column) ? digest(id(column)) : id(column);
    case 'json':
      return digest(document(column));
    case 'opaque':
      return digest(`CONCAT(${output(column)})`);
    case 'float':
      return output(column);
    case 'bool':
    case 'date':
    case 'timestamp':
      return shown(column);
    default:
      return id(column);
  }
}

/** The text of JSON. Its own null is shown as NULL is. */
const document = (column: Column): string => `NULLIF(CONVERT(${id(column)} USING utf8mb4) COLLATE utf8mb4_bin, 'null')`;

/** What sorts such records by a column: its own order, or the text of what it shows, bit by bit. */
export function ordered(column: Column): string {
  switch (column.type.kind) {
    case 'json':
      return `LEFT(${document(column)}, ${sortedCharacters})`;
    case 'opaque':
      return `LEFT(CONVERT(${output(column)} USING utf8mb4) COLLATE utf8mb4_bin, ${sortedCharacters})`;
    case 'bool':
    case 'date':
    case 'timestamp':
      return exact(column);
    default:
      return sorted(column);
  }
}

/** The SELECT of the records that differ; `rest` is its FROM and WHERE. Each group shows one of its records, and all of them show the same. */
export function distinct(columns: readonly Column[], rest: string): string {
  if (columns.length === 0) return `SELECT DISTINCT NULL${rest}`;
  return `SELECT ${columns.map(id).join(', ')}${rest} GROUP BY ${columns.map(exact).join(', ')}`;
}
