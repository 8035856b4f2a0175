/** Builds events of a binary log in MariaDB's format. The log file is always `log.000007`. */

export const file = { base: 'log', number: 7 };
/** A log position as one number: the number of the file and the offset in it. */
export const at = (offset: number, number = 7) => number * 2 ** 32 + offset;

/** An event with its header. @param next the offset where the next event begins */
export function event(type: number, body: Uint8Array, next: number, flags = 0): Buffer {
  const header = Buffer.alloc(19);
  header[4] = type;
  header.writeUInt32LE(19 + body.length, 9);
  header.writeUInt32LE(next, 13);
  header.writeUInt16LE(flags, 17);
  return Buffer.concat([header, body]);
}

export const query = (text: string, next: number) =>
  event(2, Buffer.concat([Buffer.alloc(8), Buffer.of(2, 0, 0, 3, 0), Buffer.from('???db\0'), Buffer.from(text)]), next);
export const table = (name: string, next: number) =>
  event(
    19,
    Buffer.concat([
      Buffer.alloc(8),
      Buffer.of(2),
      Buffer.from('db\0'),
      Buffer.of(name.length),
      Buffer.from(`${name}\0`),
    ]),
    next,
  );
export const commit = (next: number) => event(16, Buffer.alloc(8), next);
export const rotate = (name: string, offset: number) => {
  const body = Buffer.alloc(8);
  body.writeBigUInt64LE(BigInt(offset));
  return event(4, Buffer.concat([body, Buffer.from(name)]), 0, 0x20);
};

/** The events of an XA transaction over these tables: prepared, or committed in one phase. @param id in hexadecimal digits */
export const prepared = (id: string, tables: readonly string[], next: number, isOnePhase = false) => {
  const bytes = Buffer.from(id, 'hex');
  const head = Buffer.alloc(13);
  head.writeUInt8(isOnePhase ? 1 : 0, 0);
  head.writeInt32LE(1, 1);
  head.writeUInt32LE(bytes.length, 5);
  return [
    query(`XA START X'${id}',X'',1`, next),
    ...tables.map((name) => table(name, next)),
    event(38, Buffer.concat([head, bytes]), next),
  ];
};
