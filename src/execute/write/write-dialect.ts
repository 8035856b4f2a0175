import type { ErrorKind } from '../../model/catalog.ts';
import type { EditDialect } from '../../model/dialect/edit.ts';
import type { ReadDialect } from '../../model/dialect/read.ts';
import type { SessionDialect } from '../../model/dialect/session.ts';
import type { Refusal } from '../../model/errors.ts';
import type { Column, Table } from '../../model/table.ts';
import type { BoundValue, Cell } from '../../model/value.ts';
import type { Steps } from '../../values/slices.ts';

/** Rows of cells, as the driver returns them. */
export type Cells = readonly (readonly Cell[])[];

/** What a write needs of a dialect: its statements, and besides SQL conversion, comparison, limits and refusals. */
export interface WriteDialect extends EditDialect, Pick<ReadDialect, 'check'>, Pick<SessionDialect, 'classifyError'> {
  readonly maxStatementBytes: number;
  /** A string that is equal for equal values, to compare keys. This is for a stored value. */
  identity(column: Column, stored: Cell): string;
  /** The same string for a value that the call has sent. */
  identityOf(column: Column, value: BoundValue): string;
  /** Converts a stored value to the form of a client's converted value. Null for NULL, and for a value that no client can send. */
  stored(column: Column, cell: Cell): BoundValue | null;
  /** Limit of bytes for returned records. */
  readonly responseBytes: number;
  /** Records as JSON. Throws `TooLarge` above `responseBytes`, `OutsideFlag` if a number can't be shown as true or false. */
  written(table: Table, columns: readonly Column[], cells: Cells): Steps<Uint8Array>;
  /** The refusal for a driver error, in our words; null if the caller should throw the error itself. */
  refuse(meaning: ErrorKind, table: Table, row: number | null, cause: unknown): Refusal | null;
}
