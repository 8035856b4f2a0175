/** The beginnings of MySQL's packets, from the bytes of a socket. */

/** More of a packet is not kept, however large it is. */
const most = 16 * 1024;
/** A packet of this length goes on in the next one. */
const full = 0xffffff;
const headerLength = 4;

export class PacketHeads {
  readonly #take: (head: Buffer) => void;
  /** The beginning of a packet that comes in pieces. */
  readonly #kept = Buffer.allocUnsafe(most);
  #length = 0;
  /** Bytes that have arrived of the header of the current packet: its length, and a number. */
  #header = 0;
  #size = 0;
  /** Bytes of the current packet that have not arrived. */
  #left = 0;

  /** @param take gets each packet when all of it has arrived; its bytes are valid during the call */
  constructor(take: (head: Buffer) => void) {
    this.#take = take;
  }

  read(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      if (this.#header < headerLength) {
        if (this.#header < headerLength - 1) this.#size += (chunk[at] ?? 0) << (8 * this.#header);
        at++;
        this.#header++;
        if (this.#header < headerLength) continue;
        this.#left = this.#size;
      }
      const end = Math.min(chunk.length, at + this.#left);
      const isWhole = this.#length === 0 && end - at === this.#size && this.#size < full;
      if (!isWhole) this.#keep(chunk.subarray(at, end));
      this.#left -= end - at;
      if (this.#left === 0) this.#end(isWhole ? chunk.subarray(at, Math.min(end, at + most)) : null);
      at = end;
    }
  }

  #keep(bytes: Buffer): void {
    this.#length += bytes.copy(this.#kept, this.#length);
  }

  /** @param whole the packet, where it has come in one piece */
  #end(whole: Buffer | null): void {
    const isLast = this.#size < full;
    this.#header = 0;
    this.#size = 0;
    if (!isLast) return;
    const head = whole ?? this.#kept.subarray(0, this.#length);
    this.#length = 0;
    this.#take(head);
  }
}
