/** Runs statements, and takes their results as a whole or as streams. */
import type mysql2 from 'mysql2';
import type { FieldPacket, ResultSetHeader } from 'mysql2';
import type { Answer, JsonRowWriter, Lines, Statement } from '../../../model/rows.ts';
import type { Cell } from '../../../model/value.ts';
import { type Batch, type LineBatch, type ResultRoom, roomForEach, TooLarge, weigh } from '../../connection/session.ts';
import { Flow } from '../flow.ts';
import { paceSocket } from '../socket.ts';
import { clientOf, socketOf, watchRowSize } from './connection.ts';
import { eachRow, readRow, rowReader } from './row-packets.ts';
import { asBuffer, boundBytes, isLong, large, refuseOversized, sqlOf } from './statement.ts';
import { typeOf } from './types.ts';

/** Runs a statement. @param into receives the rows; the answer then contains none */
export async function wholeResult(
  client: mysql2.Connection,
  statement: Statement,
  room: ResultRoom,
  into?: JsonRowWriter,
): Promise<Answer> {
  const isBound = statement.values.some(isLong) && /^(insert|update)\b/i.test(statement.text);
  const result = new WholeResult(room, into);
  if (isBound) {
    const { text: sql } = statement;
    const values = statement.values.map((value) => (value instanceof Uint8Array ? asBuffer(value) : value));
    await refuseOversized(client, boundBytes(values));
    // Prepared statements return rows in the binary protocol, which the driver reads.
    await untilEnd(client, room, () => result.collect(client.execute({ sql, values, rowsAsArray: true })));
  } else {
    const sql = sqlOf(client, statement);
    // Plus one byte for the command code.
    if (sql.length > large) await refuseOversized(client, Buffer.byteLength(sql) + 1);
    await untilEnd(client, room, () => result.collectText(client.query(textQuery(sql))));
  }
  if (room.isOver) throw new TooLarge();
  return result.answer();
}

/** Collects the result of a query. */
class WholeResult {
  readonly #room: ResultRoom;
  readonly #into: JsonRowWriter | undefined;
  readonly #cells: (readonly Cell[])[] = [];
  #fields: readonly FieldPacket[] = [];
  #rowIn = rowReader([]);
  #header: ResultSetHeader | null = null;

  constructor(room: ResultRoom, into: JsonRowWriter | undefined) {
    this.#room = room;
    this.#into = into;
  }

  collect(query: mysql2.Query): mysql2.Query {
    query.on('fields', (fields: FieldPacket[] = []) => {
      this.#fields = fields;
      this.#rowIn = rowReader(fields);
    });
    query.on('result', (result: Cell[] | ResultSetHeader) => {
      if (!Array.isArray(result)) this.#header = result;
      else if (this.#room.has(weigh(result))) this.#cells.push(result);
    });
    return query;
  }

  /** Collects a result whose rows arrive in the text protocol. */
  collectText(query: mysql2.Query): mysql2.Query {
    eachRow(query, (packet) => {
      if (!this.#room.has(packet.end - packet.offset, this.#into?.length)) return;
      if (this.#into === undefined) this.#cells.push(this.#rowIn(packet));
      else readRow(packet, this.#into);
    });
    return this.collect(query);
  }

  answer(): Answer {
    const answer = {
      names: this.#fields.map((field) => field.name),
      types: this.#fields.map(typeOf),
      cells: this.#cells,
      found: this.#header?.affectedRows ?? 0,
    };
    if (this.#header === null) return answer;
    const { insertId, info: message } = this.#header;
    const transaction = gtidOf(this.#header);
    return {
      ...answer,
      inserted: String(insertId),
      ...(transaction === undefined ? {} : { transaction }),
      ...(message ? { message } : {}),
    };
  }
}

/** Resolves when the query has ended. Rejects with its error, or when the connection is lost. */
function untilEnd(client: mysql2.Connection, room: ResultRoom, begin: () => mysql2.Query): Promise<void> {
  const socket = socketOf(client);
  const endings = [paceSocket(socket), watchRowSize(client, room)];
  return new Promise((resolve, reject) => {
    // If we close the connection ourselves, the driver reports nothing, so report it here.
    const onClose = () =>
      reject(Object.assign(new Error('the connection was ended'), { fatal: true, code: 'PROTOCOL_CONNECTION_LOST' }));
    // The driver reports a lost connection on the connection only, not on a query with event listeners.
    client.once('error', reject);
    socket.once('close', onClose);
    const settled = () => {
      for (const end of endings) end();
      client.off('error', reject);
      socket.off('close', onClose);
    };
    const query = begin();
    query.on('error', (error: unknown) => {
      settled();
      reject(room.isOver ? new TooLarge() : error);
    });
    query.on('end', () => {
      settled();
      resolve();
    });
  });
}

/** Runs a statement, and yields its rows as they arrive. */
export async function* rowBatches(raw: unknown, statement: Statement, signal: AbortSignal): AsyncGenerator<Batch> {
  // Pause the socket, not the query: a paused query keeps a copy of each row that still arrives.
  const flow = new Flow<readonly Cell[]>(socketOf(clientOf(raw)), signal);
  const batches = flowing(raw, statement, flow, (query) => {
    let row = rowReader([]);
    query.on('fields', (fields: FieldPacket[] = []) => {
      row = rowReader(fields);
    });
    eachRow(query, (packet) => flow.push(row(packet), packet.end - packet.offset));
    query.on('end', () => flow.end());
  });
  for await (const { types, items } of batches) yield { types, cells: items };
}

/** Runs a statement, and yields its rows in the format of a writer as they arrive. */
export async function* lineBatches(
  raw: unknown,
  statement: Statement,
  lines: Lines,
  signal: AbortSignal,
): AsyncGenerator<LineBatch> {
  const flow = new Flow<Uint8Array>(socketOf(clientOf(raw)), signal);
  const give = (least: number) => {
    const bytes = lines.take(least);
    if (bytes !== null) flow.push(bytes, bytes.length);
  };
  const batches = flowing(raw, statement, flow, (query) => {
    eachRow(query, (packet) => {
      readRow(packet, lines);
      give(minPieceBytes);
    });
    query.on('end', () => {
      give(0);
      flow.end();
    });
  });
  for await (const { types, items } of batches) yield { types, bytes: items };
}

/** Options for a statement that contains its values. Without `values: null` the driver would search its text for placeholders. */
const textQuery = (sql: string) => ({ sql, values: null, rowsAsArray: true });

/** The GTID of the transaction that the statement has committed, if the session tracks GTIDs. The driver's types do not have it. */
function gtidOf(header: ResultSetHeader): string | undefined {
  const gtids: unknown = Reflect.get(Object(Reflect.get(header, 'stateChanges')), 'gtids');
  return Array.isArray(gtids) && typeof gtids[0] === 'string' ? gtids[0].toLowerCase() : undefined;
}

/** Runs a statement; `begin` directs its rows into the flow. Yields the flow's items together with the columns' types. */
async function* flowing<T>(raw: unknown, statement: Statement, flow: Flow<T>, begin: (query: mysql2.Query) => void) {
  const client = clientOf(raw);
  const lost = (error: unknown) => flow.fail(error);
  client.once('error', lost);
  const unwatch = watchRowSize(client, roomForEach);
  try {
    let types: readonly string[] = [];
    const query = client.query(textQuery(sqlOf(client, statement)));
    query.on('fields', (fields: FieldPacket[] | undefined) => {
      types = fields?.map(typeOf) ?? [];
    });
    query.on('error', lost);
    begin(query);
    for await (const items of flow.taken()) yield { types, items };
  } finally {
    unwatch();
    client.off('error', lost);
  }
}

/** We collect lines until they have this many bytes, and then pass them on together. */
const minPieceBytes = 64 * 1024;
