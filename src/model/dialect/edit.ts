import type { Delete, Where } from '../plan.ts';
import type { Answer, Statement } from '../rows.ts';
import type { Column, Table } from '../table.ts';
import type { BoundValue } from '../value.ts';

/** One row of values, a value per column; null is NULL. */
export type Values = readonly (BoundValue | null)[];

/** Locks, inserts, updates and deletes records, and finds out whether a commit took effect. */
export interface EditDialect {
  /** Locks the records with these keys that match `inside`, in key order, and returns their key columns as stored. */
  lock(table: Table, columns: readonly Column[], keys: readonly Values[], inside: Where): Statement;
  /** If `returning.insert`, the statement returns the columns `returned` of the new records, in the order of `rows`. */
  insert(table: Table, columns: readonly Column[], rows: readonly Values[], returned: readonly Column[]): Statement;
  /** Sets `columns` of the records found by `key`. Each row holds the key's values, then the values to set. */
  update(table: Table, key: readonly Column[], columns: readonly Column[], rows: readonly Values[]): Statement;
  /** A faster `update` for many records that this transaction has locked. Null if `update` is as fast, or the effect could differ. */
  lockedUpdate(table: Table, key: readonly Column[], columns: readonly Column[]): LockedUpdate | null;
  /**
   * Sets `columns` of the record whose key matches to the byte, if it matches `inside`. The returned function takes the key's values, none
   * of them NULL, then the values to set.
   */
  updateOne(
    table: Table,
    key: readonly Column[],
    columns: readonly Column[],
    inside: Where | null,
  ): (row: Values) => Statement;
  /**
   * Deletes the matching records. If `returning.delete`, the statement returns the columns `plan.returned`, in key order.
   * @param inOrder whether to lock the records first, in the order of `lock`, if the engine would lock them in another order.
   *   Without an index for the condition this takes twice as long
   */
  delete(plan: Delete, inOrder: boolean): Statement;
  /** Reads columns of the matching records. */
  records(table: Table, columns: readonly Column[], where: Where, how: Listing): Statement;
  /** The number of matching records, as the only cell. */
  countOf(table: Table, where: Where): Statement;
  /** The statements that can return the records they wrote, with the effects of triggers and defaults. */
  readonly returning: { readonly insert: boolean; readonly delete: boolean };
  /** The id of the transaction, from the answer to `updateOne`, `outcome.id` or COMMIT; null if the server doesn't tell. */
  transactionOf(answer: Answer): string | null;
  /** Makes the server check deferred constraints now; null if the engine has none. */
  readonly settle: Statement | null;
  /** Finds out whether a commit took effect after the connection was lost; null if the engine can't tell. */
  readonly outcome: CommitOutcome | null;
  /** Maxima per statement. `keys`: of a `lock` by one column; `rows`: of an `insert` or locked update; `updateRows`: of an `update`. */
  readonly limits: {
    readonly bindings: number;
    readonly keys: number;
    readonly rows: number;
    readonly updateRows: number;
  };
}

/** The order, number and locking of listed records. */
export interface Listing {
  /** The columns to sort by, ascending, NULLs last. */
  readonly order: readonly Column[];
  readonly limit: number | null;
  /** Whether the records stay locked until the transaction ends. */
  readonly lock: boolean;
}

/**
 * An INSERT that updates on conflict: updates locked records, or upserts any. The server may refuse it where it accepts `update`, for
 * example if the user lacks the right to insert.
 */
export interface LockedUpdate {
  statement(rows: readonly Values[]): Statement;
  /** The number of records that were updated. If locked records are fewer than the rows, the statement inserted some: roll it back. */
  found(answer: Answer): number;
  /** To run after the statement: from then on, nobody can alter the table until the transaction ends. */
  proofs(): readonly Proof[];
}

/** A query whose answer shows whether the table is still as the catalogue describes it. The session also compares its `types`. */
export interface Proof {
  readonly statement: Statement;
  holds(answer: Answer): boolean;
}

/** Finds out whether a transaction was committed. */
export interface CommitOutcome {
  /** A query for the id of the current transaction. */
  readonly id: string;
  /**
   * Ends the transaction if it still runs. Returns `committed`, `aborted`, null if it will never be known, or any other text if the
   * query must be repeated.
   */
  ask(id: string): Statement;
}
