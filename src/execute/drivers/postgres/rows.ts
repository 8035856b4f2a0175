import type { Connection, FieldDef, Submittable } from 'pg';
import { serialize } from 'pg-protocol';
import type { Answer, Statement } from '../../../model/rows.ts';
import type { Cell } from '../../../model/value.ts';
import type { PreparedStatements } from './prepared.ts';

/** The callbacks of a statement. Exactly one of `ended` and `failed` is called, and last. */
export interface RowHandler {
  /** A row in the server's text format. */
  row(cells: readonly Cell[]): void;
  ended(answer: Omit<Answer, 'cells'>): void;
  failed(error: unknown): void;
}

const described = serialize.describe({ type: 'P' });
const executed = serialize.execute();
const synced = serialize.sync();

/**
 * A statement without its rows. The driver's own query makes an event per row and a parser call per cell. It writes five pieces per
 * statement. That is a tenth and more of the cost of a search of a hundred records.
 */
export abstract class RowQuery implements Submittable {
  readonly #statement: Statement;
  readonly #taker: RowHandler;
  readonly #prepared: PreparedStatements;
  #names: readonly string[] = [];
  /** The columns' types, set before the first row. */
  types: readonly string[] = [];
  #found = 0;

  constructor(statement: Statement, taker: RowHandler, prepared: PreparedStatements) {
    this.#statement = statement;
    this.#taker = taker;
    this.#prepared = prepared;
  }

  submit(connection: Connection): void {
    const { text, values } = this.#statement;
    // Without values it is the simple protocol: only that takes several statements in one text.
    if (values.length === 0) {
      connection.query(text);
      return;
    }
    const { stream } = connection;
    if (!stream.writable) return;
    const { name, messages } = this.#prepared.use(connection, this.#statement);
    const bound = serialize.bind({ values: values.map(asBuffer), statement: name });
    stream.write(Buffer.concat([...messages, bound, described, executed, synced]));
  }

  /** Of several statements the last one that has columns counts. */
  handleRowDescription({ fields }: { readonly fields: readonly FieldDef[] }): void {
    this.#names = fields.map(({ name }) => name);
    this.types = fields.map(({ dataTypeID }) => String(dataTypeID));
  }

  /** @param tag the command and its number of rows: `SELECT 3`, `INSERT 0 3`, `BEGIN` */
  handleCommandComplete({ text: tag }: { readonly text: string }): void {
    this.#found = Number(/\d+$/.exec(tag)?.[0] ?? 0);
  }

  handleReadyForQuery(): void {
    this.#taker.ended({ names: this.#names, types: this.types, found: this.#found });
  }

  handleError(error: unknown, connection: Connection): void {
    this.#prepared.refused(connection, this.#statement, error);
    this.#taker.failed(error);
  }

  handleEmptyQuery(): void {}
}

/** The driver takes other byte arrays for text. */
const asBuffer = (value: Statement['values'][number]) =>
  value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value;
