import type { Connection, FieldDef, Submittable } from 'pg';
import { serialize } from 'pg-protocol';
import type { Answer, Statement } from '../../../model/rows.ts';
import { forget, prepare } from './prepared.ts';

/** The callbacks of a statement, of which one is called. */
export interface EndHandler {
  ended(answer: Omit<Answer, 'cells'>): void;
  failed(error: unknown): void;
}

const described = serialize.describe({ type: 'P' });
const executed = serialize.execute();
const synced = serialize.sync();

/**
 * Runs a statement; a subclass reads the rows. The driver's own query emits an event per row, calls a parser per cell, and writes
 * five times to the socket: more than a tenth of the time of a search of a hundred records.
 */
export abstract class RowQuery implements Submittable {
  readonly #statement: Statement;
  readonly #handler: EndHandler;
  #names: readonly string[] = [];
  /** The types of the columns, set before the first row. */
  types: readonly string[] = [];
  #found = 0;

  constructor(statement: Statement, handler: EndHandler) {
    this.#statement = statement;
    this.#handler = handler;
  }

  submit(connection: Connection): void {
    const { text, values } = this.#statement;
    // Without values, use the simple protocol: only that allows several statements in one text.
    if (values.length === 0) {
      connection.query(text);
      return;
    }
    const { stream } = connection;
    if (!stream.writable) return;
    const { name, messages } = prepare(connection, this.#statement);
    const bound = serialize.bind({ values: values.map(asBuffer), statement: name });
    stream.write(Buffer.concat([...messages, bound, described, executed, synced]));
  }

  /** Called once per statement with columns: of several statements in one text, the last one counts. */
  handleRowDescription({ fields }: { readonly fields: readonly FieldDef[] }): void {
    this.#names = fields.map(({ name }) => name);
    this.types = fields.map(({ dataTypeID }) => String(dataTypeID));
  }

  /** @param tag the command and its number of rows: `SELECT 3`, `INSERT 0 3`, `BEGIN` */
  handleCommandComplete({ text: tag }: { readonly text: string }): void {
    this.#found = Number(/\d+$/.exec(tag)?.[0] ?? 0);
  }

  handleReadyForQuery(): void {
    this.#handler.ended({ names: this.#names, types: this.types, found: this.#found });
  }

  handleError(error: unknown, connection: Connection): void {
    forget(connection, this.#statement, error);
    this.#handler.failed(error);
  }

  handleEmptyQuery(): void {}
}

/** The driver would bind a Uint8Array that is no Buffer as text. */
const asBuffer = (value: Statement['values'][number]) =>
  value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value;
