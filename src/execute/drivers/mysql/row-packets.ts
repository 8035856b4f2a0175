/** Reads rows of MySQL's text protocol from their bytes, instead of letting the driver do it. */
import type { FieldPacket } from 'mysql2';
import type { Cell } from '../../../model/value.ts';
import { cellReader } from './types.ts';

/** A packet of the driver's parser: a part of `buffer`. The driver reuses the packet after the call returns. */
interface Packet {
  readonly buffer: Buffer;
  readonly offset: number;
  readonly end: number;
  isEOF(): boolean;
}

/**
 * Passes a query's row packets to `take`. The driver calls a reader function for each kind of packet, and the one for rows is the query's
 * property `row`, which we replace.
 */
export function eachRow(query: object, take: (packet: Packet) => void): void {
  const driverRow: unknown = Reflect.get(query, 'row');
  if (typeof driverRow !== 'function') throw new TypeError('the driver reads rows in another way');
  const row = (packet: Packet, ...more: readonly unknown[]): unknown => {
    if (packet.isEOF()) return Reflect.apply(driverRow, query, [packet, ...more]);
    take(packet);
    return row;
  };
  Reflect.set(query, 'row', row);
}

/** An error with the code of the driver's own protocol errors, so that the connection counts as lost. */
const protocolError = (text: string): Error =>
  Object.assign(new Error(`the server sent ${text}`), { code: 'PROTOCOL_ERROR' });

/** First bytes of a cell with a special meaning: NULL, or how many bytes the length has. */
const none = 0xfb;
const twoBytes = 0xfc;
const threeBytes = 0xfd;

/** Receives the cells of a row, one after the other. */
interface Cells {
  cell(bytes: Buffer, start: number, end: number): void;
  none(): void;
  end(): void;
}

export function readRow({ buffer, offset, end }: Packet, taker: Cells): void {
  for (let at = offset; at < end; ) {
    if (buffer[at] === none) {
      taker.none();
      at++;
      continue;
    }
    const first = buffer[at] ?? 0;
    // Inlined for short cells, which are most: two function calls per cell would take a tenth of a search's time.
    const start = first < none ? at + 1 : at + lengthBytes(buffer, at);
    at = start + (first < none ? first : cellLength(buffer, at));
    if (at > end) throw protocolError(`a cell of ${at - start} bytes in a row that ends sooner`);
    taker.cell(buffer, start, at);
  }
  taker.end();
}

/** The minimum size of a row, computed from its first bytes: the end of the last cell that begins in them. */
export function leastRowBytes(head: Buffer): number {
  let at = 0;
  while (at < head.length) at += head[at] === none ? 1 : lengthBytes(head, at) + cellLength(head, at);
  return at;
}

function lengthBytes(buffer: Buffer, at: number): number {
  const first = buffer[at] ?? 0;
  return first < none ? 1 : first === twoBytes ? 3 : first === threeBytes ? 4 : 9;
}

function cellLength(buffer: Buffer, at: number): number {
  const first = buffer[at] ?? 0;
  if (first < none) return first;
  let length = 0;
  // Multiply instead of shifting: the length may have eight bytes, and a shift is limited to 32 bits.
  for (let nth = lengthBytes(buffer, at) - 1; nth > 0; nth--) length = length * 256 + (buffer[at + nth] ?? 0);
  return length;
}

/** Returns a function that reads rows with these columns as cells. */
export function rowReader(fields: readonly FieldPacket[]): (packet: Packet) => readonly Cell[] {
  const readers = fields.map(cellReader);
  let row: Cell[] = [];
  const cells: Cells = {
    cell: (bytes, start, end) => row.push(readers[row.length]?.(bytes, start, end) ?? null),
    none: () => row.push(null),
    end: () => undefined,
  };
  return (packet) => {
    row = [];
    readRow(packet, cells);
    return row;
  };
}
