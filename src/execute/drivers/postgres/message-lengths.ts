/** SQLSTATE of a protocol violation: such a connection counts as lost. */
export const protocolError = (text: string): Error =>
  Object.assign(new Error(`the server sent ${text}`), { code: '08P01' });

const headBytes = 5;
/** PostgreSQL builds every message in memory, of which it allocates less than this at once. */
const mostBytes = 2 ** 30;
/** An error or a notice may quote a value; the driver makes several copies of it. */
const mostTextBytes = 16 * 1024 * 1024;
/** Error and notice. The driver looks for the end of their fields, and never ends where that is missing. */
const [error, notice] = [0x45, 0x4e];

/** Follows the messages of a connection from its first byte, and throws where the driver or our readers would not end. */
export class MessageLengths {
  /** Bytes of the current head that have arrived. */
  #have = 0;
  #code = 0;
  #length = 0;
  /** Bytes of the current message that have not arrived. */
  #left = 0;
  /** The last two bytes of an error or a notice. */
  #last = 0;

  check(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      if (this.#left > 0) {
        const end = Math.min(at + this.#left, chunk.length);
        this.#left -= end - at;
        this.#read(chunk, Math.max(at, end - 2), end);
        at = end;
        continue;
      }
      if (this.#have === 0 && chunk.length - at >= headBytes) {
        this.#code = chunk[at] ?? 0;
        this.#begin(chunk.readUInt32BE(at + 1));
        at += headBytes;
        if (this.#left === 0) this.#read(chunk, at, at);
        continue;
      }
      const byte = chunk[at++] ?? 0;
      if (this.#have === 0) {
        this.#code = byte;
        this.#length = 0;
      } else this.#length = this.#length * 256 + byte;
      if (++this.#have < headBytes) continue;
      this.#have = 0;
      this.#begin(this.#length);
      if (this.#left === 0) this.#read(chunk, at, at);
    }
  }

  #begin(length: number): void {
    const isText = this.#code === error || this.#code === notice;
    if (length < 4 || length > (isText ? mostTextBytes : mostBytes))
      throw protocolError(`a message of ${length} bytes`);
    this.#left = length - 4;
    this.#last = -1;
  }

  /** @param from at most two bytes before `to`, the end of what has arrived of the message */
  #read(chunk: Buffer, from: number, to: number): void {
    if (this.#code !== error && this.#code !== notice) return;
    for (let at = from; at < to; at++) this.#last = ((this.#last << 8) | (chunk[at] ?? 0)) & 0xffff;
    if (this.#left === 0 && this.#last !== 0) throw protocolError('an error without an end');
  }
}
