import { isDigits, type Sent } from '../sent.ts';
import type { Table } from '../table.ts';
import { cellOf, type Row } from './filters.ts';
import { plain } from './show.ts';

/** The text of `q`, a number by its digits. */
export const said = (q: Sent | undefined): string =>
  q === undefined || q === null ? '' : isDigits(q) ? q.digits : String(q);

/** Tells whether each word of `q` stands in some field of the row, as it is shown; what is in quotes is one word. */
export function speaksOf(table: Table, q: string): (row: Row) => boolean {
  const words = [...q.matchAll(/"([^"]*)"|[^\s"]+/g)]
    .map(([all, quoted]) => fold(quoted ?? all))
    .filter((word) => word !== '');
  const fields = table.columns.filter(({ kind }) => kind.is !== 'bytes');
  return (row) => {
    const texts = fields.flatMap(({ name, kind }) => {
      const cell = cellOf(row, name);
      return cell === null ? [] : [fold(plain(kind, cell))];
    });
    return words.every((word) => texts.some((text) => text.includes(word)));
  };
}

/** Letter by letter: a whole text has a sigma for its end. */
const fold = (text: string) => Array.from(text, (letter) => letter.toLowerCase()).join('');
