import type { ReadDialect } from '../../model/dialect/read.ts';
import { isRank, type Read } from '../../model/plan.ts';
import type { Guarded } from '../../model/row-filter.ts';
import type { DelimitedLines, Statement } from '../../model/rows.ts';
import type { Database } from '../connection/database.ts';
import { weigh } from '../connection/session.ts';
import { cursorIn } from '../read.ts';
import { copyRows } from './copy-rows.ts';
import { rewriteCsv } from './csv-rewrite.ts';
import type { Rows } from './streams.ts';

/** Some rows, either as cells or as bytes in the format of the download. */
export type Piece = Rows | Uint8Array;

/** Reads all rows of a plan with backpressure. Throws what `Streams` throws. */
export function dump(
  sessions: Pick<Database, 'streams' | 'use'>,
  dialect: ReadDialect,
  plan: Guarded<Read>,
  lineFormat: DelimitedLines | null,
  signal: AbortSignal,
): AsyncGenerator<Piece, void> {
  const { table } = plan;
  const { streams } = sessions;
  // An open SELECT would block the legacy application's writes to a MyISAM table, and a stream on an engine's only session would
  // block every other call. Read both page by page, if the order is total: otherwise a cursor could not find the next page.
  if (streams === null || !table.transactional) {
    const isTotal = table.order.isTotal && !plan.distinct && !plan.sort.some(({ by }) => isRank(by));
    const pages = isTotal ? paged(dialect, plan) : once(dialect.unlocked(plan));
    return streams?.pages(pages, signal) ?? readPages(sessions, pages, signal);
  }
  if (lineFormat !== null && streams.lines !== null)
    return streams.lines(dialect.search(plan), lineFormat.lines(), signal);
  if (streams.copy === null) return streams.rows(dialect.search(plan), signal);
  const check = dialect.check(table, table.columns);
  const copying = lineFormat === null ? null : dialect.copy(plan, lineFormat.delimiter);
  if (lineFormat !== null && copying !== null) {
    const bytes = streams.copy(check, copying.text, signal);
    const encoders = lineFormat.encoders.map((encoder, nth) => (copying.stored[nth] ? encoder : null));
    return rewriteCsv(bytes, lineFormat.delimiter, encoders);
  }
  const rows = dialect.copyRows(plan);
  return rows === null ? streams.rows(dialect.search(plan), signal) : copyRows(streams.copy(check, rows, signal));
}

/** A series of statements, each built from the previous one's rows. */
type Pages = Generator<Statement, void, Rows>;

/** Approximate bytes of a page. */
const targetPageBytes = 512 * 1024;

function* paged(dialect: ReadDialect, plan: Read): Pages {
  let rest: Read = { ...plan, withCursor: true };
  for (let size = 100; rest.limit > 0; ) {
    const limit = Math.min(size, rest.limit);
    const rows = yield dialect.search({ ...rest, limit });
    if (rows.length < limit) return;
    rest = { ...rest, after: cursorIn(rows, rest), offset: 0, limit: rest.limit - limit };
    const bytes = rows.reduce((sum, row) => sum + weigh(row), 0);
    size = Math.max(1, Math.min(10_000, Math.floor((rows.length * targetPageBytes) / bytes)));
  }
}

function* once(statement: Statement): Pages {
  yield statement;
}

/** Reads each page on a session of its own, so that no session is held while the client takes the rows. */
async function* readPages(
  sessions: Pick<Database, 'use'>,
  pages: Pages,
  signal: AbortSignal,
): AsyncGenerator<Rows, void> {
  for (let next = pages.next([]); !next.done; ) {
    const statement = next.value;
    const { cells } = await sessions.use((session) => session.run(statement));
    signal.throwIfAborted();
    yield cells;
    next = pages.next(cells);
  }
}
