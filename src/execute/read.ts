import type { Dialect } from '../model/dialect.ts';
import { type Cursor, columnsOf, type Read } from '../model/plan.ts';
import type { Answer, JsonRowWriter } from '../model/rows.ts';
import type { Session, Sessions } from './connection/call-sessions.ts';
import { StatementTimeout } from './connection/session.ts';

export interface ReadBounds {
  /** Milliseconds for an exact total. */
  readonly totalBudget: number;
  readonly responseBytes: number;
  /** Aborted when no client waits any more: its reason is thrown then. */
  readonly gone: AbortSignal;
}
export interface ReadResult {
  /** Empty where the rows went into the `JsonRowWriter`. */
  readonly cells: Answer['cells'];
  /** The cursor after the last record; null where it was not requested, or there is no record. */
  readonly cursor: Cursor | null;
  readonly total: { readonly count: number; readonly estimated: boolean } | null;
}

/** The total of a search as far as it is known. */
export interface KnownTotal {
  /** Null: it has to be counted, or estimated. */
  readonly total: ReadResult['total'];
  /** Whether counting it took too long before: it is estimated at once. */
  readonly isSlow: boolean;
  learn(count: number): void;
  /** Called with an estimate, because counting takes too long. */
  guess(count: number): void;
}

/**
 * Runs a search. Throws `TooLarge` when the page exceeds `responseBytes`, else the driver's error. A total that takes too long
 * is estimated and never fails the search.
 * @param into takes the records where the driver exposes the bytes it receives
 */
export async function read(
  database: Sessions,
  dialect: Dialect,
  plan: Read,
  bounds: ReadBounds,
  known: KnownTotal,
  into?: JsonRowWriter,
): Promise<ReadResult> {
  const found = await database.use(async (session) => {
    const cells =
      plan.limit === 0 ? [] : (await session.run(dialect.search(plan), { maxBytes: bounds.responseBytes, into })).cells;
    const shown = cells.length + (into?.count ?? 0);
    if (!plan.total) return { cells, shown, total: null };
    // A page that is not full is the last one. So its size gives the total, unless it began at a cursor.
    const isLast = plan.after === null && shown < plan.limit && (shown > 0 || plan.offset === 0);
    if (!isLast && known.total !== null) return { cells, shown, total: known.total };
    const { totalBudget } = bounds;
    const count = isLast
      ? plan.offset + shown
      : known.isSlow
        ? null
        : await counted(session, dialect, plan, totalBudget);
    if (count !== null) known.learn(count);
    return { cells, shown, total: count === null ? ('overdue' as const) : { count, estimated: false } };
  }, bounds.gone);
  const cursor = cursorIn(found.cells, plan);
  const atLeast = plan.offset + found.shown;
  if (found.total !== 'overdue') {
    const { total } = found;
    const isTooLow = total?.estimated === true && total.count < atLeast;
    return { cells: found.cells, cursor, total: isTooLow ? { count: atLeast, estimated: true } : total };
  }
  // The session of the timed-out count has been discarded and released: it may have been the last one.
  const count = await database
    .use(async (session) => dialect.estimated(await session.run(dialect.estimate(plan))), bounds.gone)
    .catch(() => atLeast);
  known.guess(Math.max(count, atLeast));
  return { cells: found.cells, cursor, total: { count: Math.max(count, atLeast), estimated: true } };
}

/** The sort values of the last row; they follow the shown columns. */
export function cursorIn(cells: Answer['cells'], { withCursor, columns, sort }: Read): Cursor | null {
  const last = withCursor ? cells.at(-1) : undefined;
  const values = last?.slice(columns.length, columns.length + sort.length);
  return values?.map((cell) => (typeof cell === 'number' ? String(cell) : cell)) ?? null;
}

/**
 * The exact number of records; null where it takes too long, by our clock or the server's.
 * @param deadline milliseconds; undefined: the `statementTimeout`
 */
export async function counted(
  session: Session,
  dialect: Dialect,
  plan: Read,
  deadline?: number,
): Promise<number | null> {
  try {
    const { cells } = await session.run(dialect.count(plan), deadline === undefined ? {} : { deadline });
    // A count has no types of the columns it compared. If they were retyped meanwhile, it compared by an engine's cast.
    const compared = columnsOf(plan.where);
    if (compared.length > 0) await session.run(dialect.check(plan.table, compared));
    return Number(cells[0]?.[0] ?? 0);
  } catch (error) {
    if (error instanceof StatementTimeout || dialect.classifyError(error).kind === 'timeout') return null;
    throw error;
  }
}
