import type { HitsOf, ReadDialect } from '../model/dialect/read.ts';
import { byColumns, isByRank, maxRankedHits, type Read } from '../model/plan.ts';
import type { Answer, Statement } from '../model/rows.ts';
import type { Session } from './connection/call-sessions.ts';
import type { ShownRows } from './select-once.ts';

type Cells = Answer['cells'];

/** A page of a full-text search. */
export interface HitsPage {
  readonly cells: Cells;
  /** How many records match; null if the statement stopped before it had found all of them. */
  readonly matched: number | null;
  /** Whether only the first hits are sorted by rank, while the rest follow in key order. */
  readonly isLimited: boolean;
}

/**
 * Finds a page of a full-text search, at first among a limited number of hits, which is enough for most words. A planner that expects many
 * hits may scan the sort order for minutes, and ranking all hits of a frequent word takes too long.
 * Returns null if the page needs `dialect.search`.
 * @param writer creates the writer of the rows, which keeps each row's last cell: the number of hits
 */
export async function hitsPage(
  session: Session,
  dialect: ReadDialect,
  plan: Read,
  responseBytes: number,
  writer: (kept: number) => ShownRows | undefined,
): Promise<HitsPage | null> {
  if (plan.limit === 0) return null;
  const run = async (statement: Statement, maxBytes: number) => {
    const { cells } = await session.run(statement, { maxBytes });
    return { cells, hitCount: Number(cells[0]?.[statement.types?.length ?? 0] ?? 0) };
  };
  const hits = (read: Read, which: HitsOf, maxBytes = responseBytes) => {
    const statement = dialect.hits(read, which);
    return statement === null ? null : run(statement, maxBytes);
  };
  const any = dialect.hits(plan, 'any');
  if (any === null) {
    const first = isByRank(plan) ? null : await hits(plan, 'first');
    return first?.cells.length === plan.limit ? { cells: first.cells, matched: null, isLimited: false } : null;
  }
  if (plan.offset < maxRankedHits) {
    const kept = any.types?.length ?? 0;
    const into = writer(kept);
    const { cells } = await session.run(any, { maxBytes: responseBytes, into });
    const hitCount = Number(into?.kept[0] ?? cells[0]?.[kept] ?? 0);
    // Every row carries the number of hits. An empty page has no row; its offset may be beyond the last hit, so the number is unknown.
    const matched = hitCount === 0 && plan.offset > 0 ? null : hitCount;
    if (hitCount <= maxRankedHits) return { cells, matched: plan.after === null ? matched : null, isLimited: false };
    into?.clear();
  }
  const inOrder = async (read: Read, maxBytes: number): Promise<Cells> => {
    const first = await hits(read, 'first', maxBytes);
    if (first?.cells.length === read.limit) return first.cells;
    return (await (hits(read, 'all', maxBytes) ?? run(dialect.search(read), maxBytes))).cells;
  };
  if (!isByRank(plan)) return { cells: await inOrder(plan, responseBytes), matched: null, isLimited: false };
  const ranked = async (read: Read): Promise<Cells> => {
    const first = await hits(read, 'first');
    if (first !== null && first.hitCount === maxRankedHits) return first.cells;
    return (await hits(read, 'all'))?.cells ?? first?.cells ?? [];
  };
  const { offset, limit } = plan;
  const begin = Math.max(offset, maxRankedHits);
  const before =
    offset < maxRankedHits ? await ranked({ ...plan, limit: Math.min(limit, maxRankedHits - offset) }) : [];
  if (offset + limit <= begin) return { cells: before, matched: null, isLimited: true };
  const after = { ...byColumns(plan), offset: begin, limit: offset + limit - begin };
  const rest = await inOrder(after, Math.max(0, responseBytes - bytesOf(before)));
  return { cells: [...before, ...rest], matched: null, isLimited: before.length + rest.length > 0 };
}

function bytesOf(cells: Cells): number {
  let bytes = 0;
  for (const row of cells)
    for (const cell of row) bytes += typeof cell === 'string' || cell instanceof Uint8Array ? cell.length : 8;
  return bytes;
}
