import type { Counts } from '../model/counts.ts';
import type { GroupDialect } from '../model/dialect/group.ts';
import type { ReadDialect } from '../model/dialect/read.ts';
import type { SessionDialect } from '../model/dialect/session.ts';
import { type Aggregate, type ByRange, type ByValue, columnsOf, type Sample } from '../model/plan.ts';
import type { Guarded } from '../model/row-filter.ts';
import type { Answer } from '../model/rows.ts';
import { convert } from '../values/convert.ts';
import { ask } from './ask.ts';
import type { Sessions } from './connection/call-sessions.ts';
import { SchemaChanged } from './connection/session.ts';
import { estimateTotal } from './read.ts';
import { type AggregateBounds, type Budgeted, type Run, sampleSize, withinBudget } from './within-budget.ts';

/** Besides its own statements, counting in groups needs the planner's estimate and the check of column types from the `ReadDialect`. */
type GroupingDialect = GroupDialect & ReadDialect & SessionDialect;

/** If a column has more distinct values, we only count a sample: MariaDB takes 23 s to group a million values. */
const manyValues = 10_000;

/**
 * Counts records in groups, all of them or a sample.
 * @param isSlow whether counting all records timed out recently: then only samples are counted
 */
export async function aggregate(
  database: Sessions,
  dialect: GroupingDialect,
  plan: Guarded<Aggregate>,
  bounds: AggregateBounds,
  isSlow: boolean,
): Promise<Budgeted<Counts>> {
  const { table, column, records, by, rows } = plan;
  const isLarge = isSlow || (await isTooLarge(database, dialect, plan, bounds.signal));
  const columns = [column, ...columnsOf(records.where)];
  const counting = { reads: [{ table, columns }], searches: records.searches, rows, isLarge, canSample: true };
  return withinBudget(database, dialect, counting, bounds, async (run, sample) => ({
    ...(by.is === 'value'
      ? valueGroups(await run(dialect.countValues({ ...plan, by }, sample)), dialect, { ...plan, by })
      : await countInRanges(run, dialect, { ...plan, by }, sample)),
    sample,
  }));
}

/** Whether to count a sample: the planner expects more records than that, and more distinct values than the server groups in time. */
async function isTooLarge(
  database: Sessions,
  dialect: GroupDialect & ReadDialect,
  { by, table, column, records, rows }: Guarded<Aggregate>,
  signal: AbortSignal,
) {
  // The estimates cover all rows, and must not tell a caller about rows that the row filter hides.
  if (rows.where !== null) return false;
  if (by.is === 'range' || (await estimateTotal(database, dialect, records, signal)) <= sampleSize) return false;
  const values = await database.use((session) => ask(session, dialect.estimateValues(table, column)), signal);
  return values !== null && values > manyValues;
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
  run: Run,
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
