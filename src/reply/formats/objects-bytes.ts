import { isUtf8 } from 'node:buffer';
import type { Encoder, Field, JsonRowWriter, Piece } from '../../model/rows.ts';
import type { Cell } from '../../model/value.ts';
import { ByteBuffer } from './byte-buffer.ts';
import { long } from './long-cells.ts';
import { columnsOf } from './object-columns.ts';

/** Bytes of a new buffer: a page of a hundred records mostly has fewer. */
const size = 16 * 1024;
/** Bytes of whole records from which they become a piece: a growing buffer is copied each time. */
const piece = 256 * 1024;
/** Bytes that a cell needs beside its own: quotes, additions of its encoder. */
const spare = 16;
const [comma, opened, closed] = [0x2c, 0x7b, 0x7d];
const nothing = Buffer.from('null');

interface Column {
  readonly prefix: Uint8Array;
  readonly encoder: Encoder;
}

/**
 * The JSON array of `objects`, byte for byte, from the bytes of the server: most cells never become strings.
 * @param cellOf converts the bytes of a cell for an encoder
 */
export function writtenObjects(
  fields: readonly Field[],
  encoders: readonly Encoder[],
  cellOf: (bytes: Uint8Array) => Cell,
): JsonRowWriter {
  const columns = new Array<Column | null>(fields.length).fill(null);
  for (const { index, encoder, prefix } of columnsOf(fields, encoders))
    columns[index] = { encoder, prefix: Buffer.from(prefix) };
  return new Objects(columns, cellOf);
}

class Objects implements JsonRowWriter {
  readonly #columns: readonly (Column | null)[];
  readonly #cellOf: (bytes: Uint8Array) => Cell;
  readonly #to = new ByteBuffer(size);
  readonly #pieces: Piece[] = [];
  /** Bytes of the pieces. */
  #cut = 0;
  #column = 0;
  count = 0;

  constructor(columns: readonly (Column | null)[], cellOf: (bytes: Uint8Array) => Cell) {
    this.#columns = columns;
    this.#cellOf = cellOf;
    this.clear();
  }

  clear(): void {
    this.#pieces.length = 0;
    this.#cut = 0;
    this.count = 0;
    this.#to.at = 0;
    this.#to.put('[{');
  }

  get length(): number {
    return this.#cut + this.#to.at;
  }

  cell(from: Uint8Array, start: number, end: number): void {
    const column = this.#columns[this.#column++];
    // A column shown already, or one that a statement selects after the shown ones, for its type.
    if (column === undefined || column === null) return;
    const { prefix, encoder } = column;
    const to = this.#to;
    if (end - start > long && encoder.long === 'text') {
      to.room(prefix.length);
      to.bytes.set(prefix, to.at);
      to.at += prefix.length;
      this.#keep();
      // No socket chunk is this long, so the bytes are in memory of their own. Copying 60 MB takes 40 ms.
      this.#pieces.push({ text: from.subarray(start, end) });
      this.#cut += end - start;
      return;
    }
    to.room(prefix.length + end - start + spare);
    const { bytes } = to;
    let { at } = to;
    for (let nth = 0; nth < prefix.length; nth++) bytes[at++] = prefix[nth] ?? 0;
    to.at = encoder.writeJson?.(from, start, end, bytes, at) ?? -1;
    if (to.at !== -1) return;
    to.at = at;
    to.put(encoder.json(this.#cellOf(from.subarray(start, end))));
  }

  none(): void {
    const column = this.#columns[this.#column++];
    if (column === undefined || column === null) return;
    const to = this.#to;
    to.room(column.prefix.length + spare);
    to.bytes.set(column.prefix, to.at);
    to.bytes.set(nothing, to.at + column.prefix.length);
    to.at += column.prefix.length + nothing.length;
  }

  end(): void {
    this.count++;
    this.#column = 0;
    const to = this.#to;
    to.room(spare);
    to.bytes[to.at++] = closed;
    if (to.at >= piece) {
      this.#keep();
      to.room(spare);
    }
    to.bytes[to.at++] = comma;
    to.bytes[to.at++] = opened;
  }

  take(): readonly Piece[] {
    const to = this.#to;
    // Removes the start of an object that does not follow.
    to.at -= this.count === 0 ? 1 : 2;
    to.put(']');
    this.#keep();
    return this.#pieces;
  }

  #keep(): void {
    const bytes = this.#to.take();
    this.#cut += bytes.length;
    // A database without an encoding sends any bytes.
    this.#pieces.push(isUtf8(bytes) ? bytes : Buffer.from(bytes.toString('utf8')));
  }
}
