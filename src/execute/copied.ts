import type { Cell } from '../value.ts';
import type { Copied } from './session.ts';
import type { Rows } from './streams.ts';

const newline = 0x0a;

/**
 * The rows in the bytes of COPY's text format, a batch for each piece that ends one. A line feed or tab inside a value is
 * escaped there, so that rows and cells are split by what they are. (It takes half the time of the protocol's own rows.)
 */
export async function* copiedRows(pieces: AsyncIterable<Copied>): AsyncGenerator<Rows, void> {
  let begun: Uint8Array[] = [];
  for await (const { bytes, length } of pieces) {
    const piece = bytes.subarray(0, length);
    const end = piece.lastIndexOf(newline) + 1;
    if (end === 0) {
      // One value may come in thousands of pieces: joined at each of them, it would be copied as often.
      begun.push(piece);
      continue;
    }
    const whole = begun.length === 0 ? piece.subarray(0, end) : Buffer.concat([...begun, piece.subarray(0, end)]);
    begun = end === piece.length ? [] : [piece.subarray(end)];
    yield rowsOf(Buffer.from(whole.buffer, whole.byteOffset, whole.length).toString('utf8'));
  }
}

/** @param text lines, the last of them ended, too */
function rowsOf(text: string): Rows {
  const lines = text.split('\n');
  lines.pop();
  return lines.map((line) => {
    const cells: Cell[] = line.split('\t');
    if (!line.includes('\\')) return cells;
    return cells.map((cell) => (typeof cell === 'string' && cell.includes('\\') ? unescaped(cell) : cell));
  });
}

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

function unescaped(cell: string): Cell {
  return cell === '\\N' ? null : cell.replace(/\\([\s\S])/g, (_, char: string) => escapes[char] ?? char);
}
