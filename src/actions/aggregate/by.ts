import { type Step, steps } from '../../model/question.ts';
import type { Json, JsonObject } from '../../model/value.ts';
import { isObject, objectIn } from '../../values/json.ts';
import { show } from '../../values/show.ts';
import type { Params } from '../params.ts';
import { maxRanges, minRanges } from './ranges.ts';

/** The groups of a call: the values of a field, or ranges of them. */
export interface By {
  readonly field: string;
  /** The maximum number of ranges, or the calendar step of each; null for one group per value. */
  readonly ranges: number | Step | null;
}

/** Reads `by`: the name of a field, or an object, also as a JSON string. Complains about any other value. */
export function readBy(params: Params, depth: number): By {
  const raw = params.raw('by');
  const grouping = typeof raw === 'string' ? (objectIn(raw, depth) ?? { field: raw }) : raw;
  if (grouping === undefined || raw === '') params.complain('by', 'Missing value');
  else if (!isObject(grouping))
    params.complain('by', `must be the name of a field or an object, got: ${show(grouping)}`);
  else return members(grouping, params);
  return { field: '', ranges: null };
}

function members(grouping: JsonObject, params: Params): By {
  const { field, bins, every, ...others } = grouping;
  const must = (be: string, got: Json) => params.complain('by', `must have ${be}, got: ${show(got)}`);
  const [extra] = Object.keys(others);
  const step = steps.find((one) => one === every);
  const count = bins === undefined || bins === null ? null : numberOf(bins);
  if (typeof field !== 'string' || field === '') must('a field', grouping);
  else if (extra !== undefined) must('no other member than field, bins and every', extra);
  else if (bins !== undefined && every !== undefined) must('bins or every, not both', grouping);
  else if (bins !== undefined && (count === null || count < minRanges || count > maxRanges))
    must(`bins from ${minRanges} to ${maxRanges}`, bins);
  else if (every !== undefined && step === undefined) must(`one of ${steps.join(', ')} as every`, every);
  return { field: typeof field === 'string' ? field : '', ranges: count ?? step ?? null };
}

/** Reads a whole number of at most nine digits; null for anything else. */
function numberOf(value: Json): number | null {
  const text = show(value);
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}
