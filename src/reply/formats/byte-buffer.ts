const nothing = Buffer.alloc(0);

/** A growing buffer that is written at its end. */
export class ByteBuffer {
  /** Memory comes with the first byte: most buffers are never written again after `take`. */
  bytes: Buffer = nothing;
  /** The index of the next byte. After `room`, a caller may write to `bytes` itself and move it. */
  at = 0;
  readonly #size: number;

  /** @param size of a new buffer in bytes; it grows as needed */
  constructor(size: number) {
    this.#size = size;
  }

  room(length: number): void {
    if (this.at + length <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#size, this.at + length, 2 * this.bytes.length));
    this.bytes.copy(larger, 0, 0, this.at);
    this.bytes = larger;
  }

  put(text: string): void {
    this.room(Buffer.byteLength(text));
    this.at += this.bytes.write(text, this.at);
  }

  /** Returns the written bytes, and starts a new buffer. */
  take(): Buffer {
    const taken = this.bytes.subarray(0, this.at);
    this.bytes = nothing;
    this.at = 0;
    return taken;
  }
}
