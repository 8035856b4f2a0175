/** The vocabulary of statements: what goes to a server, and what comes back. Pure. */
import type { Cell, JsonObject } from './value.ts';

/** Turns one column's cells into text. Both are total over what the engine can send. */
export interface Encoder {
  /** The cell as a JSON token. */
  json(cell: Cell): string;
  /** The cell as plain text (what `q` looks in, what keys compare by); null for NULL. */
  plain(cell: Cell): string | null;
  /** The cell as csv and tsv show it (contract 3.9); null for nothing at all. Bytes that are no binary value are its text. */
  copy(cell: Cell): string | null;
  /**
   * Set where a cell of any length may be written in parts: `plain` and `copy` give it as it is, and so does `json`, or as a
   * `text` in quotation marks.
   */
  readonly long?: 'text' | 'json';
  /** What `copy` gives without making a text of it, where that is easy. */
  readonly write?: Write;
  /** What `json` gives, in the same way. */
  readonly writeJson?: Write;
}

/**
 * Writes at `at` what `copy` or `json` gives for the text in `from`, and gives where it ends; -1 where they have to be asked. `to`
 * has room for that text and eight bytes more, or is `from` itself, at the same place or sixteen bytes and more before it. (Most
 * cells leave as they come: to make a text of each takes three times as long as all the rest.)
 */
export type Write = (from: Uint8Array, start: number, end: number, to: Uint8Array, at: number) => number;

/** Takes the cells of records one after the other, as the bytes of their text. */
export interface RowSink {
  cell(from: Uint8Array, start: number, end: number): void;
  /** A cell that is NULL. */
  none(): void;
  /** The record has no more cells. */
  end(): void;
}

/** Makes lines of records. */
export interface Lines extends RowSink {
  /** The lines that are ready; null where they are fewer than `least` bytes. */
  take(least: number): Uint8Array | null;
}

/** A part of a value, written already; or a very long text in UTF-8, still to be written in JSON. */
export type Piece = Uint8Array | { readonly text: Uint8Array };

/** Makes one value of all records. */
export interface JsonRowWriter extends RowSink {
  /** How many records it has taken. */
  readonly count: number;
  /** Bytes that it has made of them so far. */
  readonly length: number;
  /** The value in pieces, each of whole characters. */
  take(): readonly Piece[];
}

/** A member of `fields` in an answer. */
export interface Field {
  readonly id: string;
  readonly type: string;
  readonly info?: JsonObject;
}

/** Records still in the driver's text, with an encoder per column. */
export interface Rows {
  readonly fields: readonly Field[];
  readonly encoders: readonly Encoder[];
  readonly cells: readonly (readonly Cell[])[];
  /** What they are in the answer, where that was written while they came: then there are none. */
  readonly written?: readonly Piece[];
}

/** One SQL statement and its bindings, in the placeholders of its engine. */
export interface Statement {
  readonly text: string;
  readonly values: readonly (string | Uint8Array | null)[];
  /** The types that the first columns of its result must have, as `Column.resultType`; '' stands for any. */
  readonly types?: readonly string[];
}

/** What a statement gave. `found` counts the rows a write met, changed or not. */
export interface Answer {
  /** The names of the result's columns, as the server says them. */
  readonly names: readonly string[];
  /** What the driver calls the types of the result's columns. */
  readonly types: readonly string[];
  readonly cells: readonly (readonly Cell[])[];
  readonly found: number;
  /** MySQL: what stands in the AUTO_INCREMENT column of the last record that was inserted, triggers included. */
  readonly inserted?: string;
}

/** A COPY whose bytes are lines of csv. */
export interface Copying {
  readonly text: string;
  /** For each column: whether its cells come as they are stored, and are still to be written by its encoder. */
  readonly stored: readonly boolean[];
}
