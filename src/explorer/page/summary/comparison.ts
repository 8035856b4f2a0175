/** Two columns to compare, as parameters of `datastore_aggregate`, which the address also has. Pure. */
import type { Column } from '../ask/columns.ts';
import { isObject, type Json, type JsonObject, numberOf, text, textOf } from '../ask/json.ts';
import type { View } from '../ask/question.ts';
import { type Step, stepsOf } from './buckets.ts';

/** How a column's values become rows or columns: as they are, in calendar steps, or in steps of a width. */
export interface Side {
  readonly column: Column;
  /** A calendar step; null for none. */
  readonly every: Step | null;
  /** A decimal; '' for none. */
  readonly width: string;
}

export const functions = ['count', 'sum', 'avg', 'min', 'max'] as const;
export type Fn = (typeof functions)[number];

export interface Measure {
  readonly fn: Fn;
  /** Null for the number of records. */
  readonly column: Column | null;
}

export interface Comparison {
  readonly rows: Side;
  readonly columns: Side;
  readonly measure: Measure;
}

/** A column's calendar steps; none if it has no times. */
export const calendarOf = (column: Column): readonly Step[] =>
  stepsOf(column).filter((step) => step !== 'bins' && step !== 'value');

/** Whether the API can group this column in exact steps of a width. */
export const hasWidth = ({ type }: Column): boolean => /^(?:int|numeric|float8)/.test(type);

/** A comparison's parameters. */
export function paramsOf({ rows, columns, measure }: Comparison): NonNullable<View['compared']> {
  const { fn, column } = measure;
  return {
    groups: [groupOf(rows), groupOf(columns)],
    measures: { value: column === null ? 'count' : { [fn]: column.name } },
  };
}

function groupOf({ column: { name }, every, width }: Side): JsonObject | string {
  if (every !== null) return { field: name, every };
  const exact = numberOf(width);
  return exact === null ? name : { field: name, width: exact };
}

/** Reads the parameters; null if they are not for two columns of the table. */
export function comparisonOf(compared: View['compared'], columns: readonly Column[]): Comparison | null {
  if (compared === null) return null;
  const [rows = null, others = null] = compared.groups.map((group) => sideOf(group, columns));
  const measure = measureOf(compared.measures.value ?? null, columns);
  if (rows === null || others === null || measure === null || rows.column === others.column) return null;
  return { rows, columns: others, measure };
}

function sideOf(group: Json, columns: readonly Column[]): Side | null {
  const { field = null, every = null, width = null } = isObject(group) ? group : { field: group };
  const column = columns.find(({ name }) => name === text(field));
  if (column === undefined) return null;
  return {
    column,
    every: calendarOf(column).find((step) => step === every) ?? null,
    width: hasWidth(column) ? (textOf(width) ?? '') : '',
  };
}

function measureOf(value: Json, columns: readonly Column[]): Measure | null {
  if (value === 'count') return { fn: 'count', column: null };
  const [[name, field] = []] = Object.entries(isObject(value) ? value : {});
  const fn = functions.find((one) => one === name);
  const column = columns.find((one) => one.name === text(field));
  return fn === undefined || column === undefined || column.kind !== 'number' ? null : { fn, column };
}
