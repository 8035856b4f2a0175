import { didYouMean } from '../../values/nearest.ts';
import { type Fields, unquote } from './columns.ts';

/** The suggestion for an unknown field: the most similar name of a visible one. `table.columns` has no hidden columns. */
export function hint(name: string, table: Fields): string {
  return didYouMean(
    unquote(name),
    table.columns.map(({ label }) => label),
  );
}
