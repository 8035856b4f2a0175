import { type Answer, type Column, columnsOf, type Read, type Statement, type Table } from '../plan.ts';
import type { Database, Session } from './database.ts';
import { Overdue } from './session.ts';

/** The statements a search needs, made by the dialect. */
export interface Reader {
  search(read: Read): Statement;
  count(read: Read): Statement;
  estimate(read: Read): Statement;
  estimated(answer: Answer): number;
  check(table: Table, columns: readonly Column[]): Statement;
}
export interface ReadBounds {
  /** Milliseconds for an exact total. */
  readonly totalBudget: number;
  readonly responseBytes: number;
}
export interface Found {
  readonly cells: Answer['cells'];
  readonly total: { readonly count: number; readonly estimated: boolean } | null;
}

/**
 * Runs a search. Throws `TooLarge` when the page exceeds `responseBytes`, else what the driver throws; a total that takes
 * too long is estimated and never fails the search.
 */
export function read(database: Database, reader: Reader, plan: Read, bounds: ReadBounds): Promise<Found> {
  return database.use(async (session) => {
    const cells =
      plan.limit === 0 ? [] : (await session.run(reader.search(plan), { maxBytes: bounds.responseBytes })).cells;
    if (!plan.total) return { cells, total: null };
    // A page that is not full ends the records, and so tells their number.
    const isLast = cells.length < plan.limit && (cells.length > 0 || plan.offset === 0);
    return {
      cells,
      total: isLast
        ? { count: plan.offset + cells.length, estimated: false }
        : await total(database, session, reader, plan, bounds),
    };
  });
}

async function total(
  database: Database,
  session: Session,
  reader: Reader,
  plan: Read,
  bounds: ReadBounds,
): Promise<Found['total']> {
  try {
    const { cells } = await session.run(reader.count(plan), { deadline: bounds.totalBudget });
    // A count tells nothing of the columns it compared: were they retyped meanwhile, it counted by an engine's cast.
    const compared = columnsOf(plan.where);
    if (compared.length > 0) await session.run(reader.check(plan.table, compared));
    return { count: Number(cells[0]?.[0] ?? 0), estimated: false };
  } catch (error) {
    if (!(error instanceof Overdue)) throw error;
    // The session of the overdue count is gone.
    const answer = await database.use((fresh) => fresh.run(reader.estimate(plan)));
    return { count: reader.estimated(answer), estimated: true };
  }
}
