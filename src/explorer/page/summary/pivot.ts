/** Arranges the groups of two columns as a table of rows and columns. Pure. */
import { type Condition, conditionsOf } from '../ask/conditions.ts';
import { count, type Json, type JsonObject, list, object, textOf } from '../ask/json.ts';
import { type Comparison, type Fn, paramsOf, type Side } from './comparison.ts';
import { compareTexts, sumOf } from './decimals.ts';

/** A row or a column of the table. */
export interface Line {
  /** The value, or a step's first value; null for records without a value. */
  readonly text: string | null;
  /** The conditions that find the line's records. */
  readonly conditions: readonly Condition[];
  /** The measure over the line's groups together; null if it does not follow from the groups' values. */
  readonly total: string | null;
}

export interface Cell {
  readonly text: string | null;
  readonly conditions: readonly Condition[];
}

export interface Pivot {
  readonly rows: readonly Line[];
  readonly columns: readonly Line[];
  /** The cells by row, then by column; null if a cell has no records. */
  readonly cells: readonly (readonly (Cell | null)[])[];
  readonly total: string | null;
  /** The number of records in the cells, and in total. */
  readonly shown: number;
  readonly all: number;
  /** The number of records that were read, if the gateway read only a sample. */
  readonly sampled: number | null;
}

const maxGroups = 1000;
const maxRows = 40;
const maxColumns = 12;

/** The parameters of the call; the search's parameters are added to them. */
export function pivotParams(comparison: Comparison): JsonObject {
  const { groups, measures } = paramsOf(comparison);
  return {
    groups: groups.map((group, at) => ({
      ...(typeof group === 'string' ? { field: group } : object(group)),
      as: names[at] ?? '',
    })),
    measures: { records: 'count', ...measures },
    include_filters: true,
    sort: 'records desc',
    limit: maxGroups,
  };
}

const names = ['row', 'column'] as const;

interface Group {
  readonly row: string | null;
  readonly column: string | null;
  readonly value: string | null;
  readonly records: number;
  readonly filters: JsonObject;
}

/** A response as a table. It has the rows and columns with the most records. */
export function pivotOf(result: JsonObject, { rows, columns, measure }: Comparison): Pivot {
  const groups = list(result.records).map(groupIn);
  const rowTexts = largest(groups, 'row', rows, maxRows);
  const columnTexts = largest(groups, 'column', columns, maxColumns);
  const inside = groups.filter(({ row, column }) => rowTexts.includes(row) && columnTexts.includes(column));
  const byPlace = new Map(inside.map((group) => [placeOf(group.row, group.column), group]));
  const [shown, all] = [recordsIn(inside), count(result.counted)];
  const isWhole = shown === all;
  const totalOf = (some: readonly Group[]) => (isWhole ? together(some, measure.fn) : null);
  const lineOf =
    (name: 'row' | 'column', { column: { name: field } }: Side) =>
    (text: string | null): Line => {
      const mine = inside.filter((group) => group[name] === text);
      return { text, conditions: conditionsOn(mine[0]?.filters, [field]), total: totalOf(mine) };
    };
  const fields = [rows.column.name, columns.column.name];
  return {
    rows: rowTexts.map(lineOf('row', rows)),
    columns: columnTexts.map(lineOf('column', columns)),
    cells: rowTexts.map((row) =>
      columnTexts.map((column) => {
        const group = byPlace.get(placeOf(row, column));
        return group === undefined ? null : { text: group.value, conditions: conditionsOn(group.filters, fields) };
      }),
    ),
    total: totalOf(inside),
    ...{ shown, all },
    sampled: result.sampled === null ? null : count(object(result.sampled).records),
  };
}

function groupIn(one: Json): Group {
  const { row = null, column = null, value = null, records, filters } = object(one);
  return {
    ...{ row: textOf(row), column: textOf(column), value: textOf(value) },
    ...{ records: count(records), filters: object(filters) },
  };
}

const placeOf = (row: string | null, column: string | null): string => JSON.stringify([row, column]);
const recordsIn = (groups: readonly Group[]): number => groups.reduce((sum, { records }) => sum + records, 0);

/** The conditions on these fields only: a group's filters also contain the search's. */
const conditionsOn = (filters: JsonObject | undefined, fields: readonly string[]): readonly Condition[] =>
  conditionsOf(filters ?? {}).filter((one) => 'field' in one && fields.includes(one.field));

/** The values with the most records. Numbers and times are sorted, with NULL last. */
function largest(
  groups: readonly Group[],
  name: 'row' | 'column',
  { column: { kind } }: Side,
  most: number,
): readonly (string | null)[] {
  const records = new Map<string | null, number>();
  for (const group of groups) records.set(group[name], (records.get(group[name]) ?? 0) + group.records);
  const texts = [...records].toSorted((one, other) => other[1] - one[1]).map(([text]) => text);
  const shown = texts.slice(0, most);
  if (kind !== 'number' && kind !== 'time') return shown;
  return shown.toSorted((one, other) => (one === null ? 1 : other === null ? -1 : compareTexts(one, other)));
}

/** The measure over these groups together; null for averages, which cannot be combined. */
function together(groups: readonly Group[], fn: Fn): string | null {
  const values = groups.flatMap(({ value }) => (value === null ? [] : [value]));
  if (fn === 'avg' || values.length === 0) return null;
  const sum = sumOf(values);
  if (sum === null || fn === 'count' || fn === 'sum') return sum;
  return values.toSorted(compareTexts).at(fn === 'min' ? 0 : -1) ?? null;
}
