/** The outcome of counting records. Pure. */
import type { Edge, Sample } from './plan.ts';

/** A number of records. `at least`: nobody knows more than what the page shows, and one more record while it is full. */
export interface Total {
  readonly count: number;
  readonly is: 'exact' | 'estimated' | 'at least';
}

export interface Counts {
  readonly groups: ValueGroups | RangeGroups;
  /** Records with NULL. */
  readonly nulls: number;
  /** All records that were counted. */
  readonly total: number;
  /** Null: all records that match. */
  readonly sample: Sample | null;
}

export interface ValueGroups {
  readonly is: 'value';
  /** `json`: the value as the API shows it. */
  readonly of: readonly { readonly json: string; readonly count: number }[];
  /** How many values there are. */
  readonly values: number;
}

export interface RangeGroups {
  readonly is: 'range';
  readonly edges: readonly Edge[];
  /** The number of records from each edge to the next one. */
  readonly counts: readonly number[];
}
