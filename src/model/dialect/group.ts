import type { Aggregate, ByRange, ByValue, Edge, Sample } from '../plan.ts';
import type { Question as Asked } from '../question.ts';
import type { Question, Statement } from '../rows.ts';
import type { Column, Table } from '../table.ts';

/** Counts and measures records in groups: all that match, or a sample of them. */
export interface GroupDialect {
  /**
   * Counts by value. The columns of a row: the value; its kind, which is 0 for a value, 1 for NULL and 2 for all long values together;
   * the number of its records; the number of distinct values; the number of all records. The rows for long values and for NULL come
   * first, in addition to the limit.
   */
  countValues(plan: Aggregate<ByValue>, sample: Sample | null): Statement;
  /** The query planner's estimate for the number of distinct values; null if it has none. */
  estimateValues(table: Table, column: Column): Question<number | null>;
  /** Returns one row: the least and the greatest value that the ranges have to cover. */
  extent(plan: Aggregate<ByRange>, sample: Sample | null): Statement;
  /** Counts by range. Each row: how many edges are at or below the records' values (NULL without a value), and how many records. */
  countRanges(plan: Aggregate<ByRange>, edges: readonly Edge[], sample: Sample | null): Statement;
  /**
   * The outputs of a question, and the number of records in all of its groups; NULL if the engine can't count them in the same statement.
   * If there are more groups than the limit, the answer has one row more.
   */
  ask(question: Asked, sample: Sample | null): Statement;
}
