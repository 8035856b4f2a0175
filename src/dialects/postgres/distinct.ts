/** Records that show the same are one: the equality of what is shown, not of any type or collation. */
import { type Column, isComparable } from '../../model/table.ts';
import { id, isFlag, shown } from './column.ts';

/** An expression that is equal where the values shown are the same bytes; the column itself where its own `=` says just that. */
export function exact(column: Column): string {
  const { type } = column;
  const text = `(${shown(column)})${column.native === 'text' ? '::text' : ''} COLLATE "C"`;
  switch (type.kind) {
    case 'bool':
      return isFlag(column) ? `(${id(column)} <> 0)` : id(column);
    case 'decimal':
      // Without a scale of the column, 2.5 and 2.50 are equal.
      return type.scale === null ? text : id(column);
    case 'text':
      return column.equality === 'exact' ? id(column) : text;
    case 'json':
      // Its own null is shown as NULL is.
      return `NULLIF(${text}, 'null')`;
    case 'float':
    case 'array':
    case 'opaque':
      return text;
    default:
      return id(column);
  }
}

/** What sorts such records by a column: its own order, or for a type that has none its text. */
export const ordered = (column: Column): string =>
  isComparable(column.type) && !isFlag(column) ? id(column) : exact(column);

/** The SELECT of the records that differ; `rest` is its FROM and WHERE. DISTINCT alone can be answered by a hash. */
export function distinct(columns: readonly Column[], rest: string): string {
  const on = columns.every((column) => exact(column) === id(column)) ? '' : ` ON (${columns.map(exact).join(', ')})`;
  return `SELECT DISTINCT${on} ${columns.map(id).join(', ') || 'NULL'}${rest}`;
}
