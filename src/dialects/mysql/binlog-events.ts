/** The events of a binary log: the numbers of their types, and readers for the parts that tell which tables a transaction has changed. */
import type { Relation } from '../../model/catalog.ts';

/** Event types. The numbers from 160 on are MariaDB's. */
export const event = {
  query: 2,
  rotate: 4,
  formatDescription: 15,
  xid: 16,
  tableMap: 19,
  incident: 26,
  heartbeat: 27,
  gtid: 33,
  anonymousGtid: 34,
  xaPrepare: 38,
  transactionPayload: 40,
  taggedGtid: 42,
  mariadbGtid: 162,
  compressedQuery: 165,
} as const;

/** Events that we can skip: they change nothing, or another event of the same transaction names the table. */
export const harmless: ReadonlySet<number> = new Set([
  // STOP, INTVAR, RAND, USER_VAR, HEARTBEAT, IGNORABLE, ROWS_QUERY
  ...[3, 5, 13, 14, 27, 28, 29],
  // PREVIOUS_GTIDS, TRANSACTION_CONTEXT, VIEW_CHANGE, HEARTBEAT_V2
  ...[35, 36, 37, 41],
  // Row events, each preceded by the TABLE_MAP of its table: version 1, version 2, partial updates of JSON, compressed.
  ...[23, 24, 25, 30, 31, 32, 39, 166, 167, 168, 169, 170, 171],
  // ANNOTATE_ROWS, BINLOG_CHECKPOINT, GTID_LIST
  ...[160, 161, 163],
]);

/** Event flags: the server made the event up for this stream; a reader that does not know the event may skip it. */
export const artificial = 0x20;
export const ignorable = 0x80;

export const headerLength = 19;

/** Reads the type of an event, its size in the log, the offset after it, and its flags. */
export function header(bytes: Buffer) {
  return {
    type: bytes.readUInt8(4),
    size: bytes.readUInt32LE(9),
    next: bytes.readUInt32LE(13),
    flags: bytes.readUInt16LE(17),
  };
}

/** The start of a statement's text, long enough to hold every statement that begins or ends a transaction. */
export function statementOf(body: Buffer): string {
  const start = 13 + body.readUInt16LE(11) + body.readUInt8(8) + 1;
  return body.toString('utf8', start, start + longestOfInterest);
}

/** Characters: enough for XA COMMIT with two ids of 64 bytes in hexadecimal, and for a savepoint's name of 64 characters. */
const longestOfInterest = 400;

/** Schema and name of an event's table as a Map key. So a table that a transaction names many times is decoded only once. */
export function tableKey(body: Buffer): string {
  const database = body.readUInt8(8);
  const name = body.readUInt8(10 + database);
  if (body.length < 11 + database + name) throw new RangeError('a table without its name');
  return `${body.toString('utf8', 9, 9 + database)}\0${body.toString('utf8', 11 + database, 11 + database + name)}`;
}

export function relation(key: string): Relation {
  const [database = '', name = ''] = key.split('\0');
  return { database, schema: null, name };
}

/** Whether an XA PREPARE event also commits (XA COMMIT … ONE PHASE). */
export const isCommitted = (body: Buffer): boolean => body.readUInt8(0) !== 0;

/** The GTID of a MySQL transaction: `uuid:n`. */
export function gtid(body: Buffer): string {
  const hex = body.toString('hex', 1, 17);
  const uuid = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  return `${uuid}:${body.readBigInt64LE(17)}`;
}
