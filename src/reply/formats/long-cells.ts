/** Writes rows that contain texts of several megabytes in parts: escaping such a text at once would block the event loop for too long. */
import type { Encoder } from '../../model/rows.ts';
import type { Cell } from '../../model/value.ts';
import type { Format, Long } from './format.ts';

/** Texts longer than `long`, in characters or bytes, are written in parts of about `partSize`. */
export const long = 262_144;
const partSize = 65_536;

/** A row's text in consecutive parts; usually there is only one. */
export function* rowParts(
  format: Format,
  encoders: readonly Encoder[],
  cells: readonly Cell[],
): Generator<string, void> {
  // Write the row with a short stand-in for each long cell. Stand-ins are random, so that no other cell can contain one.
  const mark = cells.some(isLong) ? crypto.randomUUID() : '';
  const longs = new Map<number, Long>();
  cells.forEach((cell, column) => {
    const is = encoders[column]?.long;
    if (is !== undefined && isLong(cell))
      longs.set(column, format.long({ column, is, text: cell }, `${mark}.${column}.`));
  });
  if (longs.size === 0) {
    yield format.row(cells);
    return;
  }
  let rest = format.row(cells.map((cell, column) => longs.get(column)?.standIn ?? cell));
  for (const { shown, parts } of longs.values()) {
    const place = rest.indexOf(shown);
    // In an object, a column that is selected twice appears only once.
    if (place < 0) continue;
    yield rest.slice(0, place);
    yield* parts;
    rest = rest.slice(place + shown.length);
  }
  yield rest;
}

const isLong = (cell: Cell): cell is string => typeof cell === 'string' && cell.length > long;

/** Splits a text into parts, never in the middle of a character, and passes each part through `written`. */
export function* partsOf(text: string, written = (part: string): string => part): Generator<string, void> {
  for (let from = 0; from < text.length; ) {
    const code = text.charCodeAt(from + partSize - 1);
    // A part must not end between the two halves of a surrogate pair.
    const end = from + partSize + (code >= 0xd800 && code < 0xdc00 ? 1 : 0);
    yield written(text.slice(from, end));
    from = end;
  }
}

/** Decodes UTF-8 in parts, never splitting a character. */
export function* textsOf(utf8: Uint8Array): Generator<string, void> {
  for (let from = 0; from < utf8.length; ) {
    let end = Math.min(from + partSize, utf8.length);
    // Go back to where the character starts. That is at most three bytes, because a UTF-8 character has at most four.
    for (let back = 0; back < 3 && end < utf8.length && ((utf8[end] ?? 0) & 0xc0) === 0x80; back++) end--;
    yield Buffer.from(utf8.buffer, utf8.byteOffset + from, end - from).toString();
    from = end;
  }
}

/** A text escaped for JSON, without its quotation marks. */
export const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
