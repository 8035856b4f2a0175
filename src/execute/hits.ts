import type { Dialect, HitsOf } from '../model/dialect.ts';
import { byColumns, isByRank, mostRanked, type Read } from '../model/plan.ts';
import type { Answer, Statement } from '../model/rows.ts';
import type { Session } from './connection/call-sessions.ts';
import type { ShownRows } from './select-once.ts';

type Cells = Answer['cells'];

/** A page of a search for words. */
export interface HitsPage {
  readonly cells: Cells;
  /** How many records match; null where there may be more than the statement has looked at. */
  readonly matched: number | null;
  /** Whether the first hits only are ranked, and the others follow in the order of the key. */
  readonly isLimited: boolean;
}

/**
 * Runs a search for words by its hits: most words have few, and then any of them are all. A planner that expects many would walk
 * the order for minutes. And to rank all hits of a frequent word takes too long. Null where `search` has to
 * find the page.
 * @param writer of rows whose last cell is kept, as the number of hits; it takes them only where they are all
 */
export async function hitsPage(
  session: Session,
  dialect: Dialect,
  plan: Read,
  most: number,
  writer: (kept: number) => ShownRows | undefined,
): Promise<HitsPage | null> {
  if (plan.limit === 0) return null;
  const run = async (statement: Statement, maxBytes: number) => {
    const { cells } = await session.run(statement, { maxBytes });
    return { cells, looked: Number(cells[0]?.[statement.types?.length ?? 0] ?? 0) };
  };
  const hits = (read: Read, which: HitsOf, maxBytes = most) => {
    const statement = dialect.hits(read, which);
    return statement === null ? null : run(statement, maxBytes);
  };
  const any = dialect.hits(plan, 'any');
  if (any === null) {
    const first = isByRank(plan) ? null : await hits(plan, 'first');
    return first?.cells.length === plan.limit ? { cells: first.cells, matched: null, isLimited: false } : null;
  }
  if (plan.offset < mostRanked) {
    const kept = any.types?.length ?? 0;
    const into = writer(kept);
    const { cells } = await session.run(any, { maxBytes: most, into });
    const looked = Number(into?.kept[0] ?? cells[0]?.[kept] ?? 0);
    // A page without records may begin behind them.
    const matched = looked === 0 && plan.offset > 0 ? null : looked;
    if (looked <= mostRanked) return { cells, matched: plan.after === null ? matched : null, isLimited: false };
    into?.clear();
  }
  const inOrder = async (read: Read, maxBytes: number): Promise<Cells> => {
    const first = await hits(read, 'first', maxBytes);
    if (first?.cells.length === read.limit) return first.cells;
    return (await (hits(read, 'all', maxBytes) ?? run(dialect.search(read), maxBytes))).cells;
  };
  if (!isByRank(plan)) return { cells: await inOrder(plan, most), matched: null, isLimited: false };
  const ranked = async (read: Read): Promise<Cells> => {
    const first = await hits(read, 'first');
    if (first !== null && first.looked === mostRanked) return first.cells;
    return (await hits(read, 'all'))?.cells ?? first?.cells ?? [];
  };
  const { offset, limit } = plan;
  const begin = Math.max(offset, mostRanked);
  const before = offset < mostRanked ? await ranked({ ...plan, limit: Math.min(limit, mostRanked - offset) }) : [];
  if (offset + limit <= begin) return { cells: before, matched: null, isLimited: true };
  const after = { ...byColumns(plan), offset: begin, limit: offset + limit - begin };
  const rest = await inOrder(after, Math.max(0, most - bytesOf(before)));
  return { cells: [...before, ...rest], matched: null, isLimited: before.length + rest.length > 0 };
}

function bytesOf(cells: Cells): number {
  let bytes = 0;
  for (const row of cells)
    for (const cell of row) bytes += typeof cell === 'string' || cell instanceof Uint8Array ? cell.length : 8;
  return bytes;
}
