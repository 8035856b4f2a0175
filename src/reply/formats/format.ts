import type { DelimitedLines, Encoder, Field, JsonRowWriter } from '../../model/rows.ts';
import type { Cell } from '../../model/value.ts';

/**
 * Records as text, in independent pieces: `head`, a `row` per record with `between` between any two, `tail`. A search joins
 * them (`records.ts`); a dump sends each piece at once.
 */
export interface Format {
  readonly head: string;
  row(cells: readonly Cell[]): string;
  readonly between: string;
  readonly tail: string;
  /** The form of a very long cell in a row (`long-cells.ts`); `mark` is a short text that needs no escaping. */
  long(cell: LongCell, mark: string): Long;
}

export interface LongCell {
  readonly column: number;
  /** A text, or a JSON document. */
  readonly is: NonNullable<Encoder['long']>;
  readonly text: string;
}

export interface Long {
  /** The cell that replaces it while the row is made, and its written form. */
  readonly standIn: string;
  readonly shown: string;
  /** The parts that are written in its place. */
  readonly parts: Iterable<string>;
}

/** Makes a format for given columns: it prepares them once, so that rows cost less. */
export interface FormatMaker {
  /** Whether the text is JSON; else it is one string in a JSON answer (contract 3.9). */
  readonly isJson: boolean;
  format(fields: readonly Field[], encoders: readonly Encoder[]): Format;
  /**
   * The same JSON from the bytes of a driver, without strings; absent where a format has no such writer.
   * @param cellOf converts the bytes of a cell for an encoder
   */
  jsonRows?(fields: readonly Field[], encoders: readonly Encoder[], cellOf: (bytes: Uint8Array) => Cell): JsonRowWriter;
}

/** A format of downloads, too. */
export interface DownloadFormat extends FormatMaker {
  readonly mediaType: string;
  /** Whether the file may begin with a byte order mark; JSON parsers reject one. */
  readonly bom: boolean;
  /** The first line of the file, in place of `head`. */
  header?(fields: readonly Field[]): string;
  /** The same lines from the bytes of a driver, or from COPY; absent where a format has no such writer. */
  lines?(encoders: readonly Encoder[]): DelimitedLines;
}
