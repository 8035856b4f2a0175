/** Records whose shown values are equal are one record, whatever their types and collations say. */
import { type Column, isComparable } from '../../model/table.ts';
import { id, type Knex, of, raw } from '../knex.ts';
import { select } from '../sql.ts';
import { knex, shown } from './column.ts';

/**
 * An expression that is equal where the values shown are the same bytes, with `??` for the column. The column itself, where its own
 * `=` compares bytes.
 */
export function exact(column: Column): string {
  const { type } = column;
  const text = `(${shown(column)})${column.native === 'text' ? '::text' : ''} COLLATE "C"`;
  switch (type.kind) {
    case 'decimal':
      // Without a scale of the column, 2.5 and 2.50 are equal.
      return type.scale === null ? text : '??';
    case 'text':
      return column.equality === 'exact' ? '??' : text;
    case 'json':
      // Its own null is shown as NULL is.
      return `NULLIF(${text}, 'null')`;
    case 'float':
    case 'array':
    case 'opaque':
      return text;
    default:
      return '??';
  }
}

/** What sorts such records by a column: its own order, or for a type that has none its text. */
export const ordered = (column: Column): string => (isComparable(column.type) ? '??' : exact(column));

/** Of these records those that differ. DISTINCT alone can be answered by a hash. */
export function distinct(rows: Knex.QueryBuilder, columns: readonly Column[]): Knex.QueryBuilder {
  if (columns.length === 0) return rows.distinct(knex.raw('NULL'));
  const names = columns.map(id);
  if (columns.every((column) => exact(column) === '??')) return rows.distinct(names);
  const exacts = columns.map((column) => of(column, exact(column)));
  return select(knex, rows, [raw('DISTINCT ON (??) ??', [exacts, names])]);
}
