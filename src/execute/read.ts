import type { Total } from '../model/counts.ts';
import type { Dialect } from '../model/dialect.ts';
import { type Cursor, columnsOf, mostSorted, type Read } from '../model/plan.ts';
import type { Answer, JsonRowWriter } from '../model/rows.ts';
import { isComparable } from '../model/table.ts';
import type { Session, Sessions } from './connection/call-sessions.ts';
import { StatementTimeout } from './connection/session.ts';
import { hitsPage } from './hits.ts';
import { type SelectedOnce, ShownRows, selectedOnce, shownCells } from './select-once.ts';

export interface ReadBounds {
  /** Milliseconds for an exact total. */
  readonly totalBudget: number;
  readonly responseBytes: number;
  /** Aborted when no client waits any more: its reason is thrown then. */
  readonly signal: AbortSignal;
}
export interface ReadResult {
  /** Empty where the rows went into the `JsonRowWriter`. */
  readonly cells: Answer['cells'];
  /** The cursor after the last record; null where it was not requested, or there is no record. */
  readonly cursor: Cursor | null;
  readonly rankWasLimited: boolean;
  /** Other pages may repeat or lose records. */
  readonly orderIsPartial: boolean;
  readonly total: Total | null;
  readonly learned: LearnedTotal;
}

/** The total of a search as far as the cache knows it. */
export interface KnownTotal {
  /** Null: it has to be counted, or estimated. */
  readonly total: { readonly count: number; readonly estimated: boolean } | null;
  /** Whether counting it took too long before: it is estimated at once. */
  readonly isSlow: boolean;
}

/** What a search has found out about its total; `nothing`: it shows what was known before, or no total was asked for. */
export type LearnedTotal =
  | { readonly is: 'exact'; readonly count: number }
  | { readonly is: 'estimated'; readonly count: number }
  | { readonly is: 'nothing' };

/**
 * Runs a search. Throws `TooLarge` when the page exceeds `responseBytes`, else the driver's error. A total that takes too long
 * is estimated and never fails the search.
 * @param into takes the records where the driver exposes the bytes it receives; a cursor must then be of whole numbers
 */
export async function read(
  database: Sessions,
  dialect: Dialect,
  plan: Read,
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
      // The estimate was wrong, or its records take long to compute.
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
  // The session of the timed-out count has been discarded and released: it may have been the last one.
  const estimate = await estimated(database, dialect, plan, signal);
  return { ...found, total: notCounted(estimate, plan, shown), learned: { is: 'estimated', count: estimate } };
}

/** The records of a search, and their number: counted, as known before, or `overdue` where it takes too long. */
async function pageAndTotal(
  session: Session,
  dialect: Dialect,
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
  // A page that is not full is the last one. So its size gives the total, unless it began at a cursor.
  const isLast = plan.after === null && shown < plan.limit && (shown > 0 || plan.offset === 0);
  if (isLast) return { page, count: plan.offset + shown };
  if (page.total !== null) return { page, count: page.total };
  if (known.total !== null) return { page, count: 'known' };
  return { page, count: known.isSlow ? 'overdue' : await counted(session, dialect, plan, bounds.totalBudget) };
}

/** The same with all ties broken, where the whole table is small enough: a filter may find few records, and still read them all. */
async function sortedWhole(
  database: Sessions,
  dialect: Dialect,
  plan: Read,
  signal: AbortSignal,
): Promise<Read | null> {
  const all: Read = { ...plan, where: { op: 'all', of: [] }, searches: [] };
  const estimate = await estimated(database, dialect, all, signal);
  if (estimate === 0 || estimate > mostSorted) return null;
  const { order, columns } = plan.table;
  // Without places a digest is all that differs: a client should see an order that looks like one.
  const first = columns.find(({ type }) => !order.hasPlaces && isComparable(type));
  const sort = first === undefined ? [] : [{ by: first, direction: 'asc', nulls: 'last' } as const];
  return { ...plan, sort: [...plan.sort, ...sort], breaksTies: true };
}

/** The planner's estimate of the total; 0 where it has none: MySQL explains a view only to users who may read the tables below it. */
export const estimated = (database: Sessions, dialect: Dialect, plan: Read, signal: AbortSignal): Promise<number> =>
  database
    .use(async (session) => dialect.estimated(await session.run(dialect.estimate(plan))), signal)
    .catch(() => {
      signal.throwIfAborted();
      return 0;
    });

/** The estimate, unless the page proves as many records. Then one more than it shows while it is full, so that its client goes on. */
function notCounted(estimate: number, { offset, limit }: Read, shown: number): Total {
  // A page behind the last record is empty, however far behind.
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

/** The records of a search for words, where the dialect finds them by its hits. */
async function pageOfHits(
  session: Session,
  dialect: Dialect,
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
  dialect: Dialect,
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
  // A driver that exposes no bytes gives cells.
  const kept = rows instanceof ShownRows && cells.length === 0 ? rows.kept : null;
  return {
    cells: isSame ? cells : cells.map((row) => shownCells(row, places)),
    cursor: kept === null ? cursorIn(cells, plan) : cursorKept(kept, plan),
    total: null,
    rankWasLimited: false,
  };
}

/** The same of the cells that follow the shown ones. */
const cursorKept = (kept: readonly (string | null)[], { withCursor, sort }: Read): Cursor | null =>
  withCursor && kept.length > 0 ? kept.slice(0, sort.length) : null;

/** The sort values of the last row; they follow the shown columns. */
export function cursorIn(cells: Answer['cells'], { withCursor, columns, sort }: Read): Cursor | null {
  const last = withCursor ? cells.at(-1) : undefined;
  const values = last?.slice(columns.length, columns.length + sort.length);
  return values?.map((cell) => (typeof cell === 'number' ? String(cell) : cell)) ?? null;
}

/**
 * The exact number of records; `overdue` where counting takes too long, by our clock or the server's.
 * @param deadline milliseconds; undefined: the `statementTimeout`
 */
export async function counted(
  session: Session,
  dialect: Dialect,
  plan: Read,
  deadline?: number,
): Promise<number | 'overdue'> {
  try {
    const { cells } = await session.run(dialect.count(plan), deadline === undefined ? {} : { deadline });
    // A count has no types of the columns it compared. If they were retyped meanwhile, it compared by an engine's cast.
    const compared = columnsOf(plan.where);
    if (compared.length > 0) await session.run(dialect.check(plan.table, compared));
    return Number(cells[0]?.[0] ?? 0);
  } catch (error) {
    if (isTimeout(error, dialect)) return 'overdue';
    throw error;
  }
}

/** By our clock, or by the server's. */
export const isTimeout = (error: unknown, dialect: Dialect): boolean =>
  error instanceof StatementTimeout || dialect.classifyError(error).kind === 'timeout';
