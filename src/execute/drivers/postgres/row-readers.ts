import type { JsonRowWriter } from '../../../model/rows.ts';
import type { Cell } from '../../../model/value.ts';
import type { ResultRoom } from '../../connection/session.ts';
import { protocolError } from './message-lengths.ts';

/** Reads rows from their bytes. */
export interface RowReader {
  /** The limit for a row that has only partly arrived, and stays in memory until the rest arrives. */
  readonly room: Pick<ResultRoom, 'fits'>;
  /** @param bytes contains the row's cells from `start` to `end`, and is not modified later */
  row(bytes: Buffer, start: number, end: number): void;
}

/** Writes each row as it arrives. Unlike the driver, it creates no string for each cell. */
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

interface Cells {
  cell(bytes: Buffer, start: number, end: number): void;
  none(): void;
}

function eachCell(bytes: Buffer, start: number, end: number, to: Cells): void {
  // The first two bytes are the number of cells, which we don't need.
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
export function int32(bytes: Buffer, at: number): number {
  return ((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
}
