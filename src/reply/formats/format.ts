import type { DelimitedLines, Encoder, Field, JsonRowWriter } from '../../model/rows.ts';
import type { Type } from '../../model/table.ts';
import type { Cell } from '../../model/value.ts';

/**
 * Records as text, in independent pieces: `head`, one `row` per record with `between` between two rows, `tail`. A search joins the
 * pieces into one body; a download sends them one by one.
 */
export interface Format {
  readonly head: string;
  row(cells: readonly Cell[]): string;
  readonly between: string;
  readonly tail: string;
  /** Writes a very long cell in parts. The row gets a stand-in for it, which contains the random text `mark`. */
  long(cell: LongCell, mark: string): Long;
}

export interface LongCell {
  readonly column: number;
  /** Whether the cell is a text or a JSON document. */
  readonly is: NonNullable<Encoder['long']>;
  readonly text: string;
}

export interface Long {
  /** The stand-in cell that the row is written with, and how it looks in the written row. */
  readonly standIn: string;
  readonly shown: string;
  /** The parts that replace the stand-in in the text of the row. */
  readonly parts: Iterable<string>;
}

/** Makes a format for given columns. Work that depends only on the columns is done once, so that each row costs less. */
export interface FormatMaker {
  /** Whether the text is JSON. Text that is not, such as csv, becomes one string in a JSON answer. */
  readonly isJson: boolean;
  format(fields: readonly Field[], encoders: readonly Encoder[]): Format;
  /**
   * Writes the same JSON directly from the bytes of a driver, which is faster; absent if a format cannot do that.
   * @param cellOf converts the bytes of a cell for an encoder
   */
  jsonRows?(fields: readonly Field[], encoders: readonly Encoder[], cellOf: (bytes: Uint8Array) => Cell): JsonRowWriter;
}

/** A format in which tables can also be downloaded. */
export interface DownloadFormat extends FormatMaker {
  readonly mediaType: string;
  /** Whether the file may begin with a byte order mark; JSON parsers reject one. */
  readonly bom: boolean;
  /** The first line of the file, in place of `head`. */
  header?(fields: readonly Field[]): string;
  /** Writes the same lines directly from the bytes of a driver, or from COPY; absent if a format cannot do that. */
  lines?(encoders: readonly Encoder[]): DelimitedLines;
}

/** A column of a binary file, whose values have types. */
export interface TypedColumn {
  readonly name: string;
  readonly type: Type;
  readonly encoder: Encoder;
  /** The name for people, from the data dictionary. */
  readonly label: string | null;
}

/** What a file says about itself. */
export interface FileAbout {
  readonly resource: string;
  readonly title: string;
  /** The licence of the records, with its address; '' if there is none. */
  readonly licence: string;
  /** The URL of the download, with its filters. */
  readonly address: string;
  /** When the download began, as ISO 8601. */
  readonly time: string;
}

export interface FileContent {
  readonly columns: readonly TypedColumn[];
  /** The records, in batches. */
  readonly rows: AsyncIterable<readonly (readonly Cell[])[]>;
  readonly about: FileAbout;
}

/** A download in bytes that are no text, such as a zip: it writes the whole file. */
export interface BinaryFormat {
  readonly mediaType: string;
  /**
   * Yields nothing before the first batch of rows: until then an error becomes a status code. Throws the errors of `rows`, and ends all
   * its work, threads for example, if the caller stops early.
   */
  write(content: FileContent): AsyncGenerator<Uint8Array, void>;
}

export const isBinary = (format: DownloadFormat | BinaryFormat): format is BinaryFormat => 'write' in format;
