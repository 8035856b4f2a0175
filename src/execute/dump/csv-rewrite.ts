import type { Encoder } from '../../model/rows.ts';
import type { CopyChunk } from '../connection/session.ts';

const newline = 0x0a;
const quote = 0x22;

/** Free bytes that rewriting one cell needs. */
const slack = 16;
/** Extra bytes for rewriting. Only cells of 19 or more characters grow, and by at most 4, so a quarter is always enough. */
const sufficientRoom = (bytes: number): number => Math.ceil(bytes / 4) + slack;
const usualRoom = (bytes: number): number => Math.ceil(bytes / 16) + slack;

/**
 * Rewrites the cells of some columns in lines of CSV by their encoders. This is cheap, while formatting them in SQL would take most of the
 * server's time. The server never quotes these cells.
 * @param encoders one per column; null if the server's cells are already right
 */
export async function* rewriteCsv(
  pieces: AsyncIterable<CopyChunk>,
  delimiter: string,
  encoders: readonly (Encoder | null)[],
): AsyncGenerator<Uint8Array, void> {
  const rewriter = encoders.every((encoder) => encoder === null) ? null : new CsvColumnRewriter(delimiter, encoders);
  for await (const piece of pieces) yield rewriter?.rewrite(piece) ?? piece.bytes.subarray(0, piece.length);
}

class CsvColumnRewriter {
  readonly #encoders: readonly (Encoder | null)[];
  readonly #delimiter: number;
  /** The highest byte that separates or quotes cells: `#find` can skip every byte above it. */
  readonly #highest: number;
  /** The beginning of a cell to rewrite whose rest has not arrived yet. */
  #incomplete: Uint8Array = new Uint8Array(0);
  #column = 0;
  #isQuoted = false;
  /** The start and the encoder of the cell that `#find` has found. */
  #start = 0;
  #encoder: Encoder | null = null;

  constructor(delimiter: string, encoders: readonly (Encoder | null)[]) {
    this.#encoders = encoders;
    this.#delimiter = delimiter.charCodeAt(0);
    this.#highest = Math.max(newline, quote, this.#delimiter);
  }

  /**
   * Rewrites in place, if the buffer has room: moves the bytes to its end, then writes cell by cell from its beginning. A new buffer for each
   * piece, and an object for each of a million cells, would take more memory than the rest of a download.
   */
  rewrite({ bytes: given, length: added }: CopyChunk): Uint8Array {
    const length = this.#incomplete.length + added;
    let bytes = given;
    if (bytes.length - length < slack) {
      bytes = Buffer.concat([Buffer.allocUnsafe(usualRoom(length)), this.#incomplete, given.subarray(0, added)]);
    } else {
      bytes.copyWithin(bytes.length - added, 0, added);
      bytes.set(this.#incomplete, bytes.length - length);
    }
    let readAt = bytes.length - length;
    let writeAt = 0;
    for (
      let end = this.#find(bytes, readAt);
      end !== -1 && this.#encoder !== null;
      end = this.#find(bytes, readAt + 1)
    ) {
      bytes.copyWithin(writeAt, readAt, this.#start);
      writeAt += this.#start - readAt;
      readAt = end;
      if (this.#start - writeAt < slack) {
        const more = Buffer.allocUnsafe(sufficientRoom(length));
        bytes = Buffer.concat([bytes.subarray(0, writeAt), more, bytes.subarray(writeAt)]);
        this.#start += more.length;
        readAt += more.length;
      }
      writeAt = rewriteCell(this.#encoder, bytes, this.#start, readAt, writeAt);
    }
    const rest = this.#encoder === null ? bytes.length : this.#start;
    this.#incomplete = bytes.subarray(rest);
    bytes.copyWithin(writeAt, readAt, rest);
    return bytes.subarray(0, writeAt + rest - readAt);
  }

  /**
   * Returns the end of the next cell to rewrite, and sets `#start` and `#encoder`. Returns -1 if no such cell ends in these
   * bytes: the rest of it may arrive later. It must not call any function: V8 would then reload the array at each access, which
   * takes twice as long.
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

/** Writes the rewritten cell at `at`, and returns the index after it. */
function rewriteCell({ write, copy }: Encoder, bytes: Buffer, start: number, end: number, at: number): number {
  const stop = write?.(bytes, start, end, bytes, at) ?? -1;
  return stop === -1 ? at + bytes.write(copy(bytes.subarray(start, end)) ?? '', at) : stop;
}
