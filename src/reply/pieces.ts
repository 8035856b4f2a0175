/** A body made of many parts: a short text stays text, more of it becomes bytes as it arrives. */
import type { Steps } from '../values/slices.ts';

/** Characters from which text becomes bytes. */
const atOnce = 65_536;
/** Bytes that are copied at a time. */
const step = 1_048_576;

export class Pieces {
  readonly #whole: Uint8Array[] = [];
  #bytes = 0;
  #text = '';

  add(text: string): void {
    this.#text += text;
    if (this.#text.length >= atOnce) this.#cut();
  }

  addBytes(bytes: Uint8Array): void {
    this.#cut();
    this.#push(bytes);
  }

  /** The bytes so far, or fewer: a character of the open text counts as one byte. */
  get atLeast(): number {
    return this.#bytes + this.#text.length;
  }

  /** The bytes so far. */
  get length(): number {
    return this.#bytes + Buffer.byteLength(this.#text);
  }

  /** The whole body: a text where it is short, else bytes in memory of their own. */
  *joined(): Steps<string | Uint8Array> {
    if (this.#whole.length === 0) return this.#text;
    this.#cut();
    const body = Buffer.allocUnsafeSlow(this.#bytes);
    let at = 0;
    for (const piece of this.#whole) {
      for (let from = 0; from < piece.length; from += step) {
        if (at > 0 && piece.length >= atOnce) yield;
        const part = piece.subarray(from, from + step);
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
    this.#whole.push(bytes);
    this.#bytes += bytes.length;
  }
}
