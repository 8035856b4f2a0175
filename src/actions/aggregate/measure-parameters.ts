/** The parameters of measures in groups, before any table is known. */
import { type Step, steps } from '../../model/question.ts';
import type { Json, JsonObject } from '../../model/value.ts';
import { parseDecimal, writeDecimal } from '../../values/decimal.ts';
import { isList, isObject, parseJson } from '../../values/json.ts';
import { scalarText, show } from '../../values/show.ts';
import type { Bounds } from '../action.ts';
import type { Params } from '../params.ts';
import { type Filters, readFilters } from '../query/filters.ts';
import { readOffset } from '../query/page.ts';
import { readWords, type SearchTerms } from '../query/words.ts';

/** The most groups of a call. */
export const maxGroups = 3;
/** The most measures of a call. */
export const maxMeasures = 10;
/** The longest name, in characters: each record of an answer repeats the names of all outputs. */
export const maxName = 100;
/** The most digits of a width on either side of the point: up to here, its multiples are exact on every engine. */
const maxWidthDigits = 15;

/** One group of a call: by value, by a calendar unit, or by multiples of a width. */
export interface GroupParameter {
  readonly field: string;
  readonly every: Step | null;
  readonly width: string | null;
  /** The name of the output; null to use the field's name. */
  readonly as: string | null;
}

/** The functions of measures, as calls name them. */
export const functions = ['count', 'sum', 'avg', 'min', 'max', 'distinct'] as const;

export interface MeasureParameter {
  readonly name: string;
  readonly fn: (typeof functions)[number];
  /** The field to measure; null to count records: `"count"`, or `{"count": null}` with filters. */
  readonly field: string | null;
  readonly filters: Filters | null;
}

export interface MeasureParameters {
  readonly is: 'measures';
  readonly id: string;
  readonly filters: Filters;
  readonly words: SearchTerms;
  readonly groups: readonly GroupParameter[];
  readonly measures: readonly MeasureParameter[];
  readonly having: Filters;
  readonly sort: readonly string[];
  readonly limit: number;
  readonly offset: number;
  readonly includeFilters: boolean;
}

/** The parameters that only a call for measures takes. */
export const measureNames = ['groups', 'measures', 'having', 'offset', 'include_filters'] as const;

/** Reads the parameters of a call for measures. */
export function readMeasureParameters(params: Params, bounds: Bounds): MeasureParameters {
  return {
    is: 'measures',
    id: params.resourceId(),
    filters: readFilters(params, bounds.depth),
    words: readWords(params, bounds),
    groups: readGroups(params, bounds.depth),
    measures: readMeasures(params, bounds.depth),
    having: readFilters(params, bounds.depth, 'having'),
    sort: params.names('sort') ?? [],
    limit: Math.min(params.natural('limit', bounds.rowsDefault), bounds.rowsMax),
    offset: readOffset(params, bounds),
    includeFilters: params.boolean('include_filters', false),
  };
}

/** The value of a parameter, parsed if it is JSON text, as in a query string; undefined if absent. */
function jsonOf(params: Params, name: string, depth: number): Json | undefined {
  const raw = params.raw(name);
  if (typeof raw !== 'string') return raw;
  try {
    return parseJson(raw, depth);
  } catch {
    return raw;
  }
}

function readGroups(params: Params, depth: number): readonly GroupParameter[] {
  const groups = jsonOf(params, 'groups', depth);
  if (groups === undefined) return [];
  if (isList(groups) && groups.length <= maxGroups)
    return groups.map((one) => group(one, (must, got) => params.complain('groups', `${must}, got: ${show(got)}`)));
  const got = isList(groups) ? `${groups.length} groups` : show(groups);
  params.complain('groups', `must be a list of at most ${maxGroups} groups, got: ${got}`);
  return [];
}

type Complain = (must: string, got: Json) => void;

function group(given: Json, complain: Complain): GroupParameter {
  const { field, every, width, as, ...others } = isObject(given) ? given : { field: given };
  const [extra] = Object.keys(others);
  const step = steps.find((one) => one === every) ?? null;
  const exact = width === undefined ? null : widthOf(width);
  if (typeof field !== 'string' || field === '') complain('must be fields, or objects with a field', given);
  else if (extra !== undefined) complain('must have no other members than field, every, width and as', extra);
  else if (every !== undefined && width !== undefined) complain('must have every or width, not both', given);
  else if (every !== undefined && step === null) complain(`must have one of ${steps.join(', ')} as every`, every);
  else if (width !== undefined && exact === null)
    complain(`must have a decimal above 0 as width, with ${maxWidthDigits} digits before and behind the point`, width);
  else if (as !== undefined && !isName(as)) complain(nameText('as'), as);
  return { field: typeof field === 'string' ? field : '', every: step, width: exact, as: isName(as) ? as : null };
}

const nameText = (what: string) => `must have a name of 1 to ${maxName} characters as ${what}`;
const isName = (name: Json | undefined): name is string =>
  typeof name === 'string' && name !== '' && name.length <= maxName;

/** The digits of a width, without zeros at either end; null if the value is no width. */
function widthOf(width: Json): string | null {
  const number = parseDecimal(scalarText(width) ?? '');
  if (number === null || number.negative || number.digits === '') return null;
  const { digits, exponent } = number;
  if (digits.length + exponent > maxWidthDigits || -exponent > maxWidthDigits) return null;
  return writeDecimal({ ...number, scale: Math.max(0, -exponent) });
}

function readMeasures(params: Params, depth: number): readonly MeasureParameter[] {
  const measures = jsonOf(params, 'measures', depth);
  const entries = isObject(measures) ? Object.entries(measures) : [];
  if (measures === undefined || measures === '') params.complain('measures', 'Missing value');
  else if (!isObject(measures) || entries.length === 0 || entries.length > maxMeasures) {
    const got = entries.length > maxMeasures ? `${entries.length} measures` : show(measures);
    params.complain('measures', `must be an object of 1 to ${maxMeasures} measures, got: ${got}`);
  }
  return entries.slice(0, maxMeasures).map(([name, given]) => {
    const complain: Complain = (must, got) => params.complain('measures', `${show(name)}: ${must}, got: ${show(got)}`);
    if (!isName(name)) complain(nameText('measure'), name);
    return { name, ...measure(given, complain) };
  });
}

function measure(given: Json, complain: Complain): Omit<MeasureParameter, 'name'> {
  const { filters = null, ...of }: JsonObject = isObject(given) ? given : given === 'count' ? { count: null } : {};
  const [[name, field] = [], ...others] = Object.entries(of);
  const fn = functions.find((one) => one === name);
  const isField = typeof field === 'string' && field !== '';
  const none = { fn: 'count', field: null, filters: null } as const;
  if (fn === undefined || others.length > 0 || !(isField || (fn === 'count' && field === null)))
    complain(`must be "count", or an object with the field of one of ${functions.join(', ')}`, given);
  else if (filters !== null && !isFilters(filters))
    complain('must have an object or a list of objects as filters', filters);
  else return { fn, field: isField ? field : null, filters };
  return none;
}

function isFilters(filters: Json): filters is JsonObject | readonly JsonObject[] {
  return isObject(filters) || (isList(filters) && filters.every(isObject));
}
