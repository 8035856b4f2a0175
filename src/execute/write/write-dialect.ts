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

/** The statements that a write needs of the dialect, and what it needs besides SQL: conversion, comparison, limits and refusals. */
export interface WriteDialect extends EditDialect, Pick<ReadDialect, 'check'>, Pick<SessionDialect, 'classifyError'> {
  readonly maxStatementBytes: number;
  /** A string that is the same for equal values, to compare keys; here for a stored value. */
  identity(column: Column, stored: Cell): string;
  /** The same string for a value of the call. */
  identityOf(column: Column, value: BoundValue): string;
  /** A stored value in the form to which a client's value is converted. Null for NULL, and for a value that no client can send. */
  stored(column: Column, cell: Cell): BoundValue | null;
  /** The limit of bytes for returned records. */
  readonly responseBytes: number;
  /** The JSON of records. Throws `TooLarge` above `responseBytes`, `OutsideFlag` if a number cannot be shown as true or false. */
  written(table: Table, columns: readonly Column[], cells: Cells): Steps<Uint8Array>;
  /** The refusal for a driver error, in our words; null if the caller should throw the error itself. */
  refuse(meaning: ErrorKind, table: Table, row: number | null, cause: unknown): Refusal | null;
}
