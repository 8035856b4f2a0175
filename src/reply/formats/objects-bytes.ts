import { isUtf8 } from 'node:buffer';
import type { Encoder, Field, JsonRowWriter, Piece } from '../../model/rows.ts';
import type { Cell } from '../../model/value.ts';
import { ByteBuffer } from './byte-buffer.ts';
import { long } from './long-cells.ts';

/** The initial size of the buffer in bytes, enough for most pages of a hundred records. */
const initialBytes = 16 * 1024;
/** After this many bytes of records, start a new buffer: a larger one would be copied each time it grows. */
const pieceBytes = 256 * 1024;
/** Spare bytes to reserve beyond a cell's own length: for quotes, and characters that the encoder adds. */
const spareBytes = 16;
const [comma, openingBrace, closingBrace] = [0x2c, 0x7b, 0x7d];
const nullBytes = Buffer.from('null');

interface Column {
  readonly prefix: Uint8Array;
  readonly encoder: Encoder;
}

/**
 * Writes the JSON array of `objects` directly from the database's bytes, so that most cells never become strings.
 * @param cellOf converts a cell's bytes for an encoder
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

/** The columns of a JSON object, without repeated ones. Each has the index of its cell, its encoder, and the prefix `,"name":`. */
export function columnsOf(fields: readonly Field[], encoders: readonly Encoder[]) {
  const seen = new Set<string>();
  return fields.flatMap(({ id }, index) => {
    const encoder = encoders[index];
    if (encoder === undefined || seen.has(id)) return [];
    const prefix = `${seen.size === 0 ? '' : ','}${JSON.stringify(id)}:`;
    seen.add(id);
    return [{ index, encoder, prefix }];
  });
}

class Objects implements JsonRowWriter {
  readonly #columns: readonly (Column | null)[];
  readonly #cellOf: (bytes: Uint8Array) => Cell;
  readonly #to = new ByteBuffer(initialBytes);
  readonly #pieces: Piece[] = [];
  /** The bytes of the finished pieces. */
  #finishedBytes = 0;
  #column = 0;
  count = 0;

  constructor(columns: readonly (Column | null)[], cellOf: (bytes: Uint8Array) => Cell) {
    this.#columns = columns;
    this.#cellOf = cellOf;
    this.clear();
  }

  clear(): void {
    this.#pieces.length = 0;
    this.#finishedBytes = 0;
    this.count = 0;
    this.#to.at = 0;
    this.#to.put('[{');
  }

  get length(): number {
    return this.#finishedBytes + this.#to.at;
  }

  cell(from: Uint8Array, start: number, end: number): void {
    const column = this.#columns[this.#column++];
    // Skip repeated columns, and extra columns at the end, which only help to convert values.
    if (column === undefined || column === null) return;
    const { prefix, encoder } = column;
    const to = this.#to;
    if (end - start > long && encoder.long === 'text') {
      to.room(prefix.length);
      to.bytes.set(prefix, to.at);
      to.at += prefix.length;
      this.#finishPiece();
      // Keep the driver's bytes: copying 60 MB takes 40 ms. The driver joins a value longer than a socket chunk in a separate buffer, so
      // keeping it holds no other data in memory.
      this.#pieces.push({ text: from.subarray(start, end) });
      this.#finishedBytes += end - start;
      return;
    }
    to.room(prefix.length + end - start + spareBytes);
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
    to.room(column.prefix.length + spareBytes);
    to.bytes.set(column.prefix, to.at);
    to.bytes.set(nullBytes, to.at + column.prefix.length);
    to.at += column.prefix.length + nullBytes.length;
  }

  end(): void {
    this.count++;
    this.#column = 0;
    const to = this.#to;
    to.room(spareBytes);
    to.bytes[to.at++] = closingBrace;
    if (to.at >= pieceBytes) {
      this.#finishPiece();
      to.room(spareBytes);
    }
    to.bytes[to.at++] = comma;
    to.bytes[to.at++] = openingBrace;
  }

  take(): readonly Piece[] {
    const to = this.#to;
    // No further object follows, so remove the `,{` after the last record, or the `{` if there is no record.
    to.at -= this.count === 0 ? 1 : 2;
    to.put(']');
    this.#finishPiece();
    return this.#pieces;
  }

  #finishPiece(): void {
    const bytes = this.#to.take();
    this.#finishedBytes += bytes.length;
    // A PostgreSQL database with the encoding SQL_ASCII may send bytes that are not UTF-8.
    this.#pieces.push(isUtf8(bytes) ? bytes : Buffer.from(bytes.toString('utf8')));
  }
}
