import { type Action, action, type Parameter } from './action.ts';
import {
  type CountParameters,
  counted,
  countsOf,
  countsSchema,
  defaultLimit,
  readCountParameters,
} from './aggregate/counts.ts';
import { type MeasureParameters, measureNames, readMeasureParameters } from './aggregate/measure-parameters.ts';
import { measured, measuresSchema } from './aggregate/measured.ts';
import { questionOf } from './aggregate/measures.ts';
import { maxRanges } from './aggregate/ranges.ts';
import { datastore_search } from './datastore_search.ts';
import { namesOf, Params, resourceId } from './params.ts';
import { wordParameters } from './query/words.ts';

const parameters: readonly Parameter[] = [
  resourceId,
  {
    name: 'by',
    type: 'groups',
    extension: true,
    help: 'Counts in the groups of one field: its name, or `{"field": name}`, for each value; `{"field": name, "bins": 20}` for at most 20 ranges of numbers or times; `{"field": name, "every": "month"}` for steps of the calendar.',
  },
  {
    name: 'measures',
    type: 'measures',
    extension: true,
    help: 'In place of `by`: one to ten measures, such as `{"n": "count", "mean": {"avg": "price"}}`.',
  },
  {
    name: 'groups',
    type: 'group list',
    extension: true,
    help: 'Up to three groups of measures: the name of a field, `{"field": name, "every": "month"}` or `{"field": name, "width": 100}`.',
  },
  ...wordParameters,
  ...datastore_search.parameters.filter(({ name }) => name === 'filters'),
  {
    name: 'having',
    type: 'object',
    extension: true,
    help: 'Which records of measures to show: a condition on their numbers, written like `filters`.',
  },
  {
    name: 'limit',
    type: 'count',
    extension: true,
    help: `At most so many groups. The default is ${defaultLimit} values, or all ranges; more than ${maxRanges} is taken as that. For measures, as in a search.`,
  },
  ...datastore_search.parameters.filter(({ name }) => name === 'offset'),
  {
    name: 'sort',
    type: 'text',
    extension: true,
    help: 'The order of the groups: `count`, the largest first, or `value`. The default is `count` for values, and `value` for ranges. For measures, clauses such as `"n desc, region"`; groups break ties.',
  },
  {
    name: 'include_filters',
    type: 'flag',
    default: false,
    extension: true,
    help: 'Whether each record of measures has the `filters` for its group.',
  },
];
const known = namesOf(parameters);

/** Counts and measures records in groups, for facets, histograms and reports. CKAN lacks this action. */
const datastoreAggregate: Action<CountParameters | MeasureParameters> = {
  name: 'datastore_aggregate',
  effect: 'read',
  needsAggregate: true,
  unknown: (name) => `Resource "${name}" was not found.`,
  sideEffectFree: true,
  help: 'Count the records of a resource in groups: by the values of a field, or in ranges of numbers or times. Or compute sums, averages and other measures in groups.',
  parameters,
  example: { resource_id: 'example', by: 'name', filters: { id: { gt: 5 } }, limit: 10 },

  parse(given, bounds) {
    const params = new Params(given);
    params.refuseUnknown(known);
    const ofMeasures = measureNames.filter((name) => params.raw(name) !== undefined);
    const isCount = ofMeasures.length === 0 || params.raw('by') !== undefined;
    const parsed = isCount ? readCountParameters(params, bounds) : readMeasureParameters(params, bounds);
    if (isCount) for (const name of ofMeasures) params.complain(name, 'must be absent beside by: it is for measures');
    params.check();
    return parsed;
  },

  resource: (parsed) => parsed.id,

  plan: (parsed, { table }, bounds) =>
    parsed.is === 'counts' ? countsOf(parsed, table, bounds) : questionOf(parsed, table, bounds),

  result: (parsed, table, outcome, bounds) =>
    parsed.is === 'counts' ? counted(parsed, table, outcome, bounds) : measured(parsed, table, outcome, bounds),

  resultSchema: () => ({ anyOf: [countsSchema(), measuresSchema()] }),
};
export const datastore_aggregate = action(datastoreAggregate);
