import type { Read, Shown } from '../plan.ts';
import type { Copying, Encoder, Question, Statement } from '../rows.ts';
import type { Column, Table } from '../table.ts';
import type { Cell } from '../value.ts';

/** Selects and counts records, and decodes them. */
export interface ReadDialect {
  search(read: Read): Statement;
  /** `search` for slow clients: doesn't block writers to the table, even if its engine has no transactions (MyISAM). */
  unlocked(read: Read): Statement;
  /**
   * A search for words that reads a bounded number of hits first: a planner that expects many hits may walk the sort order for minutes
   * instead. Null if `search` is as fast, or if an index is missing. For `any` (and for `first` by rank, unless `all` is null), the answer
   * has one column more than `types`: the number of hits that were read.
   */
  hits(read: Read, which: HitsOf): Statement | null;
  /**
   * A COPY with the same lines as the encoders write, except in the columns marked as `stored`. Null if the engine has no COPY, or if
   * SQL can't express the exact text of a column.
   */
  copy(read: Read, delimiter: string): Copying | null;
  /** `search` as a COPY in text format, which is much faster to read. Null if the engine has no COPY. */
  copyRows(read: Read): string | null;
  count(read: Read): Statement;
  /** The query planner's estimate for `count`; 0 if it has none. */
  estimate(read: Read): Question<number>;
  /** Selects no record. Its `types` make the session notice that a column was altered after the catalogue was read. */
  check(table: Table, columns: readonly Column[]): Statement;
  /** Converts the cells of a column, or of a rank, to JSON and text. */
  encoder(shown: Shown): Encoder;
  /** Converts the bytes of a cell to the form that its encoder takes. */
  cell(bytes: Uint8Array): Cell;
}

/**
 * Which hits of a word search to read. `any`: the first that the server finds, up to one more than we rank. `first`: the first in sort
 * order, perhaps only among the first records in that order. `all`: every hit, sorted. If the read sorts by rank, `first` and `all` stop at
 * the number of hits that are ranked.
 */
export type HitsOf = 'any' | 'first' | 'all';
