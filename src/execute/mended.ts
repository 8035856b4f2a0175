import type { Encoder } from '../rows.ts';

const newline = 0x0a;
const quote = 0x22;

/** What is made longer has 19 characters at least, and becomes longer by 4 at most. Mostly there is much beside it. */
const most = (bytes: number): number => bytes + Math.ceil(bytes / 4) + 32;
const mostly = (bytes: number): number => bytes + Math.ceil(bytes / 16) + 32;

/**
 * The same lines of csv, with the cells of some columns as their encoders write them: what costs the server most of its time is
 * little to do here. Such cells are never quoted.
 * @param encoders for each column; null where its cells already are what they must be
 */
export async function* mended(
  pieces: AsyncIterable<Uint8Array>,
  delimiter: string,
  encoders: readonly (Encoder | null)[],
): AsyncGenerator<Uint8Array, void> {
  const mender = new Mender(delimiter, encoders);
  for await (const piece of pieces) yield mender.mend(piece);
}

class Mender {
  readonly #encoders: readonly (Encoder | null)[];
  /** 1 for the bytes that end a cell or begin or end what is quoted. */
  readonly #special = new Uint8Array(256);
  #column = 0;
  #isQuoted = false;
  /** The beginning of a cell to mend, whose rest has not come. */
  #begun: Uint8Array = new Uint8Array(0);

  constructor(delimiter: string, encoders: readonly (Encoder | null)[]) {
    this.#encoders = encoders;
    for (const byte of [newline, quote, delimiter.charCodeAt(0)]) this.#special[byte] = 1;
  }

  mend(piece: Uint8Array): Uint8Array {
    const from = this.#begun.length === 0 ? piece : Buffer.concat([this.#begun, piece]);
    let to: Buffer = Buffer.allocUnsafeSlow(mostly(from.length));
    const special = this.#special;
    let column = this.#column;
    let isQuoted = this.#isQuoted;
    let [written, start] = [0, 0];
    // Byte by byte: to copy what lies between takes an object for each, and a million of them are as much memory as all the rest.
    for (let at = 0; at < from.length; at++) {
      const byte = from[at] ?? 0;
      if (special[byte] !== 0) {
        if (byte === quote) isQuoted = !isQuoted;
        else if (!isQuoted) {
          const encoder = this.#encoders[column] ?? null;
          if (encoder !== null && at > start) {
            if (written + from.length - at + slack > to.length) to = grown(to, written, most(from.length));
            written = mendedCell(encoder, from, start, at, to, written - (at - start));
          }
          column = byte === newline ? 0 : column + 1;
          start = at + 1;
        }
      }
      to[written++] = byte;
    }
    const isBegun = (this.#encoders[column] ?? null) !== null;
    this.#begun = isBegun ? from.subarray(start) : this.#begun.subarray(0, 0);
    this.#column = column;
    this.#isQuoted = isQuoted;
    return to.subarray(0, isBegun ? written - (from.length - start) : written);
  }
}

/** What a cell and those that write it may take beside what is there. */
const slack = 16;

function grown(bytes: Buffer, used: number, length: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(length);
  larger.set(bytes.subarray(0, used));
  return larger;
}

/** Gives where it ends. */
function mendedCell({ write, copy }: Encoder, from: Uint8Array, start: number, end: number, to: Buffer, at: number) {
  const stop = write?.(from, start, end, to, at) ?? -1;
  return stop === -1 ? at + to.write(copy(from.subarray(start, end)) ?? '', at) : stop;
}
