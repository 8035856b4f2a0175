/**
 * A checksum of bytes, as 16 hexadecimal digits: two sums of 32 bits in the manner of FNV-1a, with different beginnings and factors. It is
 * not safe against bytes that somebody has chosen to have an equal one.
 */
export class Checksum {
  #first = 0x811c9dc5;
  #second = 0x050c5d1f;

  /** The order of the bytes counts, not how they are divided. */
  add(bytes: Uint8Array): void {
    let [first, second] = [this.#first, this.#second];
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      first = Math.imul(first ^ byte, 0x01000193);
      second = Math.imul(second ^ byte, 0x85ebca6b);
    }
    [this.#first, this.#second] = [first, second];
  }

  get text(): string {
    return [this.#first, this.#second].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
  }
}
