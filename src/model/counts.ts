/** The results of counting records. Pure. */
import type { Edge, Sample } from './plan.ts';

/** A number of records. `at least`: a lower bound: the records up to the end of the page, plus one if it is full. */
export interface Total {
  readonly count: number;
  readonly is: 'exact' | 'estimated' | 'at least';
}

/** How many records were counted. */
export interface Counted {
  /** The number of all records that were counted. */
  readonly total: number;
  /** The sample that was counted; null if all matching records were. */
  readonly sample: Sample | null;
}

export interface Counts extends Counted {
  readonly groups: ValueGroups | RangeGroups;
  /** The number of records with NULL in the column. */
  readonly nulls: number;
}

export interface ValueGroups {
  readonly is: 'value';
  /** One entry per group. `json`: the value as the API shows it. */
  readonly of: readonly { readonly json: string; readonly count: number }[];
  /** The number of distinct values, of which `of` may show only the first. */
  readonly values: number;
}

export interface RangeGroups {
  readonly is: 'range';
  readonly edges: readonly Edge[];
  /** The number of records from each edge to the next one. */
  readonly counts: readonly number[];
}
