import type { Counts } from '../model/counts.ts';
import type { GroupDialect } from '../model/dialect/group.ts';
import type { ReadDialect } from '../model/dialect/read.ts';
import type { SessionDialect } from '../model/dialect/session.ts';
import { type Aggregate, type ByRange, type ByValue, columnsOf, type Sample } from '../model/plan.ts';
import type { Answer } from '../model/rows.ts';
import { convert } from '../values/convert.ts';
import { ask } from './ask.ts';
import type { Session, Sessions } from './connection/call-sessions.ts';
import { SchemaChanged, StatementTimeout } from './connection/session.ts';
import { estimateTotal, isTimeout } from './read.ts';

/** Counting in groups also needs the planner's estimate and the check of the compared columns, which are part of the `ReadDialect`. */
type GroupingDialect = GroupDialect & ReadDialect & SessionDialect;

export interface AggregateBounds {
  /** Timeout of one attempt in milliseconds. */
  readonly budget: number;
  readonly responseBytes: number;
  /** Aborted when no client waits for the answer any more; its reason is thrown then. */
  readonly signal: AbortSignal;
}

/** An aggregate makes up to three attempts, each within the budget: all records, the first matches, the first of the table. */
export const maxAttempts = 3;

const sampleSize = 100_000;
/** If a column has more distinct values, we only count a sample: MariaDB takes 23 s to group a million values. */
const manyValues = 10_000;

/**
 * Counts records in groups: all matching records if the budget allows, else only the first matches. If that times out, too, it counts the
 * matches among the first records of the table, which takes the same time for any filter. Throws `StatementTimeout` as the last resort.
 * @param isSlow whether counting all records timed out recently: then only samples are counted
 * @returns `tookTooLong`: whether counting all records was tried, and timed out
 */
export async function aggregate(
  database: Sessions,
  dialect: GroupingDialect,
  plan: Aggregate,
  bounds: AggregateBounds,
  isSlow: boolean,
): Promise<{ readonly counts: Counts; readonly tookTooLong: boolean }> {
  const attempt = (sample: Sample | null) =>
    database.use((session) => countInTime(session, dialect, plan, sample, bounds), bounds.signal);
  const isLarge = isSlow || (await isTooLarge(database, dialect, plan, bounds.signal));
  const all = isLarge ? null : await attempt(null);
  if (all !== null) return { counts: all, tookTooLong: false };
  const tookTooLong = !isLarge;
  const ofMatching = await attempt({ of: 'matching', records: sampleSize });
  if (ofMatching !== null)
    return { counts: ofMatching.total < sampleSize ? { ...ofMatching, sample: null } : ofMatching, tookTooLong };
  // A sample is a subquery, and MySQL's MATCH works only on a table.
  const ofTable = plan.records.searches.some(({ by }) => by === 'native')
    ? null
    : await attempt({ of: 'table', records: sampleSize });
  if (ofTable !== null) return { counts: ofTable, tookTooLong };
  throw new StatementTimeout(`counting in groups took longer than ${bounds.budget} ms`, bounds.budget);
}

/** Whether the planner expects more records than a sample has, with more distinct values than the server can group in time. */
async function isTooLarge(
  database: Sessions,
  dialect: GroupDialect & ReadDialect,
  { by, table, column, records }: Aggregate,
  signal: AbortSignal,
) {
  if (by.is === 'range' || (await estimateTotal(database, dialect, records, signal)) <= sampleSize) return false;
  const values = await database.use((session) => ask(session, dialect.estimateValues(table, column)), signal);
  return values !== null && values > manyValues;
}

/** Counts within the budget; null if a statement timed out, by our clock or the server's. */
async function countInTime(
  session: Session,
  dialect: GroupingDialect,
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
        ? valueGroups(await run(dialect.countValues({ ...plan, by }, sample)), dialect, { ...plan, by })
        : await countInRanges(run, dialect, { ...plan, by }, sample);
    // A result has no types of filtered columns, so check them: if one was retyped since we read the catalogue, the engine has compared
    // with a cast.
    await session.run(dialect.check(table, [column, ...columnsOf(records.where)]));
    return { ...counts, sample };
  } catch (error) {
    if (isTimeout(error, dialect)) return null;
    throw error;
  }
}

type Groups = Omit<Counts, 'sample'>;

/** Reads the rows that `countValues` selects. */
function valueGroups({ cells }: Answer, dialect: ReadDialect, { column, by }: Aggregate<ByValue>): Groups {
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
async function countInRanges(
  run: (statement: Parameters<Session['run']>[0]) => Promise<Answer>,
  dialect: GroupDialect & ReadDialect,
  plan: Aggregate<ByRange>,
  sample: Sample | null,
): Promise<Groups> {
  const { plain } = dialect.encoder(plan.column);
  const { cells } = await run(dialect.extent(plan, sample));
  const [least, greatest] = (cells[0] ?? []).map(plain);
  const isEmpty = least === undefined || least === null || greatest === undefined || greatest === null;
  const { type } = plan.column;
  // The column was widened after we read the catalogue: edges beyond the old type's range would be cut off.
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
