import type { Connection } from 'pg';
import type { Statement, Whole } from '../../rows.ts';
import type { Room } from '../session.ts';
import { Rows, type Taker } from './rows.ts';
import { takeOver } from './take-over.ts';

const dataRow = 0x44;
const readyForQuery = 0x5a;
const headBytes = 5;

/**
 * A statement whose rows are taken from the socket's bytes: of each cell the driver would make a text. All that is no row is the
 * driver's.
 */
export class RowBytes extends Rows {
  readonly #into: Whole;
  readonly #room: Room;
  /** What has come of messages that are not whole. */
  #parts: Buffer[] = [];
  #have = 0;
  /** How many bytes it takes to go on. */
  #need = headBytes;

  constructor(statement: Statement, taker: Taker, into: Whole, room: Room) {
    super(statement, taker);
    this.#into = into;
    this.#room = room;
  }

  override submit(connection: Connection): void {
    takeOver(connection.stream, (chunk, driver) => this.#take(chunk, driver));
    super.submit(connection);
  }

  /** Gives what follows the last row, once the server is ready for another statement; null before that. */
  #take(chunk: Buffer, driver: (bytes: Buffer) => void): Buffer | null {
    this.#parts.push(chunk);
    this.#have += chunk.length;
    if (this.#have < this.#need) return null;
    const bytes = this.#parts.length === 1 ? chunk : Buffer.concat(this.#parts);
    let at = 0;
    // From here on nothing is a row.
    let others = 0;
    this.#need = headBytes;
    while (bytes.length - at >= headBytes) {
      const code = bytes[at];
      if (code === readyForQuery) return bytes.subarray(others);
      const end = at + 1 + int32(bytes, at + 1);
      if (end > bytes.length) {
        this.#need = end - at;
        break;
      }
      if (code === dataRow) {
        if (at > others) driver(bytes.subarray(others, at));
        if (this.#room.has(end - at, this.#into.length)) this.#row(bytes, at + headBytes, end);
        others = end;
      }
      at = end;
    }
    if (at > others) driver(bytes.subarray(others, at));
    this.#parts = at < bytes.length ? [bytes.subarray(at)] : [];
    this.#have = bytes.length - at;
    return null;
  }

  #row(bytes: Buffer, start: number, end: number): void {
    // Two bytes say how many cells there are: as many as fit.
    for (let at = start + 2; at < end; ) {
      const length = int32(bytes, at);
      at += 4;
      if (length === -1) this.#into.none();
      else {
        this.#into.cell(bytes, at, at + length);
        at += length;
      }
    }
    this.#into.end();
  }
}

/** `readInt32BE` looks at more than there is to look at. */
function int32(bytes: Buffer, at: number): number {
  return ((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
}
