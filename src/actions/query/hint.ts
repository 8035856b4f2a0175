import type { Table } from '../../model/table.ts';
import { didYouMean } from '../../values/nearest.ts';
import { unquote } from './columns.ts';

/** The suggestion for an unknown field: the visible field with the nearest name. `table.columns` has no hidden ones. */
export function hint(name: string, table: Table): string {
  return didYouMean(
    unquote(name),
    table.columns.map(({ label }) => label),
  );
}
