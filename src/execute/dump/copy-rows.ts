import type { Cell } from '../../model/value.ts';
import { inSlices, type Steps } from '../../values/slices.ts';
import { type CopyChunk, roomForEach, TooLarge } from '../connection/session.ts';
import type { Rows } from './streams.ts';

const newline = 0x0a;

/**
 * Parses COPY's text format. Yields the rows that are complete after each piece, as one batch. COPY escapes line feeds and tabs inside
 * values, so every unescaped one is a separator. (This takes half as long as reading the rows of a SELECT.)
 */
export async function* copyRows(pieces: AsyncIterable<CopyChunk>): AsyncGenerator<Rows, void> {
  let incomplete: Uint8Array[] = [];
  let bytes = 0;
  for await (const { bytes: given, length } of pieces) {
    const piece = given.subarray(0, length);
    const end = piece.lastIndexOf(newline) + 1;
    if (end === 0) {
      // A large value arrives in thousands of pieces. Joining them at each piece would copy it thousands of times.
      incomplete.push(piece);
      bytes += length;
      if (!roomForEach.fits(bytes)) throw new TooLarge();
      continue;
    }
    const parts = [...incomplete, piece.subarray(0, end)];
    incomplete = end === piece.length ? [] : [piece.subarray(end)];
    bytes = length - end;
    yield await inSlices(rowsOf(parts));
  }
}

/** @param parts the bytes of complete lines */
function* rowsOf(parts: readonly Uint8Array[]): Steps<Rows> {
  const [first = new Uint8Array(0)] = parts;
  // Yield between the steps: with very long values, one step alone blocks the event loop for as long as we can allow.
  const bytes = parts.length === 1 ? first : Buffer.concat(parts);
  yield;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  yield;
  const lines = text.split('\n');
  lines.pop();
  const rows: (readonly Cell[])[] = [];
  for (const line of lines) {
    const cells: Cell[] = line.split('\t');
    if (line.includes('\\'))
      for (const [at, cell] of cells.entries())
        if (typeof cell === 'string' && cell.includes('\\')) cells[at] = yield* unescaped(cell);
    rows.push(cells);
  }
  return rows;
}

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };
/** How many characters of a cell one step unescapes. */
const charactersPerStep = 65_536;

function* unescaped(cell: string): Steps<Cell> {
  if (cell === '\\N') return null;
  if (cell.length <= charactersPerStep) return plain(cell);
  const parts: string[] = [];
  for (let from = 0; from < cell.length; ) {
    let end = from + charactersPerStep;
    let backslashes = 0;
    while (end - backslashes > from && cell[end - backslashes - 1] === '\\') backslashes++;
    // Do not cut between a backslash and the character that it escapes.
    end += backslashes % 2;
    parts.push(plain(cell.slice(from, end)));
    from = end;
    yield;
  }
  return parts.join('');
}

const plain = (text: string): string => text.replace(/\\([\s\S])/g, (_, char: string) => escapes[char] ?? char);
