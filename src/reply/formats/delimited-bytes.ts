import type { Encoder, Lines } from '../../model/rows.ts';
import { ByteBuffer } from './byte-buffer.ts';
import { long } from './long-cells.ts';
import { alone, quoter } from './quote.ts';

/** The initial size of the buffer in bytes; a long line makes it grow. */
const initialBytes = 80 * 1024;

const quote = 0x22;

/** Spare bytes to reserve beyond a cell's own length: for a delimiter, a line feed, and characters that the encoder adds. */
const spareBytes = 16;

/** Writes csv and tsv directly from the database's bytes, with the same result as `delimited`, which works on strings. */
export function lines(delimiter: string, encoders: readonly Encoder[]): Lines {
  return new Delimited(delimiter, encoders);
}

class Delimited implements Lines {
  readonly #encoders: readonly Encoder[];
  readonly #delimiter: number;
  readonly #quoted: (value: string | null) => string;
  /** For each byte value: 1 if a cell that contains it needs quotes, else 0. */
  readonly #special = new Uint8Array(256);
  /** How each column writes NULL. */
  readonly #nulls: readonly Uint8Array[];
  readonly #to = new ByteBuffer(initialBytes);
  #column = 0;
  /** The index at which the current line starts. */
  #lineStart = 0;

  constructor(delimiter: string, encoders: readonly Encoder[]) {
    this.#encoders = encoders;
    this.#delimiter = delimiter.charCodeAt(0);
    this.#quoted = quoter(delimiter);
    for (const byte of Buffer.from(`"\r\n${delimiter}`)) this.#special[byte] = 1;
    this.#nulls = encoders.map((encoder) => Buffer.from(this.#quoted(encoder.copy(null))));
  }

  cell(from: Uint8Array, start: number, end: number): void {
    const encoder = this.#encoders[this.#column];
    // A statement may select extra columns at the end, which only help to convert values: leave them out of the file.
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
    const nullText = this.#nulls[this.#column];
    if (nullText === undefined) return;
    this.#begin(nullText.length);
    this.#to.bytes.set(nullText, this.#to.at);
    this.#to.at += nullText.length;
  }

  end(): void {
    const to = this.#to;
    // A line that consists of `\.` alone needs quotes, because COPY reads it as the end of the data.
    if (this.#encoders.length === 1 && to.at - this.#lineStart === 2) {
      const line = alone(1, to.bytes.toString('latin1', this.#lineStart, to.at));
      to.at = this.#lineStart;
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
    to.room(length + spareBytes);
    if (this.#column++ > 0) to.bytes[to.at++] = this.#delimiter;
    else this.#lineStart = to.at;
  }

  /** Writes a very long text in one pass over its bytes, with quotes if it needs them. */
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

  /** Whether a text needs no quotes. An empty text needs them, because NULL is written as nothing. */
  #isPlain(start: number, end: number): boolean {
    const { bytes } = this.#to;
    let special = start === end ? 1 : 0;
    for (let at = start; at < end; at++) special |= this.#special[bytes[at] ?? 0] ?? 0;
    return special === 0;
  }
}
