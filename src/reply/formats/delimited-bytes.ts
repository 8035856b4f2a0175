import type { Encoder, Lines } from '../../model/rows.ts';
import { ByteBuffer } from './byte-buffer.ts';
import { long } from './long-cells.ts';
import { alone, quoter } from './quote.ts';

/** Bytes of a new buffer; a long line makes it grow. */
const size = 80 * 1024;

const quote = 0x22;

/** Bytes that a cell needs beside its own: a delimiter, additions of its encoder, a line feed. */
const spare = 16;

/** The lines of csv and tsv, byte for byte as `delimited` writes them, from the bytes of the server. */
export function lines(delimiter: string, encoders: readonly Encoder[]): Lines {
  return new Delimited(delimiter, encoders);
}

class Delimited implements Lines {
  readonly #encoders: readonly Encoder[];
  readonly #delimiter: number;
  readonly #quoted: (value: string | null) => string;
  /** 1 for each byte that requires quotes around its cell. */
  readonly #special = new Uint8Array(256);
  /** The form of NULL, by column. */
  readonly #nothing: readonly Uint8Array[];
  readonly #to = new ByteBuffer(size);
  #column = 0;
  /** The start of the current line. */
  #begun = 0;

  constructor(delimiter: string, encoders: readonly Encoder[]) {
    this.#encoders = encoders;
    this.#delimiter = delimiter.charCodeAt(0);
    this.#quoted = quoter(delimiter);
    for (const byte of Buffer.from(`"\r\n${delimiter}`)) this.#special[byte] = 1;
    this.#nothing = encoders.map((encoder) => Buffer.from(this.#quoted(encoder.copy(null))));
  }

  cell(from: Uint8Array, start: number, end: number): void {
    const encoder = this.#encoders[this.#column];
    // A statement may have further columns after the shown ones, for their types.
    if (encoder === undefined) return;
    this.#begin(end - start);
    if (encoder.long !== undefined && end - start > long) {
      this.#long(from, start, end);
      return;
    }
    const to = this.#to;
    const stop = encoder.write?.(from, start, end, to.bytes, to.at) ?? -1;
    if (stop === -1) to.put(this.#quoted(encoder.copy(from.subarray(start, end))));
    else if (this.#isPlain(to.at, stop)) to.at = stop;
    else to.put(this.#quoted(to.bytes.toString('utf8', to.at, stop)));
  }

  none(): void {
    const nothing = this.#nothing[this.#column];
    if (nothing === undefined) return;
    this.#begin(nothing.length);
    this.#to.bytes.set(nothing, this.#to.at);
    this.#to.at += nothing.length;
  }

  end(): void {
    const to = this.#to;
    // In a line with one cell, the cell is the whole line.
    if (this.#encoders.length === 1 && to.at - this.#begun === 2) {
      const line = alone(1, to.bytes.toString('latin1', this.#begun, to.at));
      to.at = this.#begun;
      to.put(line);
    }
    this.#column = 0;
    to.room(1);
    to.bytes[to.at++] = 0x0a;
  }

  take(least: number): Uint8Array | null {
    return this.#to.at < least || this.#to.at === 0 ? null : this.#to.take();
  }

  #begin(length: number): void {
    const to = this.#to;
    to.room(length + spare);
    if (this.#column++ > 0) to.bytes[to.at++] = this.#delimiter;
    else this.#begun = to.at;
  }

  /** Writes a very long text, quoted where necessary, in one pass over its bytes. */
  #long(from: Uint8Array, start: number, end: number): void {
    const to = this.#to;
    let at = start;
    while (at < end && this.#special[from[at] ?? 0] === 0) at++;
    if (at === end) {
      to.bytes.set(from.subarray(start, end), to.at);
      to.at += end - start;
      return;
    }
    to.room(2 * (end - start) + 2);
    const { bytes } = to;
    let next = to.at;
    bytes[next++] = quote;
    for (at = start; at < end; at++) {
      const byte = from[at] ?? 0;
      if (byte === quote) bytes[next++] = quote;
      bytes[next++] = byte;
    }
    bytes[next++] = quote;
    to.at = next;
  }

  /** The empty text is written as two quotes. */
  #isPlain(start: number, end: number): boolean {
    const { bytes } = this.#to;
    let special = start === end ? 1 : 0;
    for (let at = start; at < end; at++) special |= this.#special[bytes[at] ?? 0] ?? 0;
    return special === 0;
  }
}
