import type { Encoder } from '../../model/rows.ts';
import type { Copied } from '../connection/session.ts';

const newline = 0x0a;
const quote = 0x22;

/** Bytes of room that rewriting one cell needs. */
const slack = 16;
/** A rewritten cell that grows has at least 19 characters, and grows by at most 4. Mostly there is much else beside it. */
const most = (bytes: number): number => Math.ceil(bytes / 4) + slack;
const mostly = (bytes: number): number => Math.ceil(bytes / 16) + slack;

/**
 * The same lines of CSV, with the cells of some columns rewritten by their encoders. This formatting would cost the server most
 * of its time and is cheap here. Such cells are never quoted.
 * @param encoders for each column; null where the server's cells are already right
 */
export async function* rewriteCsv(
  pieces: AsyncIterable<Copied>,
  delimiter: string,
  encoders: readonly (Encoder | null)[],
): AsyncGenerator<Uint8Array, void> {
  const mender = encoders.every((encoder) => encoder === null) ? null : new CsvColumnRewriter(delimiter, encoders);
  for await (const piece of pieces) yield mender?.mend(piece) ?? piece.bytes.subarray(0, piece.length);
}

class CsvColumnRewriter {
  readonly #encoders: readonly (Encoder | null)[];
  readonly #delimiter: number;
  /** No byte above it ends a cell, or begins or ends a quoted one. */
  readonly #highest: number;
  /** The beginning of a cell to rewrite, whose rest has not arrived. */
  #begun: Uint8Array = new Uint8Array(0);
  #column = 0;
  #isQuoted = false;
  /** The start of the cell found last, and its encoder. */
  #start = 0;
  #encoder: Encoder | null = null;

  constructor(delimiter: string, encoders: readonly (Encoder | null)[]) {
    this.#encoders = encoders;
    this.#delimiter = delimiter.charCodeAt(0);
    this.#highest = Math.max(newline, quote, this.#delimiter);
  }

  /**
   * Moves the bytes from the end of their buffer to its beginning while rewriting, where that has room. New buffers for each
   * piece, and a million objects for cells, would take more memory than the rest of a download.
   */
  mend({ bytes: given, length: added }: Copied): Uint8Array {
    const length = this.#begun.length + added;
    let bytes = given;
    if (bytes.length - length < slack) {
      bytes = Buffer.concat([Buffer.allocUnsafe(mostly(length)), this.#begun, given.subarray(0, added)]);
    } else {
      bytes.copyWithin(bytes.length - added, 0, added);
      bytes.set(this.#begun, bytes.length - length);
    }
    let left = bytes.length - length;
    let written = 0;
    for (let end = this.#find(bytes, left); end !== -1 && this.#encoder !== null; end = this.#find(bytes, left + 1)) {
      bytes.copyWithin(written, left, this.#start);
      written += this.#start - left;
      left = end;
      if (this.#start - written < slack) {
        const more = Buffer.allocUnsafe(most(length));
        bytes = Buffer.concat([bytes.subarray(0, written), more, bytes.subarray(written)]);
        this.#start += more.length;
        left += more.length;
      }
      written = mendedCell(this.#encoder, bytes, this.#start, left, written);
    }
    const rest = this.#encoder === null ? bytes.length : this.#start;
    this.#begun = bytes.subarray(rest);
    bytes.copyWithin(written, left, rest);
    return bytes.subarray(0, written + rest - left);
  }

  /**
   * Returns the end of the next cell to rewrite, and sets `#start` and `#encoder`. Returns -1 if no such cell ends in these
   * bytes: its rest may arrive later. It calls no function: after a call, V8 reloads the bytes at each access, and takes twice
   * as long.
   */
  #find(bytes: Uint8Array, from: number): number {
    const encoders = this.#encoders;
    const delimiter = this.#delimiter;
    const highest = this.#highest;
    let column = this.#column;
    let isQuoted = this.#isQuoted;
    let encoder = encoders[column] ?? null;
    let start = from;
    let end = -1;
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      if (byte > highest) continue;
      if (byte === quote) isQuoted = !isQuoted;
      else if (!isQuoted && (byte === delimiter || byte === newline)) {
        column = byte === newline ? 0 : column + 1;
        if (encoder !== null && at > start) {
          end = at;
          break;
        }
        encoder = encoders[column] ?? null;
        start = at + 1;
      }
    }
    this.#column = column;
    this.#isQuoted = isQuoted;
    this.#encoder = encoder;
    this.#start = start;
    return end;
  }
}

/** Returns the index after the written bytes. */
function mendedCell({ write, copy }: Encoder, bytes: Buffer, start: number, end: number, at: number): number {
  const stop = write?.(bytes, start, end, bytes, at) ?? -1;
  return stop === -1 ? at + bytes.write(copy(bytes.subarray(start, end)) ?? '', at) : stop;
}
