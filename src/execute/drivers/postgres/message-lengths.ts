/** An error with the SQLSTATE of a protocol violation, so that the connection counts as lost. */
export const protocolError = (text: string): Error =>
  Object.assign(new Error(`the server sent ${text}`), { code: '08P01' });

const headBytes = 5;
/** No real message is longer: PostgreSQL builds each one in memory, and allocates less than 1 GB at once. */
const maxMessageBytes = 2 ** 30;
/** Limit for errors and notices, which may quote a value: the driver makes several copies of them. */
const maxTextBytes = 16 * 1024 * 1024;
/** Error and notice. The driver searches for the end of their fields, and would loop forever without one. */
const [error, notice] = [0x45, 0x4e];

/** Checks the lengths of all messages of a connection. Throws on a length that would make the driver or our readers wait forever. */
export class MessageLengths {
  /** How many bytes of the current head have arrived. */
  #headReceived = 0;
  #code = 0;
  #length = 0;
  /** How many bytes of the current message are still to come. */
  #missing = 0;
  /** The last two bytes of an error or a notice, which must be zero. */
  #last = 0;

  check(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      if (this.#missing > 0) {
        const end = Math.min(at + this.#missing, chunk.length);
        this.#missing -= end - at;
        this.#read(chunk, Math.max(at, end - 2), end);
        at = end;
        continue;
      }
      if (this.#headReceived === 0 && chunk.length - at >= headBytes) {
        this.#code = chunk[at] ?? 0;
        this.#begin(chunk.readUInt32BE(at + 1));
        at += headBytes;
        if (this.#missing === 0) this.#read(chunk, at, at);
        continue;
      }
      const byte = chunk[at++] ?? 0;
      if (this.#headReceived === 0) {
        this.#code = byte;
        this.#length = 0;
      } else this.#length = this.#length * 256 + byte;
      if (++this.#headReceived < headBytes) continue;
      this.#headReceived = 0;
      this.#begin(this.#length);
      if (this.#missing === 0) this.#read(chunk, at, at);
    }
  }

  #begin(length: number): void {
    const isText = this.#code === error || this.#code === notice;
    if (length < 4 || length > (isText ? maxTextBytes : maxMessageBytes))
      throw protocolError(`a message of ${length} bytes`);
    this.#missing = length - 4;
    this.#last = -1;
  }

  /** @param to where the received part of the message ends; `from` is at most two bytes before it */
  #read(chunk: Buffer, from: number, to: number): void {
    if (this.#code !== error && this.#code !== notice) return;
    for (let at = from; at < to; at++) this.#last = ((this.#last << 8) | (chunk[at] ?? 0)) & 0xffff;
    if (this.#missing === 0 && this.#last !== 0) throw protocolError('an error without an end');
  }
}
