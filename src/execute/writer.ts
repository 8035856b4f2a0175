import type { Refusal } from '../errors.ts';
import type { Blame, Bound, Cell, Column, Delete, Statement, Table } from '../plan.ts';

/** One row of values, a value per column; null is NULL. */
export type Values = readonly (Bound | null)[];

/** The statements a write needs, made by the dialect. */
export interface Writer {
  lock(table: Table, columns: readonly Column[], keys: readonly Values[]): Statement;
  insert(table: Table, columns: readonly Column[], rows: readonly Values[]): Statement;
  update(table: Table, key: readonly Column[], columns: readonly Column[], rows: readonly Values[]): Statement;
  delete(plan: Delete): Statement;
  check(table: Table, columns: readonly Column[]): Statement;
  readonly limits: { readonly bindings: number; readonly insertRows: number; readonly updateRows: number };
  readonly maxStatementBytes: number;
  /** One spelling for equal values: what keys are compared by. */
  identity(column: Column, stored: Cell): string;
  identityOf(column: Column, value: Bound): string;
  blame(error: unknown): Blame;
  /** The answer to a driver error, in our words; null leaves it to the caller. */
  refuse(blame: Blame, table: Table, row: number | null, cause: unknown): Refusal | null;
}
