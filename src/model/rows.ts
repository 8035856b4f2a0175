/** The vocabulary of statements: SQL to a server, and its results. Pure. */
import type { Cell, JsonObject } from './value.ts';

/** Converts one column's cells to text. Every function accepts any cell that the engine can send. */
export interface Encoder {
  /** The cell as a JSON token. */
  json(cell: Cell): string;
  /** The cell as plain text (searched by `q`, compared by keys); null for NULL. */
  plain(cell: Cell): string | null;
  /** The cell for CSV and TSV (contract 3.9); null for an empty field. Bytes of a type other than binary are its text. */
  copy(cell: Cell): string | null;
  /**
   * Set where a cell of any length may be written in parts. `plain` and `copy` return it unchanged; so does `json`, or in
   * quotation marks for `text`.
   */
  readonly long?: 'text' | 'json';
  /** The same as `copy` without making a string, where that is easy. */
  readonly write?: Write;
  /** The same as `json` without making a string. */
  readonly writeJson?: Write;
}

/**
 * Writes the result of `copy` or `json` for the text in `from` into `to`, at index `at`. Returns the end, or -1 where the
 * encoder itself is needed. `to` has room for the text and eight more bytes. It may be `from` itself, if `at` is `start` or at
 * least sixteen bytes before it. (Most cells leave unchanged. Making a string of each takes three times as long as all the
 * rest.)
 */
export type Write = (from: Uint8Array, start: number, end: number, to: Uint8Array, at: number) => number;

/** Takes the cells of records in sequence, as the bytes of their text. The cells of one record are in the same bytes, until its end. */
export interface RowSink {
  cell(from: Uint8Array, start: number, end: number): void;
  /** A NULL cell. */
  none(): void;
  /** The record has no more cells. */
  end(): void;
}

/** Writes records as lines. */
export interface Lines extends RowSink {
  /** The finished lines; null where they are fewer than `least` bytes. */
  take(least: number): Uint8Array | null;
}

/** The format of rows as lines: the delimiter between two cells, and an encoder per column. */
export interface DelimitedLines {
  readonly delimiter: string;
  readonly encoders: readonly Encoder[];
  /** Makes a writer for one result: it keeps what was not taken, which a second attempt must not send. */
  lines(): Lines;
}

/** A finished part of a value; or a very long text in UTF-8, still to be escaped for JSON. */
export type Piece = Uint8Array | { readonly text: Uint8Array };

/** Writes all records as one JSON value. */
export interface JsonRowWriter extends RowSink {
  /** The number of records taken. */
  readonly count: number;
  /** Bytes written so far. */
  readonly length: number;
  /** Forgets the records taken so far. */
  clear(): void;
  /** The value in pieces; none splits a character. */
  take(): readonly Piece[];
}

/** A member of `fields` in an answer. */
export interface Field {
  readonly id: string;
  readonly type: string;
  readonly info?: JsonObject;
}

/** Records in the driver's text, with an encoder per column. */
export interface Rows {
  readonly fields: readonly Field[];
  readonly encoders: readonly Encoder[];
  readonly cells: readonly (readonly Cell[])[];
  /** The records in their output form, if a `JsonRowWriter` has taken them: then `cells` is empty. */
  readonly written?: readonly Piece[];
}

/** One SQL statement and its bindings, in the placeholders of its engine. */
export interface Statement {
  readonly text: string;
  readonly values: readonly (string | Uint8Array | null)[];
  /** The types that the first columns of its result must have, as `Column.resultType`; '' stands for any. */
  readonly types?: readonly string[];
  /** The same for all statements of one text that differ in their values: a session of PostgreSQL parses and mostly plans them once. */
  readonly template?: object;
}

/** A statement without values. */
export const plain = (text: string): Statement => ({ text, values: [] });

/** The result of a statement. `found` counts the matched rows, changed or not. */
export interface Answer {
  /** The names of the result's columns, as the server reports them. */
  readonly names: readonly string[];
  /** The driver's names for the types of the result's columns. */
  readonly types: readonly string[];
  readonly cells: readonly (readonly Cell[])[];
  readonly found: number;
  /** MySQL: the stored AUTO_INCREMENT value of the last inserted record, after triggers. */
  readonly inserted?: string;
  /** MySQL: the server's message on the effect, as `Records: 3  Duplicates: 1  Warnings: 0`, in its language. */
  readonly message?: string;
  /** MySQL: the GTID of the transaction that the statement has committed, where the session shows it. */
  readonly transaction?: string;
}

/** A COPY whose bytes are lines of CSV. */
export interface Copying {
  readonly text: string;
  /** For each column: whether its cells arrive as stored and still need their encoder. */
  readonly stored: readonly boolean[];
}
