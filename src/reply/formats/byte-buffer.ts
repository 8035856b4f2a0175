/** Bytes at the end of which more are written. */
export class ByteBuffer {
  bytes: Buffer;
  /** Where the next ones go. Who has made room writes to `bytes` himself. */
  at = 0;
  readonly #size: number;

  /** @param size of a buffer; what is longer gets more when it comes */
  constructor(size: number) {
    this.#size = size;
    this.bytes = Buffer.allocUnsafeSlow(size);
  }

  room(length: number): void {
    if (this.at + length <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.at + length, 2 * this.bytes.length));
    this.bytes.copy(larger, 0, 0, this.at);
    this.bytes = larger;
  }

  put(text: string): void {
    this.room(Buffer.byteLength(text));
    this.at += this.bytes.write(text, this.at);
  }

  /** Gives what was written, and begins anew. */
  take(): Buffer {
    const taken = this.bytes.subarray(0, this.at);
    this.bytes = Buffer.allocUnsafeSlow(this.#size);
    this.at = 0;
    return taken;
  }
}
