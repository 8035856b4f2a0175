const noBytes = Buffer.alloc(0);

/** A buffer that grows as bytes are appended. */
export class ByteBuffer {
  /** Allocated with the first write, because most buffers are not used again after `take`. */
  bytes: Buffer = noBytes;
  /** The index of the next byte. After `room`, a caller may write to `bytes` directly and advance `at`. */
  at = 0;
  readonly #size: number;

  /** @param size the initial size in bytes; the buffer grows as needed */
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

  /** Returns the bytes written so far, and starts a new buffer. */
  take(): Buffer {
    const taken = this.bytes.subarray(0, this.at);
    this.bytes = noBytes;
    this.at = 0;
    return taken;
  }
}
