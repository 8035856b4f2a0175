/** Reads only the beginning of each MySQL packet from a socket, so that following a binary log takes no memory for large events. */

/** How many bytes of a packet we keep at most. */
const maxHeadBytes = 16 * 1024;
/** A packet of this length is continued in the next packet. */
const fullPacket = 0xffffff;
const headerLength = 4;

export class PacketHeads {
  readonly #take: (head: Buffer) => void;
  /** The beginning of a packet that arrives in several chunks. */
  readonly #head = Buffer.allocUnsafe(maxHeadBytes);
  #length = 0;
  /** How many bytes of the current packet's header (length and number) have arrived. */
  #headerBytes = 0;
  #size = 0;
  /** How many bytes of the current packet are still to come. */
  #missing = 0;

  /** @param take gets each packet's head once the whole packet has arrived; the bytes are only valid during the call */
  constructor(take: (head: Buffer) => void) {
    this.#take = take;
  }

  read(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      if (this.#headerBytes < headerLength) {
        if (this.#headerBytes < headerLength - 1) this.#size += (chunk[at] ?? 0) << (8 * this.#headerBytes);
        at++;
        this.#headerBytes++;
        if (this.#headerBytes < headerLength) continue;
        this.#missing = this.#size;
      }
      const end = Math.min(chunk.length, at + this.#missing);
      const isWhole = this.#length === 0 && end - at === this.#size && this.#size < fullPacket;
      if (!isWhole) this.#keep(chunk.subarray(at, end));
      this.#missing -= end - at;
      if (this.#missing === 0) this.#end(isWhole ? chunk.subarray(at, Math.min(end, at + maxHeadBytes)) : null);
      at = end;
    }
  }

  #keep(bytes: Buffer): void {
    this.#length += bytes.copy(this.#head, this.#length);
  }

  /** @param whole the head of the packet if it arrived in one chunk; else it is in `#head` */
  #end(whole: Buffer | null): void {
    const isLast = this.#size < fullPacket;
    this.#headerBytes = 0;
    this.#size = 0;
    if (!isLast) return;
    const head = whole ?? this.#head.subarray(0, this.#length);
    this.#length = 0;
    this.#take(head);
  }
}
