import type { Connection, FieldDef, Submittable } from 'pg';
import { serialize } from 'pg-protocol';
import type { Answer, Statement } from '../../../model/rows.ts';
import { TooLarge } from '../../connection/session.ts';
import { interceptSocket } from '../socket.ts';
import type { PreparedStatements } from './prepared.ts';
import { int32, type RowReader } from './row-readers.ts';

/** The callbacks of a statement; exactly one of them is called. */
export interface EndHandler {
  ended(answer: Omit<Answer, 'cells'>): void;
  failed(error: unknown): void;
}

const dataRow = 0x44;
const readyForQuery = 0x5a;
const headBytes = 5;
/** The usual maximum of a socket's chunk, in bytes. */
const chunkBytes = 65_536;
const noBytes = Buffer.alloc(0);

const described = serialize.describe({ type: 'P' });
const executed = serialize.execute();
const synced = serialize.sync();

/**
 * A statement whose rows we read directly from the socket's bytes. The driver handles all other messages. (Its own query emits an event per
 * row, calls a parser per cell, and writes to the socket five times: more than a tenth of the time that a search of a hundred records
 * takes.)
 */
export class RowQuery implements Submittable {
  readonly #statement: Statement;
  readonly #prepared: PreparedStatements;
  readonly #reader: RowReader;
  readonly #handler: EndHandler;
  /** The part of an incomplete message that has arrived. Unless empty, it is a view of the beginning of `#memory`. */
  #received: Buffer = noBytes;
  #memory: Buffer = noBytes;
  /** How many bytes we need to continue parsing. */
  #needed = headBytes;
  #names: readonly string[] = [];
  /** The types of the columns, set before the first row. */
  types: readonly string[] = [];
  #found = 0;

  constructor(statement: Statement, prepared: PreparedStatements, reader: RowReader, handler: EndHandler) {
    this.#statement = statement;
    this.#prepared = prepared;
    this.#reader = reader;
    this.#handler = handler;
  }

  submit(connection: Connection): void {
    const { stream } = connection;
    interceptSocket(stream, (chunk, driver) => this.#take(chunk, driver));
    const { text, values } = this.#statement;
    // Without values, use the simple protocol: only that allows several statements in one text.
    if (values.length === 0) {
      connection.query(text);
      return;
    }
    if (!stream.writable) return;
    const { name, messages } = this.#prepared.use(connection, this.#statement);
    const bound = serialize.bind({ values: values.map(asBuffer), statement: name });
    stream.write(Buffer.concat([...messages, bound, described, executed, synced]));
  }

  /** Called once per statement that returns columns. If one text has several statements, the last one counts. */
  handleRowDescription({ fields }: { readonly fields: readonly FieldDef[] }): void {
    const [names, types]: [string[], string[]] = [[], []];
    for (const { name, dataTypeID } of fields) {
      names.push(name);
      types.push(String(dataTypeID));
    }
    this.#names = names;
    this.types = types;
  }

  /** @param tag the command and its number of rows, such as `SELECT 3`, `INSERT 0 3` or `BEGIN` */
  handleCommandComplete({ text: tag }: { readonly text: string }): void {
    this.#found = Number(/\d+$/.exec(tag)?.[0] ?? 0);
  }

  handleReadyForQuery(): void {
    this.#handler.ended({ names: this.#names, types: this.types, found: this.#found });
  }

  handleError(error: unknown, connection: Connection): void {
    this.#prepared.refused(connection, this.#statement, error);
    this.#handler.failed(error);
  }

  handleEmptyQuery(): void {}

  /** Once the server is ready for another statement, returns the bytes after the last row; null before that. */
  #take(chunk: Buffer, driver: (bytes: Buffer) => void): Buffer | null {
    const bytes = this.#received.length === 0 ? chunk : this.#gather(chunk);
    this.#received = bytes;
    if (bytes.length < this.#needed) return null;
    this.#memory = noBytes;
    let at = 0;
    // Where the bytes begin that the driver has to get.
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

/** The driver would bind a Uint8Array that is no Buffer as text. */
const asBuffer = (value: Statement['values'][number]) =>
  value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value;
