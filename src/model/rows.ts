/** The vocabulary of statements: SQL to a server, and its results. Pure. */
import type { Cell, JsonObject } from './value.ts';

/** Converts the cells of one column to text. Each function accepts every cell that the engine can send. */
export interface Encoder {
  /** The cell as a JSON value. */
  json(cell: Cell): string;
  /** The cell as plain text (searched by `q`, compared by keys); null for NULL. */
  plain(cell: Cell): string | null;
  /** The cell for CSV and TSV; null for an empty field. If the cell is bytes, they are text in UTF-8, unless the type is binary. */
  copy(cell: Cell): string | null;
  /**
   * Set if a long cell can be written in parts: `plain` and `copy` return the cell unchanged, and so does `json`, except that for `text`
   * it adds quotation marks and escapes.
   */
  readonly long?: 'text' | 'json';
  /** Does the same as `copy` on bytes, without making a string. */
  readonly write?: Write;
  /** Does the same as `json` on bytes, without making a string. */
  readonly writeJson?: Write;
}

/**
 * Writes the result of `copy` or `json` for the text in `from` into `to`, at index `at`. Returns the end, or -1 if the caller has to use
 * `copy` or `json` itself. `to` has room for the text and eight more bytes; it may be `from` itself, if `at` is `start` or at least sixteen
 * bytes before. (Most cells do not change, and making a string of each takes three times as long as everything else.)
 */
export type Write = (from: Uint8Array, start: number, end: number, to: Uint8Array, at: number) => number;

/** Receives the cells of records, one after the other, as bytes of text. All cells of one record are in the same buffer. */
export interface RowSink {
  cell(from: Uint8Array, start: number, end: number): void;
  /** Takes a NULL cell. */
  none(): void;
  /** Ends the record. */
  end(): void;
}

export interface Lines extends RowSink {
  /** Takes out the finished lines; null if they have fewer than `least` bytes. */
  take(least: number): Uint8Array | null;
}

/** The format of rows as lines: the delimiter between two cells, and an encoder per column. */
export interface DelimitedLines {
  readonly delimiter: string;
  readonly encoders: readonly Encoder[];
  /** Creates the writer for one result. A second attempt needs a new one: the old one may still hold lines of the first. */
  lines(): Lines;
}

/** A finished part of a JSON value; or a very long text in UTF-8, which must still be escaped for JSON. */
export type Piece = Uint8Array | { readonly text: Uint8Array };

/** Writes all records as one JSON value. */
export interface JsonRowWriter extends RowSink {
  /** How many records the writer has taken. */
  readonly count: number;
  /** Bytes written so far. */
  readonly length: number;
  /** Forgets the records taken so far. */
  clear(): void;
  /** Takes out the value in pieces; no character is split between two. */
  take(): readonly Piece[];
}

/** A member of `fields` in an answer. */
export interface Field {
  readonly id: string;
  readonly type: string;
  readonly info?: JsonObject;
}

/** Records as the driver's cells, with an encoder per column. */
export interface Rows {
  readonly fields: readonly Field[];
  readonly encoders: readonly Encoder[];
  readonly cells: readonly (readonly Cell[])[];
  /** The records in their output format, if a `JsonRowWriter` has taken them; `cells` is empty then. */
  readonly written?: readonly Piece[];
}

/** One SQL statement with the placeholders of its engine, and the values for them. */
export interface Statement {
  readonly text: string;
  readonly values: readonly (string | Uint8Array | null)[];
  /** The types that the first columns of the result must have, as in `Column.resultType`; '' accepts any type. */
  readonly types?: readonly string[];
  /** The same object for all statements that differ only in their values: PostgreSQL then prepares them once per session. */
  readonly template?: object;
}

/** A statement without values. */
export const plain = (text: string): Statement => ({ text, values: [] });

/** The result of a statement. `found` is the number of matched rows, changed or not. */
export interface Answer {
  /** The names of the result's columns, as the server reports them. */
  readonly names: readonly string[];
  /** The driver's names for the types of the result's columns. */
  readonly types: readonly string[];
  readonly cells: readonly (readonly Cell[])[];
  readonly found: number;
  /** MySQL: the stored AUTO_INCREMENT value of the last inserted record, after triggers. */
  readonly inserted?: string;
  /** MySQL: the server's message on the effect, such as `Records: 3  Duplicates: 1  Warnings: 0`, in the server's language. */
  readonly message?: string;
  /** MySQL: the GTID of the transaction that the statement has committed, if the session tracks GTIDs. */
  readonly transaction?: string;
}

/** A statement, and how to read its answer. */
export interface Question<T> {
  readonly statement: Statement;
  read(answer: Answer): T;
}

/** Several statements, and how to read their answers, which come in the same order. */
export interface Questions<T, A extends Answer | null = Answer> {
  readonly statements: readonly Statement[];
  read(answers: readonly A[]): T;
}

/** A COPY whose bytes are lines of CSV. */
export interface Copying {
  readonly text: string;
  /** For each column, whether COPY sends its cells as stored, so that the encoder still has to convert them. */
  readonly stored: readonly boolean[];
}
