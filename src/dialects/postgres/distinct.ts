/** DISTINCT by what we show, not by the column's own `=`: records that look the same count as one. */
import { type Column, isComparable } from '../../model/table.ts';
import { id, type Knex, of, raw } from '../knex.ts';
import { select } from '../sql.ts';
import { knex, shown } from './column.ts';

/**
 * SQL (`??` is the column) that is equal for two records exactly if their shown values have the same bytes. It is the plain column if
 * the column's own `=` compares bytes.
 */
export function exact(column: Column): string {
  const { type } = column;
  const text = `(${shown(column)})${column.native === 'text' ? '::text' : ''} COLLATE "C"`;
  switch (type.kind) {
    case 'decimal':
      // A numeric without a scale considers 2.5 and 2.50 equal, but they look different.
      return type.scale === null ? text : '??';
    case 'text':
      return column.equality === 'exact' ? '??' : text;
    case 'json':
      // JSON's null becomes NULL, because the API shows both alike.
      return `NULLIF(${text}, 'null')`;
    case 'float':
    case 'array':
    case 'opaque':
      return text;
    default:
      return '??';
  }
}

/** SQL that sorts distinct records by a column: the column itself, or its text if the type has no order. */
export const ordered = (column: Column): string => (isComparable(column.type) ? '??' : exact(column));

/** Removes duplicates. Plain DISTINCT if possible, because the server can hash it instead of sorting. */
export function distinct(rows: Knex.QueryBuilder, columns: readonly Column[]): Knex.QueryBuilder {
  if (columns.length === 0) return rows.distinct(knex.raw('NULL'));
  const names = columns.map(id);
  if (columns.every((column) => exact(column) === '??')) return rows.distinct(names);
  const exacts = columns.map((column) => of(column, exact(column)));
  return select(knex, rows, [raw('DISTINCT ON (??) ??', [exacts, names])]);
}
