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
  /** Writes a very long cell in parts. The row is written with a stand-in for it, which contains the random text `mark`. */
  long(cell: LongCell, mark: string): Long;
}

export interface LongCell {
  readonly column: number;
  /** Whether the cell is a text or a JSON document. */
  readonly is: NonNullable<Encoder['long']>;
  readonly text: string;
}

export interface Long {
  /** The stand-in: the cell that the row is written with, and how that cell looks in the written row. */
  readonly standIn: string;
  readonly shown: string;
  /** The parts that replace the stand-in in the text of the row. */
  readonly parts: Iterable<string>;
}

/** Makes a format for given columns. Work that depends only on the columns is done once, so that each row costs less. */
export interface FormatMaker {
  /** Whether the text is JSON. Any other text, such as csv, becomes one string in a JSON answer. */
  readonly isJson: boolean;
  format(fields: readonly Field[], encoders: readonly Encoder[]): Format;
  /**
   * Writes the same JSON directly from the driver's bytes, which is faster; absent if the format cannot do that.
   * @param cellOf converts a cell's bytes for an encoder
   */
  jsonRows?(fields: readonly Field[], encoders: readonly Encoder[], cellOf: (bytes: Uint8Array) => Cell): JsonRowWriter;
}

/** A format in which tables can also be downloaded. */
export interface DownloadFormat extends FormatMaker {
  readonly mediaType: string;
  /** Whether the file may begin with a byte order mark; JSON parsers reject one. */
  readonly bom: boolean;
  /** The file's first line, in place of `head`. */
  header?(fields: readonly Field[]): string;
  /** Writes the same lines directly from the driver's bytes, or from COPY's; absent if the format cannot do that. */
  lines?(encoders: readonly Encoder[]): DelimitedLines;
}

/** A typed column of a binary file. */
export interface TypedColumn {
  readonly name: string;
  readonly type: Type;
  readonly encoder: Encoder;
  /** The column's display name, from the data dictionary. */
  readonly label: string | null;
}

/** What a file says about its own origin. */
export interface FileAbout {
  readonly resource: string;
  readonly title: string;
  /** The records' licence, with its address; '' if there is none. */
  readonly licence: string;
  /** The URL that was downloaded, including its filters. */
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

/** A format that is not text, such as a zip: it writes the whole file. */
export interface BinaryFormat {
  readonly mediaType: string;
  /**
   * Yields nothing before the first batch of rows, because an error can still become a status code until then. Throws the errors of `rows`.
   * If the caller stops early, it ends all its work, for example threads.
   */
  write(content: FileContent): AsyncGenerator<Uint8Array, void>;
}

export const isBinary = (format: DownloadFormat | BinaryFormat): format is BinaryFormat => 'write' in format;
