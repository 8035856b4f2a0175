/** A body that is collected in many parts. A short body stays text; a longer one is converted to bytes as it grows. */
import type { Steps } from '../values/slices.ts';

/** Longer text is converted to bytes. */
const maxTextCharacters = 65_536;
/** The number of bytes copied in one step. */
const stepBytes = 1_048_576;

export class Pieces {
  readonly #parts: Uint8Array[] = [];
  #bytes = 0;
  #text = '';

  add(text: string): void {
    this.#text += text;
    if (this.#text.length >= maxTextCharacters) this.#cut();
  }

  addBytes(bytes: Uint8Array): void {
    this.#cut();
    this.#push(bytes);
  }

  /** A cheap lower bound of `length`: it counts each character that is not yet converted as one byte. */
  get atLeast(): number {
    return this.#bytes + this.#text.length;
  }

  /** The exact number of bytes so far. */
  get length(): number {
    return this.#bytes + Buffer.byteLength(this.#text);
  }

  /** The whole body: a string if it is short, else bytes in one buffer that shares no memory with others. */
  *joined(): Steps<string | Uint8Array> {
    if (this.#parts.length === 0) return this.#text;
    this.#cut();
    const body = Buffer.allocUnsafeSlow(this.#bytes);
    let at = 0;
    for (const piece of this.#parts) {
      for (let from = 0; from < piece.length; from += stepBytes) {
        if (at > 0 && piece.length >= maxTextCharacters) yield;
        const part = piece.subarray(from, from + stepBytes);
        body.set(part, at);
        at += part.length;
      }
    }
    return body;
  }

  #cut(): void {
    if (this.#text !== '') this.#push(Buffer.from(this.#text));
    this.#text = '';
  }

  #push(bytes: Uint8Array): void {
    this.#parts.push(bytes);
    this.#bytes += bytes.length;
  }
}
