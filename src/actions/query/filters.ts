/** `filters` → Where: the operations that the grammar allows, each checked against its column. */
import { invalid } from '../../model/errors.ts';
import type { Where } from '../../model/plan.ts';
import type { Column, Type } from '../../model/table.ts';
import type { Json, JsonObject } from '../../model/value.ts';
import { isList, isObject, parseJson } from '../../values/json.ts';
import { show } from '../../values/show.ts';
import type { Limits } from '../action.ts';
import { type Params, tooLong } from '../params.ts';
import { boundLength, countOf, lengthOf, maxArrays, maxCharacters, maxDocuments, valuesFor } from './amounts.ts';
import { column, type Fields, visibleKey } from './columns.ts';
import { compared } from './conditions.ts';
import { hint } from './hint.ts';
import { isLong, maxBytesOnLongTexts, tooLongFor } from './long-texts.ts';
import { type Filter, type Operation, operations } from './operations.ts';

export type Filters = JsonObject | readonly JsonObject[];

/** Reads `filters`, or a parameter of the same form: an object or a list of objects, also as a JSON string. Complains about any other value. */
export function readFilters(params: Params, depth: number, name = 'filters'): Filters {
  const raw = params.raw(name);
  if (raw === undefined) return {};
  const filters = typeof raw === 'string' ? parsed(raw, depth) : isObject(raw) || isList(raw) ? raw : undefined;
  if (filters === undefined)
    params.complain(name, `Cannot parse JSON: must be an object such as {"name": "value"}, got: ${show(raw)}`);
  else if (isObject(filters)) return filters;
  else if (isList(filters) && filters.every(isObject)) return filters;
  else if (filters !== null) params.complain(name, 'Filters must be defined as a dict or a list of dicts');
  return {};
}

/** Parses a JSON string; undefined if it is not JSON. */
function parsed(text: string, depth: number): Json | undefined {
  try {
    return parseJson(text, depth);
  } catch {
    return undefined;
  }
}

/**
 * Converts filters to a condition; null, `{}` and `[]` match every record. Throws a 409 for invalid grammar, for unknown columns
 * (all at once), for values that cannot be converted, and above these limits: `inValues` for the values in lists, nested ones
 * included, `qBytes` for all patterns together, and fixed limits for long values, arrays and documents.
 */
export function where(
  filters: Filters,
  table: Fields,
  { inValues, qBytes }: Pick<Limits, 'inValues' | 'qBytes'>,
): Where {
  if (Object.keys(filters).length === 0) return { op: 'all', of: [] };
  const filter = operations(filters);
  const all = flat(filter);
  const unknown = new Set(all.map(({ field }) => field).filter((name) => column(table, name) === undefined));
  if (unknown.size > 0)
    throw invalid({ filters: [...unknown].map((name, nth) => unknownField(name, table, nth < maxHints)) });
  const values = all.reduce((sum, { field, value }) => sum + countOf(value, typeOf(field, table)), 0);
  if (values > inValues) throw invalid({ filters: [`must have at most ${inValues} values in lists, got: ${values}`] });
  mustBeShort(all.reduce((sum, { value }) => sum + lengthOf(value), 0));
  const patterns = all.reduce((sum, one) => sum + (isPattern(one) ? Buffer.byteLength(one.value) : 0), 0);
  if (patterns > qBytes) throw invalid({ filters: [`like and ilike ${tooLong(qBytes, patterns)}`] });
  const onLong = all.filter(isPattern).filter(({ field }) => isLong(columnOf(field, table)));
  const longBytes = onLong.reduce((sum, { value }) => sum + Buffer.byteLength(value), 0);
  const [first] = onLong;
  if (first !== undefined && longBytes > maxBytesOnLongTexts)
    throw invalid({ filters: [`like and ilike ${tooLongFor(columnOf(first.field, table), longBytes)}`] });

  let [bound, arrays, documents] = [0, 0, 0];
  const onTable = (filter: Filter): Where => {
    if ('of' in filter) return { op: filter.op, of: filter.of.map(onTable) };
    const condition = compared(columnOf(filter.field, table), filter);
    bound += boundLength(condition);
    mustBeShort(bound);
    arrays += valuesFor('array', condition);
    if (arrays > maxArrays) throw invalid({ filters: [`must have at most ${maxArrays} arrays, got: ${arrays}`] });
    documents += valuesFor('json', condition);
    if (documents > maxDocuments)
      throw invalid({ filters: [`must have at most ${maxDocuments} JSON documents, got: ${documents}`] });
    return condition;
  };
  return onTable(filter);
}

function flat(filter: Filter): readonly Operation[] {
  return 'of' in filter ? filter.of.flatMap(flat) : [filter];
}

function columnOf(name: string, table: Fields): Column {
  const match = column(table, name);
  if (match === undefined) throw invalid({ filters: [unknownField(name, table, true)] });
  return match;
}

const typeOf = (name: string, table: Fields): Type => columnOf(name, table).type;

function mustBeShort(characters: number): void {
  if (characters > maxCharacters)
    throw invalid({ filters: [`must have at most ${maxCharacters} characters in values, got: ${characters}`] });
}

function isPattern(one: Operation): one is Extract<Operation, { readonly op: 'like' | 'ilike' }> {
  return one.op === 'like' || one.op === 'ilike';
}

/** Whether a condition matches every possible record. Deleting by it needs `access.deleteAll`. */
export function matchesEverything(condition: Where): boolean {
  switch (condition.op) {
    case 'all':
      return condition.of.every(matchesEverything);
    case 'any':
      return condition.of.some(matchesEverything);
    case 'not':
      return findsNothing(condition.of);
    default:
      return false;
  }
}

function findsNothing(condition: Where): boolean {
  switch (condition.op) {
    case 'all':
      return condition.of.some(findsNothing);
    case 'any':
      return condition.of.every(findsNothing);
    case 'not':
      return matchesEverything(condition.of);
    case 'in':
      return condition.values.length === 0;
    default:
      return false;
  }
}

/** The most "did you mean" hints in one refusal: each compares a name with the names of all columns, which takes time. */
const maxHints = 3;

function unknownField(name: string, table: Fields, hints: boolean): string {
  const keys = visibleKey(table)
    .map((part) => `"${part.label}"`)
    .join(', ');
  if (name === '_id')
    return `Unknown field: _id (this table has no single integer key${keys === '' ? '' : `; its key is ${keys}`})`;
  return `Unknown field: ${show(name)}${hints ? hint(name, table) : ''}`;
}
