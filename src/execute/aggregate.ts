import type { Counts } from '../model/counts.ts';
import type { Dialect } from '../model/dialect.ts';
import { type Aggregate, type ByRange, type ByValue, columnsOf, type Sample } from '../model/plan.ts';
import type { Answer } from '../model/rows.ts';
import { convert } from '../values/convert.ts';
import type { Session, Sessions } from './connection/call-sessions.ts';
import { SchemaChanged, StatementTimeout } from './connection/session.ts';
import { estimated, isTimeout } from './read.ts';

export interface AggregateBounds {
  /** Timeout of one attempt in milliseconds. */
  readonly budget: number;
  readonly responseBytes: number;
  /** Aborted when no client waits any more: its reason is thrown then. */
  readonly signal: AbortSignal;
}

/** So many times the budget may be taken. */
export const mostAttempts = 3;

const sampled = 100_000;
/** A column with more values than this is counted in a sample at once: MariaDB takes 23 s for a million of them. */
const manyValues = 10_000;

/**
 * Counts records in groups: all that match, within the budget; else the first of them. Else those among the first of the table,
 * which take the same time with any filter. Throws `StatementTimeout` where even that takes too long.
 * @param isSlow whether counting all records took too long before: it is not tried again
 * @returns `tookTooLong`: whether counting all records was tried, and took too long
 */
export async function aggregate(
  database: Sessions,
  dialect: Dialect,
  plan: Aggregate,
  bounds: AggregateBounds,
  isSlow: boolean,
): Promise<{ readonly counts: Counts; readonly tookTooLong: boolean }> {
  const attempt = (sample: Sample | null) =>
    database.use((session) => attempted(session, dialect, plan, sample, bounds), bounds.signal);
  const isLarge = isSlow || (await isTooLarge(database, dialect, plan, bounds.signal));
  const all = isLarge ? null : await attempt(null);
  if (all !== null) return { counts: all, tookTooLong: false };
  const tookTooLong = !isLarge;
  const first = await attempt({ of: 'matching', records: sampled });
  if (first !== null) return { counts: first.total < sampled ? { ...first, sample: null } : first, tookTooLong };
  // The full text of MySQL finds words in the table only.
  const found = plan.records.searches.some(({ by }) => by === 'native')
    ? null
    : await attempt({ of: 'table', records: sampled });
  if (found !== null) return { counts: found, tookTooLong };
  throw new StatementTimeout(`counting in groups took longer than ${bounds.budget} ms`, bounds.budget);
}

/** Whether the planner expects more records than a sample has, of more values than can be counted in time. */
async function isTooLarge(
  database: Sessions,
  dialect: Dialect,
  { by, table, column, records }: Aggregate,
  signal: AbortSignal,
) {
  if (by.is === 'range' || (await estimated(database, dialect, records, signal)) <= sampled) return false;
  const estimate = dialect.estimateValues(table, column);
  const values = await database.use(async (session) => dialect.estimatedValues(await session.run(estimate)), signal);
  return values !== null && values > manyValues;
}

/** Null where it takes too long, by our clock or the server's. */
async function attempted(
  session: Session,
  dialect: Dialect,
  plan: Aggregate,
  sample: Sample | null,
  { budget, responseBytes }: AggregateBounds,
): Promise<Counts | null> {
  const began = performance.now();
  const run = (statement: Parameters<Session['run']>[0]) =>
    session.run(statement, { deadline: began + budget - performance.now(), maxBytes: responseBytes });
  const { table, column, records, by } = plan;
  try {
    const counts =
      by.is === 'value'
        ? counted(await run(dialect.countValues({ ...plan, by }, sample)), dialect, { ...plan, by })
        : await inRanges(run, dialect, { ...plan, by }, sample);
    // Groups have no types of the columns they compared: if one was retyped meanwhile, the engine compared by its cast.
    await session.run(dialect.check(table, [column, ...columnsOf(records.where)]));
    return { ...counts, sample };
  } catch (error) {
    if (isTimeout(error, dialect)) return null;
    throw error;
  }
}

type Groups = Omit<Counts, 'sample'>;

/** The rows of `countValues`. */
function counted({ cells }: Answer, dialect: Dialect, { column, by }: Aggregate<ByValue>): Groups {
  const encoder = dialect.encoder(column);
  const rows = cells.map(([value = null, kind, count]) => ({ value, kind: Number(kind), count: Number(count) }));
  const [, , , all, total] = cells[0] ?? [];
  const values = rows.filter(({ kind }) => kind === 0).slice(0, by.limit);
  return {
    groups: {
      is: 'value',
      of: values.map(({ value, count }) => ({ json: encoder.json(value), count })),
      values: Number(all ?? 0),
    },
    nulls: rows.find(({ kind }) => kind === 1)?.count ?? 0,
    total: Number(total ?? 0),
  };
}

/** Finds the edges between the ranges, and counts the records between them. */
async function inRanges(
  run: (statement: Parameters<Session['run']>[0]) => Promise<Answer>,
  dialect: Dialect,
  plan: Aggregate<ByRange>,
  sample: Sample | null,
): Promise<Groups> {
  const { plain } = dialect.encoder(plan.column);
  const { cells } = await run(dialect.extent(plan, sample));
  const [least, greatest] = (cells[0] ?? []).map(plain);
  const isEmpty = least === undefined || least === null || greatest === undefined || greatest === null;
  const { type } = plan.column;
  // Edges between numbers that the column could not hold when it was read would lie at the end of its range.
  const isExact = type.kind === 'int' || type.kind === 'decimal';
  if (!isEmpty && isExact && [least, greatest].some((value) => convert(value, type).is !== 'value'))
    throw new SchemaChanged('the column holds other numbers than the catalogue says');
  const edges = isEmpty ? [] : plan.by.edges(least, greatest);
  const rows = (await run(dialect.countRanges(plan, edges, sample))).cells;
  const counts = new Map(rows.map(([range = null, count]) => [range === null ? null : Number(range), Number(count)]));
  return {
    groups: { is: 'range', edges, counts: edges.slice(1).map((_, nth) => counts.get(nth + 1) ?? 0) },
    nulls: counts.get(null) ?? 0,
    total: [...counts.values()].reduce((sum, count) => sum + count, 0),
  };
}
