import type { Connection } from 'pg';
import type { JsonRowWriter, Statement } from '../../../model/rows.ts';
import type { Cell } from '../../../model/value.ts';
import { type ResultRoom, TooLarge } from '../../connection/session.ts';
import { interceptSocket } from '../intercept-socket.ts';
import { protocolError } from './message-lengths.ts';
import type { PreparedStatements } from './prepared.ts';
import { type RowHandler, RowQuery } from './rows.ts';

/** The handling of rows. */
export interface RowReader {
  /** The room for a row that has not arrived whole: it is kept in memory until it has. */
  readonly room: Pick<ResultRoom, 'fits'>;
  /** @param end of the cells, which begin at `start`; the bytes are not modified later */
  row(bytes: Buffer, start: number, end: number): void;
}

/** Writes each row as it arrives: the driver would make a string of each cell. */
export const written = (into: JsonRowWriter, room: ResultRoom): RowReader => ({
  room,
  row(bytes, start, end) {
    if (!room.has(end - start, into.length)) return;
    eachCell(bytes, start, end, into);
    into.end();
  },
});

/**
 * Reads rows as strings. The driver believes the lengths of cells, and would copy the received part of a row of megabytes at every
 * other chunk.
 */
export const texts = (taker: Pick<RowHandler, 'row'>, room: RowReader['room']): RowReader => ({
  room,
  row(bytes, start, end) {
    const cells: Cell[] = [];
    eachCell(bytes, start, end, {
      cell: (from, begin, stop) => cells.push(from.toString('utf8', begin, stop)),
      none: () => cells.push(null),
    });
    taker.row(cells);
  },
});

const dataRow = 0x44;
const readyForQuery = 0x5a;
const headBytes = 5;
/** Bytes of a socket's chunk, mostly at most. */
const chunkBytes = 65_536;
const nothing = Buffer.alloc(0);

/** A statement whose rows are read from the socket's bytes. The driver handles all else. */
export class RowBytes extends RowQuery {
  readonly #taking: RowReader;
  /** The received part of incomplete messages: the beginning of `#memory`, where that is not empty. */
  #left: Buffer = nothing;
  #memory: Buffer = nothing;
  /** Bytes needed before parsing can go on. */
  #need = headBytes;

  constructor(statement: Statement, taker: RowHandler, taking: RowReader, prepared: PreparedStatements) {
    super(statement, taker, prepared);
    this.#taking = taking;
  }

  override submit(connection: Connection): void {
    interceptSocket(connection.stream, (chunk, driver) => this.#take(chunk, driver));
    super.submit(connection);
  }

  /** Returns the bytes after the last row, once the server is ready for another statement; null before that. */
  #take(chunk: Buffer, driver: (bytes: Buffer) => void): Buffer | null {
    const bytes = this.#left.length === 0 ? chunk : this.#gather(chunk);
    this.#left = bytes;
    if (bytes.length < this.#need) return null;
    this.#memory = nothing;
    let at = 0;
    // The start of the bytes that belong to the driver.
    let others = 0;
    this.#need = headBytes;
    while (bytes.length - at >= headBytes) {
      const code = bytes[at];
      if (code === readyForQuery) return bytes.subarray(others);
      const end = at + 1 + int32(bytes, at + 1);
      if (end > bytes.length) {
        this.#need = end - at;
        if (code === dataRow && !this.#taking.room.fits(end - at)) throw new TooLarge();
        break;
      }
      if (code === dataRow) {
        if (at > others) driver(bytes.subarray(others, at));
        this.#taking.row(bytes, at + headBytes, end);
        others = end;
      }
      at = end;
    }
    if (at > others) driver(bytes.subarray(others, at));
    this.#left = bytes.subarray(at);
    return null;
  }

  /**
   * Appends a chunk to the incomplete message. A message of megabytes is copied as it arrives: joining 60 MB at once takes 40
   * ms.
   */
  #gather(chunk: Buffer): Buffer {
    const have = this.#left.length;
    const length = have + chunk.length;
    if (length > this.#memory.length) {
      this.#memory = Buffer.allocUnsafe(Math.max(length, this.#need + chunkBytes));
      this.#left.copy(this.#memory);
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
      // Unsigned, a negative length is larger than any row.
      if (length >>> 0 > end - at) throw protocolError(`a cell of ${length} bytes in a row that ends sooner`);
      to.cell(bytes, at, at + length);
      at += length;
    }
  }
}

/** `readInt32BE` checks its arguments, which takes time. */
function int32(bytes: Buffer, at: number): number {
  return ((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
}
