import type { Total } from '../model/counts.ts';
import type { ReadDialect } from '../model/dialect/read.ts';
import type { SessionDialect } from '../model/dialect/session.ts';
import { type Cursor, columnsOf, maxSortedRecords, type Read } from '../model/plan.ts';
import type { Guarded } from '../model/row-filter.ts';
import type { Answer, JsonRowWriter } from '../model/rows.ts';
import { isComparable } from '../model/table.ts';
import { ask } from './ask.ts';
import type { Session, Sessions } from './connection/call-sessions.ts';
import { StatementTimeout } from './connection/session.ts';
import { hitsPage } from './hits.ts';
import { type SelectedOnce, ShownRows, selectedOnce, shownCells } from './select-once.ts';

export interface ReadBounds {
  /** Milliseconds that an exact total may take. */
  readonly totalBudget: number;
  readonly responseBytes: number;
  /** Aborted when no client waits for the answer any more; its reason is thrown then. */
  readonly signal: AbortSignal;
}
export interface ReadResult {
  /** Empty if a `JsonRowWriter` took the rows. */
  readonly cells: Answer['cells'];
  /** The cursor after the last record; null if none was requested, or there is no record. */
  readonly cursor: Cursor | null;
  readonly rankWasLimited: boolean;
  /** Whether the order has ties, so that other pages may repeat or miss records. */
  readonly orderIsPartial: boolean;
  readonly total: Total | null;
  readonly learned: LearnedTotal;
}

/** What earlier calls have found out about a search's total. */
export interface KnownTotal {
  /** Null if it still has to be counted or estimated. */
  readonly total: { readonly count: number; readonly estimated: boolean } | null;
  /** Whether an earlier count timed out: then we estimate the total without counting again. */
  readonly isSlow: boolean;
}

/** What a search has learned about its total, for the cache; `nothing` if the total came from the cache or was not requested. */
export type LearnedTotal =
  | { readonly is: 'exact'; readonly count: number }
  | { readonly is: 'estimated'; readonly count: number }
  | { readonly is: 'nothing' };

/**
 * Runs a search. Throws `TooLarge` when the page exceeds `responseBytes`, else the driver's error. A total that takes too long
 * is estimated and never fails the search.
 * @param into takes the records if the driver exposes the bytes it receives; a requested cursor must then consist of integers
 */
export async function read(
  database: Sessions,
  dialect: ReadDialect & SessionDialect,
  plan: Guarded<Read>,
  bounds: ReadBounds,
  known: KnownTotal,
  into?: JsonRowWriter,
): Promise<ReadResult> {
  const { signal } = bounds;
  const isOrdered = plan.table.order.isTotal || plan.distinct || plan.limit === 0;
  const sortable = isOrdered || known.isSlow ? null : await sortedWhole(database, dialect, plan, signal);
  const run = (of: Read, deadline?: number) =>
    database.use((session) => pageAndTotal(session, dialect, of, bounds, known, into, deadline), signal);
  const inOrder =
    sortable &&
    (await run(sortable, bounds.totalBudget).catch((error: unknown) => {
      // The table is larger than estimated, or a view computes its rows slowly: read the page without breaking ties.
      if (!isTimeout(error, dialect)) throw error;
      into?.clear();
      return null;
    }));
  const { page, count } = inOrder ?? (await run(plan));
  const shown = page.cells.length + (into?.count ?? 0);
  const isOnlyPage = plan.offset === 0 && shown < plan.limit;
  const orderIsPartial = !isOrdered && inOrder === null && shown > 0 && !isOnlyPage;
  const { cells, cursor, rankWasLimited } = page;
  const found = { cells, cursor, rankWasLimited, orderIsPartial };
  if (count === 'not asked') return { ...found, total: null, learned: { is: 'nothing' } };
  if (count === 'known' && known.total !== null) {
    const { count, estimated } = known.total;
    const total: Total = estimated ? notCounted(count, plan, shown) : { count, is: 'exact' };
    return { ...found, total, learned: { is: 'nothing' } };
  }
  if (typeof count === 'number') return { ...found, total: { count, is: 'exact' }, learned: { is: 'exact', count } };
  // Estimate only now that the timed-out count has released its session, which may be the pool's only one. A caller with a row filter gets
  // no estimate: the planner's statistics cover all rows, so an estimate would tell about hidden ones.
  const estimate = plan.rows.where === null ? await estimateTotal(database, dialect, plan, signal) : 0;
  return { ...found, total: notCounted(estimate, plan, shown), learned: { is: 'estimated', count: estimate } };
}

/** The page of a search, and its total: counted, `known` from an earlier call, or `overdue` if counting takes too long. */
async function pageAndTotal(
  session: Session,
  dialect: ReadDialect & SessionDialect,
  plan: Read,
  bounds: ReadBounds,
  known: KnownTotal,
  into: JsonRowWriter | undefined,
  deadline: number | undefined,
): Promise<{ readonly page: Page; readonly count: number | 'not asked' | 'known' | 'overdue' }> {
  const selected = selectedOnce(plan);
  const page =
    (plan.searches.length === 0 ? null : await pageOfHits(session, dialect, selected, bounds, into)) ??
    (await pageOf(session, dialect, selected, bounds, into, deadline));
  const shown = page.cells.length + (into?.count ?? 0);
  if (!plan.total) return { page, count: 'not asked' };
  // A page that is not full is the last one, so its offset and size give the total, unless it began at a cursor.
  const isLast = plan.after === null && shown < plan.limit && (shown > 0 || plan.offset === 0);
  if (isLast) return { page, count: plan.offset + shown };
  if (page.total !== null) return { page, count: page.total };
  if (known.total !== null) return { page, count: 'known' };
  return { page, count: known.isSlow ? 'overdue' : await countRecords(session, dialect, plan, bounds.totalBudget) };
}

/** The plan with all ties broken; null if the table is too large to sort. Even a filter with few matches may read it all. */
async function sortedWhole(
  database: Sessions,
  dialect: ReadDialect,
  plan: Guarded<Read>,
  signal: AbortSignal,
): Promise<Read | null> {
  // Under a row filter, the answer must not depend on the number of hidden rows: skip the estimate, and try within the deadline.
  if (plan.rows.where === null) {
    const all: Read = { ...plan, where: { op: 'all', of: [] }, searches: [] };
    const estimate = await estimateTotal(database, dialect, all, signal);
    if (estimate === 0 || estimate > maxSortedRecords) return null;
  }
  const { order, columns } = plan.table;
  // Without a physical location (ctid), ties are broken by a digest of the row, which looks random. So sort by a real column first.
  const first = columns.find(({ type }) => !order.hasPlaces && isComparable(type));
  const sort = first === undefined ? [] : [{ by: first, direction: 'asc', nulls: 'last' } as const];
  return { ...plan, sort: [...plan.sort, ...sort], breaksTies: true };
}

/** The planner's estimate of the total; 0 if there is none: MySQL explains a view only to users who may read its base tables. */
export const estimateTotal = (
  database: Sessions,
  dialect: ReadDialect,
  plan: Read,
  signal: AbortSignal,
): Promise<number> =>
  database
    .use((session) => ask(session, dialect.estimate(plan)), signal)
    .catch(() => {
      signal.throwIfAborted();
      return 0;
    });

/** The estimate if it is plausible. Else the number of records up to the end of this page, plus one if another page may follow. */
function notCounted(estimate: number, { offset, limit }: Read, shown: number): Total {
  // The offset of an empty page proves nothing: it may be far beyond the last record.
  const least = (shown > 0 ? offset + shown : 0) + (shown === limit ? 1 : 0);
  return estimate > least ? { count: estimate, is: 'estimated' } : { count: least, is: 'at least' };
}

interface Page {
  readonly cells: Answer['cells'];
  readonly cursor: Cursor | null;
  /** Null if the page query did not also return the total. */
  readonly total: number | null;
  readonly rankWasLimited: boolean;
}

/** A full-text search's page, if `hitsPage` can find it; else null. */
async function pageOfHits(
  session: Session,
  dialect: ReadDialect,
  { plan, places }: SelectedOnce,
  { responseBytes }: ReadBounds,
  into: JsonRowWriter | undefined,
): Promise<Page | null> {
  const writer = (kept: number) => into && new ShownRows(into, places, kept);
  const hits = await hitsPage(session, dialect, plan, responseBytes, writer);
  if (hits === null) return null;
  const { cells, matched, isLimited } = hits;
  const shown = cells.map((row) => shownCells(row, places));
  return { cells: shown, cursor: cursorIn(cells, plan), total: matched, rankWasLimited: isLimited };
}

async function pageOf(
  session: Session,
  dialect: ReadDialect,
  { plan, places }: SelectedOnce,
  { responseBytes: maxBytes }: ReadBounds,
  into: JsonRowWriter | undefined,
  deadline: number | undefined,
): Promise<Page> {
  if (plan.limit === 0) return { cells: [], cursor: null, total: null, rankWasLimited: false };
  const statement = dialect.search(plan);
  const isSame = places.length === plan.columns.length;
  const first = plan.columns.length;
  const rows = into && !(isSame && !plan.withCursor) ? new ShownRows(into, places, first) : into;
  const { cells } = await session.run(statement, {
    maxBytes,
    into: rows,
    ...(deadline === undefined ? {} : { deadline }),
  });
  // A driver that does not expose its bytes ignores the writer and returns cells.
  const isKept = plan.withCursor && rows instanceof ShownRows && cells.length === 0;
  return {
    cells: isSame ? cells : cells.map((row) => shownCells(row, places)),
    cursor: isKept ? cursorKept(rows.kept, plan) : cursorIn(cells, plan),
    total: null,
    rankWasLimited: false,
  };
}

/** The cursor from the cells that a `ShownRows` has kept: they begin with the sort values. */
const cursorKept = (kept: readonly (string | null)[], { sort }: Read): Cursor | null =>
  kept.length > 0 ? kept.slice(0, sort.length) : null;

/** The cursor after the last row: its sort values, selected after the shown columns. Null if no cursor was requested, or there is no row. */
export function cursorIn(cells: Answer['cells'], { withCursor, columns, sort }: Read): Cursor | null {
  const last = withCursor ? cells.at(-1) : undefined;
  const values = last?.slice(columns.length, columns.length + sort.length);
  return values?.map((cell) => (typeof cell === 'number' ? String(cell) : cell)) ?? null;
}

/**
 * Counts the matching records; `overdue` if that times out, by our clock or the server's.
 * @param deadline milliseconds; by default the `statementTimeout`
 */
export async function countRecords(
  session: Session,
  dialect: ReadDialect & SessionDialect,
  plan: Read,
  deadline?: number,
): Promise<number | 'overdue'> {
  try {
    const { cells } = await session.run(dialect.count(plan), deadline === undefined ? {} : { deadline });
    // The result does not show the types of filtered columns, so check them: the engine compares a retyped column with a cast.
    const compared = columnsOf(plan.where);
    if (compared.length > 0) await session.run(dialect.check(plan.table, compared));
    return Number(cells[0]?.[0] ?? 0);
  } catch (error) {
    if (isTimeout(error, dialect)) return 'overdue';
    throw error;
  }
}

/** Whether a statement timed out, by our clock or by the server's. */
export const isTimeout = (error: unknown, dialect: SessionDialect): boolean =>
  error instanceof StatementTimeout || dialect.classifyError(error).kind === 'timeout';
