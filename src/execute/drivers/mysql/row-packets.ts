/** Rows of MySQL's text protocol as bytes, before the driver parses them. */
import type { FieldPacket } from 'mysql2';
import type { Cell } from '../../../model/value.ts';
import { cellReader } from './types.ts';

/** The parser's packet: a part of `buffer`. The driver uses the packet again after the call returns. */
interface Packet {
  readonly buffer: Buffer;
  readonly offset: number;
  readonly end: number;
  isEOF(): boolean;
}

/**
 * Takes the rows of a query's result instead of the driver. The driver steps from one packet reader to the next. It looks up
 * the reader of rows on the query itself.
 */
export function eachRow(query: object, take: (packet: Packet) => void): void {
  const drivers: unknown = Reflect.get(query, 'row');
  if (typeof drivers !== 'function') throw new TypeError('the driver reads rows in another way');
  const row = (packet: Packet, ...more: readonly unknown[]): unknown => {
    if (packet.isEOF()) return Reflect.apply(drivers, query, [packet, ...more]);
    take(packet);
    return row;
  };
  Reflect.set(query, 'row', row);
}

/** The code of the driver's own errors of the protocol: such a connection counts as lost. */
const protocolError = (text: string): Error =>
  Object.assign(new Error(`the server sent ${text}`), { code: 'PROTOCOL_ERROR' });

/** The first byte of a cell, where it is not its length. */
const none = 0xfb;
const twoBytes = 0xfc;
const threeBytes = 0xfd;

/** Takes the cells of a row in sequence. */
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
    // Most cells are short, and two calls for each of them cost a tenth of all.
    const start = first < none ? at + 1 : at + lengthBytes(buffer, at);
    at = start + (first < none ? first : cellLength(buffer, at));
    if (at > end) throw protocolError(`a cell of ${at - start} bytes in a row that ends sooner`);
    taker.cell(buffer, start, at);
  }
  taker.end();
}

/** The least bytes that a row can have which begins so: those up to the end of the last cell that begins here. */
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
  // More than 32 bits do not fit a shift.
  for (let nth = lengthBytes(buffer, at) - 1; nth > 0; nth--) length = length * 256 + (buffer[at + nth] ?? 0);
  return length;
}

/** Makes the function that reads a row of these columns as values. */
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
