import type { ErrorKind } from '../../model/catalog.ts';
import type { Dialect } from '../../model/dialect.ts';
import type { Refusal } from '../../model/errors.ts';
import type { Column, Table } from '../../model/table.ts';
import type { BoundValue, Cell } from '../../model/value.ts';
import type { Steps } from '../../values/slices.ts';

/** Records as the driver returns them. */
export type Cells = readonly (readonly Cell[])[];

/** A dialect, with what a write needs beside statements: conversion, comparison, limits and refusals. */
export interface WriteDialect extends Dialect {
  readonly maxStatementBytes: number;
  /** One spelling for equal values; keys are compared by it. */
  identity(column: Column, stored: Cell): string;
  identityOf(column: Column, value: BoundValue): string;
  /** A stored value in the spelling of conversion. Null for NULL, and for a value that no client can send. */
  stored(column: Column, cell: Cell): BoundValue | null;
  /** The limit of bytes for returned records. */
  readonly responseBytes: number;
  /** The JSON of records. Throws `TooLarge` where it has more than `responseBytes`, `OutsideFlag` where one cannot be shown. */
  written(table: Table, columns: readonly Column[], cells: Cells): Steps<Uint8Array>;
  /** The refusal for a driver error, in our words; null leaves it to the caller. */
  refuse(meaning: ErrorKind, table: Table, row: number | null, cause: unknown): Refusal | null;
}
