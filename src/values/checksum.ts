/**
 * A number of 64 bits of some bytes, as text, to tell them from others that nobody has chosen for that: two FNV-1a of 32 bits, which begin
 * with different numbers. Not against forgery.
 */
export class Checksum {
  #first = 0x811c9dc5;
  #second = 0x050c5d1f;

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
