import type { Dialect } from '../../model/dialect.ts';
import { isRank, type Read } from '../../model/plan.ts';
import type { DelimitedLines, Statement } from '../../model/rows.ts';
import type { Database } from '../connection/database.ts';
import { weigh } from '../connection/session.ts';
import { cursorIn } from '../read.ts';
import { copyRows } from './copy-rows.ts';
import { rewriteCsv } from './csv-rewrite.ts';
import type { Rows } from './streams.ts';

/** Some rows; or bytes of rows in the form that the encoders would write. */
export type Piece = Rows | Uint8Array;

/** Reads all rows of a plan with backpressure. Throws what `Streams` throws. */
export function dump(
  { streams, use }: Pick<Database, 'streams' | 'use'>,
  dialect: Dialect,
  plan: Read,
  wanted: DelimitedLines | null,
  signal: AbortSignal,
): AsyncGenerator<Piece, void> {
  const { table } = plan;
  // An open SELECT would block the legacy application's writes to a table without transactions. A stream on an engine's only
  // session would block every other call. Both are read page by page, if their order is total and each record has a cursor.
  if (streams === null || !table.transactional) {
    const isTotal = table.order.isTotal && !plan.distinct && !plan.sort.some(({ by }) => isRank(by));
    const pages = isTotal ? paged(dialect, plan) : once(dialect.unlocked(plan));
    return streams?.pages(pages, signal) ?? between(use, pages, signal);
  }
  if (wanted !== null && streams.lines !== null) return streams.lines(dialect.search(plan), wanted.lines(), signal);
  if (streams.copy === null) return streams.rows(dialect.search(plan), signal);
  const check = dialect.check(table, table.columns);
  const copying = wanted === null ? null : dialect.copy(plan, wanted.delimiter);
  if (wanted !== null && copying !== null) {
    const bytes = streams.copy(check, copying.text, signal);
    const encoders = wanted.encoders.map((encoder, nth) => (copying.stored[nth] ? encoder : null));
    return rewriteCsv(bytes, wanted.delimiter, encoders);
  }
  const rows = dialect.copyRows(plan);
  return rows === null ? streams.rows(dialect.search(plan), signal) : copyRows(streams.copy(check, rows, signal));
}

/** Statements, each made from the rows of the one before. */
type Pages = Generator<Statement, void, Rows>;

/** Approximate bytes of a page. */
const aim = 512 * 1024;

function* paged(dialect: Dialect, plan: Read): Pages {
  let rest: Read = { ...plan, withCursor: true };
  for (let size = 100; rest.limit > 0; ) {
    const limit = Math.min(size, rest.limit);
    const rows = yield dialect.search({ ...rest, limit });
    if (rows.length < limit) return;
    rest = { ...rest, after: cursorIn(rows, rest), offset: 0, limit: rest.limit - limit };
    const bytes = rows.reduce((sum, row) => sum + weigh(row), 0);
    size = Math.max(1, Math.min(10_000, Math.floor((rows.length * aim) / bytes)));
  }
}

function* once(statement: Statement): Pages {
  yield statement;
}

/** Releases the session after each page. */
async function* between(use: Database['use'], pages: Pages, signal: AbortSignal): AsyncGenerator<Rows, void> {
  for (let next = pages.next([]); !next.done; ) {
    const statement = next.value;
    const { cells } = await use((session) => session.run(statement));
    signal.throwIfAborted();
    yield cells;
    next = pages.next(cells);
  }
}
