import type { Encoder, Lines } from '../../rows.ts';
import { alone, quoter } from './delimited.ts';

/** Bytes of a buffer; what a long line needs beyond comes when it does. */
const size = 80 * 1024;

/** What a cell needs beside its own bytes: a delimiter, what its encoder adds, a line feed. */
const spare = 16;

/** The lines of csv and tsv, byte for byte as `delimited` writes them, from the bytes that a server has sent. */
export function lines(delimiter: string, encoders: readonly Encoder[]): Lines {
  return new Delimited(delimiter, encoders);
}

class Delimited implements Lines {
  readonly #encoders: readonly Encoder[];
  readonly #delimiter: number;
  readonly #quoted: (value: string | null) => string;
  /** 1 for the bytes that make a cell one to be quoted. */
  readonly #special = new Uint8Array(256);
  /** What NULL is shown as. */
  readonly #nothing: readonly Uint8Array[];
  #bytes = Buffer.allocUnsafeSlow(size);
  #at = 0;
  #column = 0;
  /** Where the line under way begins. */
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
    // A statement may tell the types of other columns behind those that it shows.
    if (encoder === undefined) return;
    this.#begin(end - start);
    const at = this.#at;
    const stop = encoder.write?.(from, start, end, this.#bytes, at) ?? -1;
    if (stop === -1) this.#put(this.#quoted(encoder.copy(from.subarray(start, end))));
    else if (this.#isPlain(at, stop)) this.#at = stop;
    else this.#put(this.#quoted(this.#bytes.toString('utf8', at, stop)));
  }

  none(): void {
    const nothing = this.#nothing[this.#column];
    if (nothing === undefined) return;
    this.#begin(nothing.length);
    this.#bytes.set(nothing, this.#at);
    this.#at += nothing.length;
  }

  end(): void {
    // The only cell of a line is the line.
    if (this.#encoders.length === 1 && this.#at - this.#begun === 2) {
      const line = alone(1, this.#bytes.toString('latin1', this.#begun, this.#at));
      this.#at = this.#begun;
      this.#put(line);
    }
    this.#column = 0;
    this.#room(1);
    this.#bytes[this.#at++] = 0x0a;
  }

  take(least: number): Uint8Array | null {
    if (this.#at < least || this.#at === 0) return null;
    const taken = this.#bytes.subarray(0, this.#at);
    this.#bytes = Buffer.allocUnsafeSlow(size);
    this.#at = 0;
    return taken;
  }

  #begin(length: number): void {
    this.#room(length + spare);
    if (this.#column++ > 0) this.#bytes[this.#at++] = this.#delimiter;
    else this.#begun = this.#at;
  }

  #room(length: number): void {
    if (this.#at + length <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#at + length, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }

  #put(text: string): void {
    this.#room(Buffer.byteLength(text) + spare);
    this.#at += this.#bytes.write(text, this.#at);
  }

  /** The empty text is written as two quotes. */
  #isPlain(start: number, end: number): boolean {
    let special = start === end ? 1 : 0;
    for (let at = start; at < end; at++) special |= this.#special[this.#bytes[at] ?? 0] ?? 0;
    return special === 0;
  }
}
