/** Counts records by one field's values or ranges: makes a plan from the call's parameters, and the result from the plan's counts. */
import type { RangeGroups, ValueGroups } from '../../model/counts.ts';
import { invalid, tooManyGroups } from '../../model/errors.ts';
import type { Result } from '../../model/http.ts';
import type { Aggregate } from '../../model/plan.ts';
import type { Column, Table } from '../../model/table.ts';
import type { Json, JsonObject } from '../../model/value.ts';
import { parseJson, toJson } from '../../values/json.ts';
import { truncate } from '../../values/truncate.ts';
import type { Bounds, Outcome } from '../action.ts';
import { count, list } from '../openapi/result-schemas.ts';
import { closed } from '../openapi/tables.ts';
import type { Params } from '../params.ts';
import { column, wireType } from '../query/columns.ts';
import { type Filters, readFilters, where } from '../query/filters.ts';
import { hint } from '../query/hint.ts';
import { readWords, type SearchTerms, searches } from '../query/words.ts';
import { type By, readBy } from './by.ts';
import { groupFilters } from './group-filters.ts';
import { canGroup, maxRanges, rangesOf } from './ranges.ts';

export interface CountParameters {
  readonly is: 'counts';
  readonly id: string;
  readonly filters: Filters;
  readonly words: SearchTerms;
  readonly by: By;
  readonly limit: number;
  readonly sort: 'count' | 'value';
}

/** The default number of groups by value: more bars than a reader compares at a glance. */
export const defaultLimit = 30;

/** Reads the parameters of a call with `by`. */
export function readCountParameters(params: Params, bounds: Bounds): CountParameters {
  const by = readBy(params, bounds.depth);
  const [limit, sort] = by.ranges === null ? [defaultLimit, 'count' as const] : [maxRanges, 'value' as const];
  return {
    is: 'counts',
    id: params.resourceId(),
    filters: readFilters(params, bounds.depth),
    words: readWords(params, bounds),
    by,
    limit: Math.min(params.natural('limit', limit), maxRanges),
    sort: params.word('sort', ['count', 'value'], sort),
  };
}

/** The plan of a call. Throws a 409 for errors that only the table shows. */
export function countsOf(
  { filters, words, by, limit, sort }: CountParameters,
  table: Table,
  bounds: Bounds,
): Aggregate {
  const grouped = groupedColumn(by, table);
  // A group's filters have one more condition than the call's: check that a search would still accept them.
  where(groupFilters(filters, grouped.label, by.ranges === null ? null : { null: false, ne: null }), table, bounds);
  const page = { format: 'objects', distinct: false, sort: [], after: null, withCursor: false } as const;
  return {
    effect: 'aggregate',
    table,
    column: grouped,
    records: {
      ...{ effect: 'read', table, columns: [], ...page, limit: 0, offset: 0, total: true },
      ...{ where: where(filters, table, bounds), searches: searches(words, table, bounds) },
    },
    by: by.ranges === null ? { is: 'value', limit, sort } : rangesOf(grouped, by.ranges),
  };
}

/** The result of a call. */
export function counted(
  { filters, by, limit, sort }: CountParameters,
  table: Table,
  { counts }: Outcome,
  { responseBytes }: Bounds,
): Result {
  if (counts === undefined) throw new TypeError('no groups');
  const { label } = groupedColumn(by, table);
  const { groups, nulls, total, sample } = counts;
  const filtersFor: FiltersFor = (condition) => groupFilters(filters, label, condition);
  const records = groups.is === 'value' ? ofValues(groups, filtersFor) : ofRanges(groups, filtersFor, limit, sort);
  // The answer repeats the call's filters in each group, so long filters could multiply its size.
  if (records.length * Buffer.byteLength(toJson(filters)) > responseBytes) throw tooManyGroups(responseBytes);
  const rest = total - nulls - records.reduce((sum, { count }) => sum + count, 0);
  const values = groups.is === 'value' ? { values: groups.values - records.length } : {};
  return {
    members: [
      ['records', records],
      ['nulls', nulls],
      ['others', { ...values, count: rest }],
      ['total', total],
      ['sampled', sample === null ? null : { records: sample.records }],
    ],
  };
}

/** The schema of `sampled`: null if all records were counted. */
export const sampled: JsonObject = { anyOf: [closed({ records: count }, ['records']), { type: 'null' }] };

/** The schema of the result. */
export function countsSchema(): JsonObject {
  // Any object, not the schema of a call's filters: the edge of a range may be a value that the column cannot hold.
  const filters: JsonObject = { type: 'object' };
  const record = closed({ value: {}, from: {}, to: {}, count, filters }, ['count', 'filters']);
  const members = {
    ...{ records: list(record), nulls: count, others: closed({ values: count, count }, ['count']), total: count },
    sampled,
  };
  return closed(members, Object.keys(members));
}

type FiltersFor = (condition: Json) => JsonObject;

interface Group extends JsonObject {
  readonly count: number;
}

/** The column of the groups. Throws a 409 for an unknown field, and for a type whose values cannot be grouped. */
function groupedColumn({ field }: By, table: Table): Column {
  const grouped = column(table, field);
  if (grouped === undefined) throw invalid({ by: [`invalid value "${truncate(field.trim())}"${hint(field, table)}`] });
  if (canGroup(grouped)) return grouped;
  throw invalid({ by: [`a field of type ${wireType(grouped.type)} has no groups (field "${grouped.label}")`] });
}

const ofValues = ({ of }: ValueGroups, filtersFor: FiltersFor): readonly Group[] =>
  of.map(({ json, count }) => {
    const value = parseJson(json, 1);
    return { value, count, filters: filtersFor(value) };
  });

/** One group per range, including empty ranges, because a histogram's axis has no gaps. */
function ofRanges({ edges, counts }: RangeGroups, filtersFor: FiltersFor, limit: number, sort: 'count' | 'value') {
  const all = counts.map((count, nth): Group => {
    const [from, to] = [edges[nth]?.at ?? null, edges[nth + 1]?.at ?? null];
    return { from, to, count, filters: filtersFor({ gte: from, lt: to }) };
  });
  const ordered = sort === 'count' ? [...all].sort((a, b) => b.count - a.count) : all;
  return ordered.slice(0, limit);
}
