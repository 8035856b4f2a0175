import type { Blame } from '../../model/catalog.ts';
import type { Refusal } from '../../model/errors.ts';
import type { Delete, Where } from '../../model/plan.ts';
import type { Statement } from '../../model/rows.ts';
import type { Column, Table } from '../../model/table.ts';
import type { Bound, Cell } from '../../model/value.ts';
import type { Steps } from '../../values/slices.ts';

import type { Outcome } from './outcome.ts';

/** One row of values, a value per column; null is NULL. */
export type Values = readonly (Bound | null)[];

/** Records as the driver returns them. */
export type Cells = readonly (readonly Cell[])[];

export interface Listing {
  readonly order: readonly Column[];
  readonly limit: number | null;
  readonly lock: boolean;
}

/** The statements for a write, made by the dialect. */
export interface Writer {
  lock(table: Table, columns: readonly Column[], keys: readonly Values[]): Statement;
  insert(table: Table, columns: readonly Column[], rows: readonly Values[], returned: readonly Column[]): Statement;
  update(table: Table, key: readonly Column[], columns: readonly Column[], rows: readonly Values[]): Statement;
  change(table: Table, where: Where, columns: readonly Column[], values: Values): Statement;
  delete(plan: Delete): Statement;
  check(table: Table, columns: readonly Column[]): Statement;
  records(table: Table, columns: readonly Column[], where: Where, how: Listing): Statement;
  readonly returning: { readonly insert: boolean; readonly delete: boolean };
  readonly settle: Statement | null;
  readonly outcome: Outcome | null;
  readonly limits: { readonly bindings: number; readonly insertRows: number; readonly updateRows: number };
  readonly maxStatementBytes: number;
  /** One spelling for equal values; keys are compared by it. */
  identity(column: Column, stored: Cell): string;
  identityOf(column: Column, value: Bound): string;
  /** A stored value in the spelling of conversion. Null for NULL, and for a value that no client can send. */
  stored(column: Column, cell: Cell): Bound | null;
  /** The limit of bytes for returned records. */
  readonly responseBytes: number;
  /** The JSON of records. Throws `TooLarge` where it has more than `responseBytes`. */
  written(columns: readonly Column[], cells: Cells): Steps<Uint8Array>;
  blame(error: unknown): Blame;
  /** The refusal for a driver error, in our words; null leaves it to the caller. */
  refuse(blame: Blame, table: Table, row: number | null, cause: unknown): Refusal | null;
}
