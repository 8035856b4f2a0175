/** The outcome of counting records in groups. Pure. */
import type { Edge, Sample } from './plan.ts';

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
