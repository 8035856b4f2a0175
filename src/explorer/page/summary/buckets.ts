/** Parses responses of `datastore_aggregate`. */
import type { Column } from '../ask/columns.ts';
import { count, isObject, type Json, type JsonObject, list, object, textOf } from '../ask/json.ts';

export interface Bucket {
  /** The value, or the start of a range; null for NULL. */
  readonly text: string | null;
  /** The end of a range; null for a single value. */
  readonly end: string | null;
  readonly count: number;
  /** The filters that find exactly the records of this bucket. */
  readonly filters: JsonObject;
}

export interface Summarized {
  readonly buckets: readonly Bucket[];
  readonly nulls: number;
  readonly others: number;
  /** How many values are not shown; null if unknown. */
  readonly otherValues: number | null;
  readonly total: number;
  /** How many records were read, if the gateway counted only a sample. */
  readonly sampled: number | null;
}

export const steps = ['bins', 'year', 'quarter', 'month', 'week', 'day', 'hour', 'value'] as const;
export type Step = (typeof steps)[number];

/** The ways to group a column's values. */
export function stepsOf({ kind, type }: Column): readonly Step[] {
  if (kind === 'number') return ['bins', 'value'];
  if (kind !== 'time') return ['value'];
  return steps.filter((one) => one !== 'hour' || type !== 'date');
}

const bins = 24;
const values = 12;

/** The parameters for `datastore_aggregate`; the search's parameters are added to them. */
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
    // 0 although records are left over means unknown: records may have changed between the two queries.
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
