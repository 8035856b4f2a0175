/** Counts all records if the budget allows, else a sample of them. */
import type { Counted } from '../model/counts.ts';
import type { ReadDialect } from '../model/dialect/read.ts';
import type { SessionDialect } from '../model/dialect/session.ts';
import type { Sample, Search } from '../model/plan.ts';
import type { RowFilter } from '../model/row-filter.ts';
import type { Answer, Statement } from '../model/rows.ts';
import type { Column, Table } from '../model/table.ts';
import type { Session, Sessions } from './connection/call-sessions.ts';
import { StatementTimeout } from './connection/session.ts';
import { isTimeout } from './read.ts';

export interface AggregateBounds {
  /** Timeout of one attempt in milliseconds. */
  readonly budget: number;
  readonly responseBytes: number;
  /** Aborted when no client waits for the answer any more; its reason is thrown then. */
  readonly signal: AbortSignal;
}

/** An aggregate makes up to three attempts, each within the budget: all records, the first matches, the first of the table. */
export const maxAttempts = 3;

export const sampleSize = 100_000;

/** Which records to count. */
export interface Counting {
  /** The tables, each with all columns that the count compares or computes with. */
  readonly reads: readonly { readonly table: Table; readonly columns: readonly Column[] }[];
  readonly searches: readonly Search[];
  readonly rows: RowFilter;
  /** Whether counting all records would take too long: then only samples are counted. */
  readonly isLarge: boolean;
  /** Whether a sample is acceptable if the budget does not allow for all records. */
  readonly canSample: boolean;
}

/** Runs a statement within the budget of its attempt. */
export type Run = (statement: Statement) => Promise<Answer>;

export interface Budgeted<T> {
  readonly counts: T;
  /** Whether counting all records was tried, and timed out. */
  readonly tookTooLong: boolean;
}

/**
 * Counts all matching records if the budget allows, else only the first matches. If that times out, too, it counts the matches among the
 * table's first records, which takes the same time for any filter. If even that times out, it throws `StatementTimeout`.
 */
export async function withinBudget<T extends Counted>(
  database: Sessions,
  dialect: ReadDialect & SessionDialect,
  { reads, rows, searches, isLarge, canSample }: Counting,
  bounds: AggregateBounds,
  count: (run: Run, sample: Sample | null) => Promise<T>,
): Promise<Budgeted<T>> {
  const attempt = (sample: Sample | null) =>
    database.use((session) => inTime(session, dialect, reads, bounds, (run) => count(run, sample)), bounds.signal);
  const all = isLarge && canSample ? null : await attempt(null);
  if (all !== null) return { counts: all, tookTooLong: false };
  if (!canSample) throw new StatementTimeout(`the question took longer than ${bounds.budget} ms`, bounds.budget);
  const tookTooLong = !isLarge;
  const ofMatching = await attempt({ of: 'matching', records: sampleSize });
  if (ofMatching !== null)
    return { counts: ofMatching.total < sampleSize ? { ...ofMatching, sample: null } : ofMatching, tookTooLong };
  // A sample is a subquery, and MySQL's MATCH only works on a table. Under a row filter, the sample would include hidden rows.
  const ofTable =
    rows.where !== null || searches.some(({ by }) => by === 'native')
      ? null
      : await attempt({ of: 'table', records: sampleSize });
  if (ofTable !== null) return { counts: ofTable, tookTooLong };
  throw new StatementTimeout(`counting in groups took longer than ${bounds.budget} ms`, bounds.budget);
}

/** One attempt; null if a statement timed out, by our clock or the server's. */
async function inTime<T>(
  session: Session,
  dialect: ReadDialect & SessionDialect,
  reads: Counting['reads'],
  { budget, responseBytes }: AggregateBounds,
  count: (run: Run) => Promise<T>,
): Promise<T | null> {
  const began = performance.now();
  try {
    const counts = await count((statement) =>
      session.run(statement, { deadline: began + budget - performance.now(), maxBytes: responseBytes }),
    );
    // The result does not show the types of filtered columns, so check them: a column that was retyped meanwhile is compared with a cast.
    for (const { table, columns } of reads) await session.run(dialect.check(table, columns));
    return counts;
  } catch (error) {
    if (isTimeout(error, dialect)) return null;
    throw error;
  }
}
