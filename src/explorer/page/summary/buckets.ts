/** Answers of `datastore_aggregate`. */
import type { Column } from '../ask/columns.ts';
import { count, isObject, type Json, type JsonObject, list, object, textOf } from '../ask/json.ts';

export interface Bucket {
  /** The value, or where a range begins. Null: NULL. */
  readonly text: string | null;
  /** Where a range ends; null for a value. */
  readonly end: string | null;
  readonly count: number;
  /** The filters that find exactly its records. */
  readonly filters: JsonObject;
}

export interface Summarized {
  readonly buckets: readonly Bucket[];
  readonly nulls: number;
  readonly others: number;
  /** The number of values that are not shown; null where it is unknown. */
  readonly otherValues: number | null;
  readonly total: number;
  /** The number of records that were looked at, if not all. */
  readonly sampled: number | null;
}

export const steps = ['bins', 'year', 'quarter', 'month', 'week', 'day', 'hour', 'value'] as const;
export type Step = (typeof steps)[number];

/** The ways to divide a column. */
export function stepsOf({ kind, type }: Column): readonly Step[] {
  if (kind === 'number') return ['bins', 'value'];
  if (kind !== 'time') return ['value'];
  return steps.filter((one) => one !== 'hour' || type !== 'date');
}

const bins = 24;
const values = 12;

/** The parameters of a summary beside those of the search. */
export function byParams(field: string, step: Step): JsonObject {
  if (step === 'value') return { by: { field }, limit: values };
  return { by: step === 'bins' ? { field, bins } : { field, every: step } };
}

export function summarized(result: JsonObject): Summarized {
  const others = object(result.others);
  return {
    buckets: list(result.records).map(bucket),
    nulls: count(result.nulls),
    others: count(others.count),
    // The rest may be of shown values, too, as records change between two counts.
    otherValues: count(others.values) || null,
    total: count(result.total),
    sampled: isObject(result.sampled) ? count(result.sampled.records) : null,
  };
}

function bucket(value: Json): Bucket {
  const { value: one, from, to, count: n, filters } = object(value);
  const isRange = from !== undefined;
  return {
    text: textOf((isRange ? from : one) ?? null),
    end: isRange ? textOf(to ?? null) : null,
    count: count(n),
    filters: object(filters),
  };
}
