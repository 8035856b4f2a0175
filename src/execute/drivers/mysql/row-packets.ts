/** Rows of MySQL's text protocol as bytes, before the driver parses them. */
import type { RowSink } from '../../../model/rows.ts';

/** The parser's packet: a part of `buffer`, which the driver reuses after the call returns. */
interface Packet {
  readonly buffer: Uint8Array;
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

/** The first byte of a cell, where it is not its length. */
const none = 0xfb;
const twoBytes = 0xfc;
const threeBytes = 0xfd;

export function readRow({ buffer, offset, end }: Packet, taker: RowSink): void {
  for (let at = offset; at < end; ) {
    let length = buffer[at++] ?? 0;
    if (length === none) {
      taker.none();
      continue;
    }
    if (length > none) {
      const bytes = length === twoBytes ? 2 : length === threeBytes ? 3 : 8;
      length = 0;
      // More than 32 bits do not fit a shift.
      for (let nth = bytes - 1; nth >= 0; nth--) length = length * 256 + (buffer[at + nth] ?? 0);
      at += bytes;
    }
    taker.cell(buffer, at, at + length);
    at += length;
  }
  taker.end();
}
