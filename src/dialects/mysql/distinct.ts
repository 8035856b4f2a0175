/** DISTINCT by what we show, not by the column's own `=`: records that look the same count as one. */
import type { Column } from '../../model/table.ts';
import { flat, id, type Knex, of, raw } from '../knex.ts';
import { isLong, knex, output, shown, sorted, sortedCharacters } from './column.ts';

/**
 * SQL (`??` is the column) that is equal for two records exactly if their shown values have the same bytes. It is the plain column if
 * the column's own `=` compares bytes.
 */
export function exact(column: Column): string {
  const bytes = 'CAST(CONVERT(?? USING utf8mb4) AS BINARY)';
  // GROUP BY only compares the beginning of a long value, so we group by a digest.
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

/** A document as text. JSON's null becomes NULL, because both are shown alike. */
const document = "NULLIF(CONVERT(?? USING utf8mb4) COLLATE utf8mb4_bin, 'null')";

/** SQL that sorts distinct records by a column: the column itself, or its shown text in binary order. */
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

/** Groups records that look the same. So it may select columns that it does not group by: they look the same in the whole group. */
export function distinct(rows: Knex.QueryBuilder, columns: readonly Column[]): Knex.QueryBuilder {
  if (columns.length === 0) return rows.distinct(knex.raw('NULL'));
  const exacts = columns.map((column) => of(column, exact(column)));
  return rows.select(columns.map(id)).groupByRaw(...flat(knex, raw('??', [exacts])));
}
