import type { Table } from '../../model/table.ts';
import { didYouMean } from '../../values/nearest.ts';
import { unquote } from './columns.ts';

/** What a refusal of an unknown field adds: the visible field that was probably meant. Hidden ones are not among the columns. */
export function hint(name: string, table: Table): string {
  return didYouMean(
    unquote(name),
    table.columns.map(({ label }) => label),
  );
}
