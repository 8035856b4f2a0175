import type { Connection } from 'pg';
import type { JsonRowWriter, Statement } from '../../../model/rows.ts';
import type { Cell } from '../../../model/value.ts';
import { type ResultRoom, TooLarge } from '../../connection/session.ts';
import { interceptSocket } from '../intercept-socket.ts';
import { protocolError } from './message-lengths.ts';
import { type EndHandler, RowQuery } from './rows.ts';

/** Reads rows from their bytes. */
export interface RowReader {
  /** Limits the size of an incomplete row, which stays in memory until the rest arrives. */
  readonly room: Pick<ResultRoom, 'fits'>;
  /** @param bytes contain the cells of a row, from `start` to `end`, and are not modified later */
  row(bytes: Buffer, start: number, end: number): void;
}

/** Writes each row as it arrives, without making a string of each cell as the driver does. */
export const written = (into: JsonRowWriter, room: ResultRoom): RowReader => ({
  room,
  row(bytes, start, end) {
    if (!room.has(end - start, into.length)) return;
    eachCell(bytes, start, end, into);
    into.end();
  },
});

/**
 * Reads rows as strings. The driver itself does not check the lengths of cells, and copies the received part of a large row at every
 * other chunk.
 */
export const texts = (take: (row: readonly Cell[]) => void, room: RowReader['room']): RowReader => ({
  room,
  row(bytes, start, end) {
    const cells: Cell[] = [];
    eachCell(bytes, start, end, {
      cell: (from, begin, stop) => cells.push(from.toString('utf8', begin, stop)),
      none: () => cells.push(null),
    });
    take(cells);
  },
});

const dataRow = 0x44;
const readyForQuery = 0x5a;
const headBytes = 5;
/** The usual limit for a chunk of a socket, in bytes. */
const chunkBytes = 65_536;
const noBytes = Buffer.alloc(0);

/** A statement whose rows are read directly from the bytes of the socket. The driver handles all other messages. */
export class RowBytes extends RowQuery {
  readonly #reader: RowReader;
  /** The received part of an incomplete message; a view of the beginning of `#memory` unless that is empty. */
  #received: Buffer = noBytes;
  #memory: Buffer = noBytes;
  /** The number of bytes needed before parsing can continue. */
  #needed = headBytes;

  constructor(statement: Statement, reader: RowReader, handler: EndHandler) {
    super(statement, handler);
    this.#reader = reader;
  }

  override submit(connection: Connection): void {
    interceptSocket(connection.stream, (chunk, driver) => this.#take(chunk, driver));
    super.submit(connection);
  }

  /** Returns the bytes after the last row, once the server is ready for another statement; null before that. */
  #take(chunk: Buffer, driver: (bytes: Buffer) => void): Buffer | null {
    const bytes = this.#received.length === 0 ? chunk : this.#gather(chunk);
    this.#received = bytes;
    if (bytes.length < this.#needed) return null;
    this.#memory = noBytes;
    let at = 0;
    // The start of the bytes that the driver has to get.
    let driverFrom = 0;
    this.#needed = headBytes;
    while (bytes.length - at >= headBytes) {
      const code = bytes[at];
      if (code === readyForQuery) return bytes.subarray(driverFrom);
      const end = at + 1 + int32(bytes, at + 1);
      if (end > bytes.length) {
        this.#needed = end - at;
        if (code === dataRow && !this.#reader.room.fits(end - at)) throw new TooLarge();
        break;
      }
      if (code === dataRow) {
        if (at > driverFrom) driver(bytes.subarray(driverFrom, at));
        this.#reader.row(bytes, at + headBytes, end);
        driverFrom = end;
      }
      at = end;
    }
    if (at > driverFrom) driver(bytes.subarray(driverFrom, at));
    this.#received = bytes.subarray(at);
    return null;
  }

  /**
   * Appends a chunk to the incomplete message. Copies each chunk as it arrives: joining 60 MB at the end would take 40 ms.
   */
  #gather(chunk: Buffer): Buffer {
    const have = this.#received.length;
    const length = have + chunk.length;
    if (length > this.#memory.length) {
      this.#memory = Buffer.allocUnsafe(Math.max(length, this.#needed + chunkBytes));
      this.#received.copy(this.#memory);
    }
    chunk.copy(this.#memory, have);
    return this.#memory.subarray(0, length);
  }
}

interface Cells {
  cell(bytes: Buffer, start: number, end: number): void;
  none(): void;
}

function eachCell(bytes: Buffer, start: number, end: number, to: Cells): void {
  // The first two bytes are the number of cells, which is not needed.
  for (let at = start + 2; at < end; ) {
    const length = int32(bytes, at);
    at += 4;
    if (length === -1) to.none();
    else {
      // `>>> 0` also catches a negative length: as an unsigned number it is larger than any row.
      if (length >>> 0 > end - at) throw protocolError(`a cell of ${length} bytes in a row that ends sooner`);
      to.cell(bytes, at, at + length);
      at += length;
    }
  }
}

/** Like `readInt32BE`, but without its argument checks, which would take time for each cell. */
function int32(bytes: Buffer, at: number): number {
  return ((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
}
