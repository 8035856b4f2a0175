import type { Encoder, Field } from '../../model/rows.ts';
import type { Cell } from '../../model/value.ts';

/**
 * Records as text, in pieces that need no memory of one another: `head`, a `row` per record with `between` between any two,
 * `tail`. A search joins them (`records.ts`); a dump sends each as it comes.
 */
export interface Format {
  readonly head: string;
  row(cells: readonly Cell[]): string;
  readonly between: string;
  readonly tail: string;
  /** How a very long cell is written in a row (`long.ts`); `mark` is a short text that needs no escaping. */
  long(cell: LongCell, mark: string): Long;
}

export interface LongCell {
  readonly column: number;
  /** A text, or a JSON document. */
  readonly is: NonNullable<Encoder['long']>;
  readonly text: string;
}

export interface Long {
  /** The cell that takes its place while the row is made, and how that is written there. */
  readonly standIn: string;
  readonly shown: string;
  /** What is to be written instead. */
  readonly parts: Iterable<string>;
}

/** A member of the family: knows the columns of an answer once, so that a row costs no look at them. */
export interface FormatMaker {
  /** Whether the text is JSON; else it stands in a JSON answer as one string (contract 3.9). */
  readonly isJson: boolean;
  format(fields: readonly Field[], encoders: readonly Encoder[]): Format;
}
