/** Parses CSV and TSV (RFC 4180) from spreadsheets and downloads. */
import { Unreadable } from './unreadable.ts';

/** Null is an empty cell; `""` is the empty text. */
export type Cell = string | null;

/** More columns than any table has: a guard against files that are not CSV. */
const maxCells = 5000;

/** Guesses the delimiter from the first line: a tab if it has one, else whichever of `,` and `;` is more frequent. */
export function delimiterOf(text: string): string {
  const line = (/^[^\r\n]*/.exec(text.slice(0, 100_000))?.[0] ?? '').replace(/"[^"]*"/g, '');
  const count = (char: string) => line.split(char).length;
  if (count('\t') > 1) return '\t';
  return count(';') > count(',') ? ';' : ',';
}

/**
 * Yields one row at a time, so that the caller can pause. Blank lines are skipped, unless rows have a single column.
 * @throws Unreadable with the line number
 */
export function* rowsOf(text: string, delimiter: string): Generator<readonly Cell[], void> {
  let [at, line, width] = [text.startsWith('\ufeff') ? 1 : 0, 1, 0];
  while (at < text.length) {
    const cells: Cell[] = [];
    const first = line;
    for (let isLast = false; !isLast; ) {
      if (cells.length === maxCells) throw new Unreadable({ is: 'tooManyCells', line });
      const { cell, end } = text[at] === '"' ? quoted(text, at, line) : plain(text, at, delimiter);
      cells.push(cell);
      if (cell !== null) line += breaksIn(cell);
      const next = text[end];
      if (next !== undefined && next !== delimiter && next !== '\n' && next !== '\r')
        throw new Unreadable({ is: 'afterQuote', line });
      isLast = next !== delimiter;
      at = end + (next === '\r' && text[end + 1] === '\n' ? 2 : 1);
    }
    line++;
    if (cells.length === 1 && cells[0] === null && width !== 1) continue;
    width ||= cells.length;
    if (cells.length !== width)
      throw new Unreadable({ is: 'wrongCells', line: first, has: cells.length, wants: width });
    yield cells;
  }
}

/** Reads a cell without quotation marks; returns its value and the index of its end. */
function plain(text: string, from: number, delimiter: string): { readonly cell: Cell; readonly end: number } {
  let end = from;
  for (; end < text.length; end++) {
    const char = text[end];
    if (char === delimiter || char === '\n' || char === '\r') break;
  }
  return { cell: end === from ? null : text.slice(from, end), end };
}

function quoted(text: string, from: number, line: number): { readonly cell: Cell; readonly end: number } {
  let end = text.indexOf('"', from + 1);
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
  if (end < 0) throw new Unreadable({ is: 'openQuote', line });
  return { cell: text.slice(from + 1, end).replaceAll('""', '"'), end: end + 1 };
}

function breaksIn(cell: string): number {
  let count = 0;
  for (let at = cell.indexOf('\n'); at >= 0; at = cell.indexOf('\n', at + 1)) count++;
  return count;
}
