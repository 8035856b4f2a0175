/** Counts records by value and by range; the part that is the same on every engine. */
import {
  type Aggregate,
  type ByRange,
  type ByValue,
  columnsOf,
  type Edge,
  maxGroupCharacters,
  type Read,
  type Sample,
  type Search,
  type Where,
} from '../model/plan.ts';
import type { Column, Table } from '../model/table.ts';
import { type Expression, id, type Knex, type Operand, of, raw } from './knex.ts';
import { page, select, where, withoutRepeats } from './sql.ts';

/** The engine-specific parts. In the SQL that they return `??` is the column. */
export interface Counting {
  readonly knex: Knex;
  from(table: Table): string;
  conditions(filter: Where, searches: readonly Search[], table: Table): readonly Expression[];
  /** SQL that is equal for two values if a filter for one finds the other. */
  grouped(column: Column): string;
  /** SQL that selects the column in the form its encoder reads. */
  output(column: Column): string;
  /** ORDER BY for the values of groups: `e` is the group, `v` a value in it. */
  order(column: Column): readonly string[];
  /** Whether a group may select a plain column: it gets the value of any one of its records. If not, it selects the GROUP BY expression. */
  readonly showsAny: boolean;
  /** Whether the engine has window functions. */
  readonly hasWindows: boolean;
}

/** An output with a name. */
export const aliased = (operand: Operand, name: string): Expression => raw(`?? AS ${name}`, [operand]);

/** Implements `GroupDialect.countValues`: the values of a column, each with its number of records. */
export function countValues(engine: Counting, plan: Aggregate<ByValue>, sample: Sample | null): Knex.QueryBuilder {
  const { knex } = engine;
  const { column, by } = plan;
  const isLong = mayBeLong(column);
  const short = (sql: string) => (isLong ? `CASE WHEN CHAR_LENGTH(??) <= ${maxGroupCharacters} THEN ${sql} END` : sql);
  const group = of(column, short(engine.grouped(column)));
  const outputs = [
    aliased(group, 'e'),
    ...(isLong
      ? [aliased(of(column, `CASE WHEN CHAR_LENGTH(??) > ${maxGroupCharacters} THEN 1 ELSE 0 END`), 'l')]
      : []),
    ...(engine.showsAny ? [aliased(of(column, short('??')), 'v')] : []),
    raw('COUNT(*) AS n'),
  ];
  const groups = select(knex, source(engine, plan.records, [column], sample), outputs).groupByRaw(
    isLong ? '1, 2' : '1',
  );
  const value = { ...column, name: engine.showsAny ? 'v' : 'e' };
  const shown = [
    of(value, engine.showsAny ? engine.output(value) : '??'),
    raw(isLong ? 'CASE WHEN l = 1 THEN 2 WHEN e IS NULL THEN 1 ELSE 0 END' : 'CASE WHEN e IS NULL THEN 1 ELSE 0 END'),
    raw('n'),
    raw(engine.hasWindows ? 'COUNT(e) OVER ()' : 'c'),
    raw(engine.hasWindows ? 'SUM(n) OVER ()' : 't'),
  ];
  const rows = knex.from(groups.as('g'));
  if (!engine.hasWindows) {
    const sums = [raw('COUNT(*) AS t'), raw('COUNT(DISTINCT ??) AS c', [group])];
    rows.crossJoin(knex.raw('? as s', [select(knex, source(engine, plan.records, [column], sample), sums)]));
  }
  const order = ['2 DESC', ...(by.sort === 'count' ? ['3 DESC'] : []), ...engine.order(column)];
  return page(select(knex, rows, shown).orderByRaw(order.join(', ')), by.limit + 2);
}

/** Implements `GroupDialect.extent`: the least and the greatest value. */
export function extent(engine: Counting, plan: Aggregate<ByRange>, sample: Sample | null): Knex.QueryBuilder {
  const { knex } = engine;
  const { column, by } = plan;
  const rows = where(knex, source(engine, plan.records, [column], sample), [condition(engine, plan, by.finite)]);
  const outputs = ['MIN', 'MAX'].map((name) => of(column, engine.output(column).replaceAll('??', `${name}(??)`)));
  return select(knex, rows, outputs);
}

/** Implements `GroupDialect.countRanges`: the number of records between each two edges. */
export function countRanges(
  engine: Counting,
  plan: Aggregate<ByRange>,
  edges: readonly Edge[],
  sample: Sample | null,
): Knex.QueryBuilder {
  const { knex } = engine;
  const { column } = plan;
  const isNull = condition(engine, plan, { op: 'null', column });
  const below = edges.map((edge) => condition(engine, plan, edge.below));
  const range = raw('CASE WHEN ? THEN NULL ELSE ? END', [isNull, rangeOf(below, 0)]);
  return select(knex, source(engine, plan.records, [column], sample), [
    aliased(range, 'e'),
    raw('COUNT(*) AS n'),
  ]).groupByRaw('1');
}

/**
 * SQL for the number of a record's range: `less`, plus how many edges in `below` its value has reached. Nested CASEs make it a binary
 * search: with a thousand edges, a record is compared with only ten.
 */
function rangeOf(below: readonly Expression[], less: number): Expression {
  const middle = below.length >> 1;
  const edge = below[middle];
  if (edge === undefined) return raw(String(less));
  const [low, high] = [rangeOf(below.slice(0, middle), less), rangeOf(below.slice(middle + 1), less + middle + 1)];
  return raw('CASE WHEN ? THEN ? ELSE ? END', [edge, low, high]);
}

/**
 * The records to count: all that match, or a sample.
 * @param columns all columns that the count needs
 * @param as the table's alias in the statement; null to use its own name
 */
export function source(
  { knex, from, conditions }: Counting,
  { table, where: filter, searches }: Pick<Read, 'table' | 'where' | 'searches'>,
  columns: readonly Column[],
  sample: Sample | null,
  as: string | null = null,
): Knex.QueryBuilder {
  const rows = knex.from(as === null ? from(table) : `${from(table)} as ${as}`);
  const matches = conditions(filter, searches, table);
  if (sample === null) return where(knex, rows, matches);
  const first = (query: Knex.QueryBuilder, selected: readonly Column[]) =>
    knex.from(page(select(knex, query, selected.map(id)), sample.records).as('s'));
  if (sample.of === 'matching') return first(where(knex, rows, matches), withoutRepeats(columns));
  const searched = searches.flatMap((one) => (one.column === null ? table.search.columns : [one.column]));
  return where(knex, first(rows, withoutRepeats([...columns, ...columnsOf(filter), ...searched])), matches);
}

/** Compiles a filter to a single condition. */
const condition = (engine: Counting, { table }: Aggregate, filter: Where): Expression =>
  engine.conditions(filter, [], table)[0] ?? raw('TRUE');

const mayBeLong = ({ type }: Column): boolean =>
  type.kind === 'text' && (type.length === null || type.length > maxGroupCharacters);
