/** `filters` → Where: the grammar's operations (`operations.ts`), each held against its column (`conditions.ts`). */
import { isLosslessNumber } from 'lossless-json';
import { invalid } from '../errors.ts';
import { isList, isObject, parseJson } from '../json.ts';
import type { Where } from '../plan.ts';
import type { Table } from '../table.ts';
import type { Json, JsonObject } from '../value.ts';
import type { Limits } from './action.ts';
import { column, visibleKey } from './columns.ts';
import { compared } from './conditions.ts';
import { type Filter, type Operation, operations } from './operations.ts';
import { type Params, tooLong } from './params.ts';

export type Filters = JsonObject | readonly JsonObject[];

/** `filters` as sent: an object, a list of objects, or JSON of either in a string. Complains of anything else. */
export function readFilters(params: Params, depth: number): Filters {
  const raw = params.raw('filters');
  if (raw === undefined) return {};
  const filters = typeof raw === 'string' ? parsed(raw, depth) : isObject(raw) || isList(raw) ? raw : undefined;
  if (filters === undefined) params.complain('filters', 'Cannot parse JSON');
  else if (isObject(filters)) return filters;
  else if (isList(filters) && filters.every(isObject)) return filters;
  else if (filters !== null) params.complain('filters', 'Filters must be defined as a dict or a list of dicts');
  return {};
}

/** The JSON in a string; undefined where it is none. */
function parsed(text: string, depth: number): Json | undefined {
  try {
    return parseJson(text, depth);
  } catch {
    return undefined;
  }
}

/**
 * The condition that filters are on a table; null, `{}` and `[]` say nothing. Throws a 409 for what is none of the grammar,
 * for unknown columns (all of them at once), for values that do not convert, and for lists of more than `inValues` values and
 * patterns of more than `qBytes` in all, and for values that are too long together: each filter may be small, but they are one
 * statement.
 */
export function where(
  filters: Filters,
  table: Table,
  { inValues, qBytes }: Pick<Limits, 'inValues' | 'qBytes'>,
): Where {
  const asked = isList(filters) && filters.length === 0 ? operations({}) : operations(filters);
  const all = flat(asked);
  const unknown = new Set(all.map(({ field }) => field).filter((name) => column(table, name) === undefined));
  if (unknown.size > 0) throw invalid({ filters: [...unknown].map((name) => unknownField(name, table)) });
  const values = all.reduce((sum, { value }) => sum + (isList(value) ? value.length : 0), 0);
  if (values > inValues) throw invalid({ filters: [`must have at most ${inValues} values in lists, got: ${values}`] });
  const characters = all.reduce((sum, { value }) => sum + lengthOf(value), 0);
  if (characters > mostCharacters)
    throw invalid({ filters: [`must have at most ${mostCharacters} characters in values, got: ${characters}`] });
  const patterns = all.reduce((sum, one) => sum + (isPattern(one) ? Buffer.byteLength(one.value) : 0), 0);
  if (patterns > qBytes) throw invalid({ filters: [`like and ilike ${tooLong(qBytes, patterns)}`] });
  return onTable(asked, table);
}

function flat(filter: Filter): readonly Operation[] {
  return 'of' in filter ? filter.of.flatMap(flat) : [filter];
}

/**
 * Of the values of one call. MySQL's driver escapes each in the text of its statement, and takes for a million of the worst of them a
 * tenth of a second in which nobody else is answered.
 */
const mostCharacters = 1_000_000;

function lengthOf(value: Json): number {
  if (typeof value === 'string') return value.length;
  if (isLosslessNumber(value)) return value.value.length;
  return isList(value) ? value.reduce((sum: number, item) => sum + lengthOf(item), 0) : 0;
}

function isPattern(one: Operation): one is Extract<Operation, { readonly op: 'like' | 'ilike' }> {
  return one.op === 'like' || one.op === 'ilike';
}

function onTable(filter: Filter, table: Table): Where {
  if ('of' in filter) return { op: filter.op, of: filter.of.map((part) => onTable(part, table)) };
  const of = column(table, filter.field);
  if (of === undefined) throw invalid({ filters: [unknownField(filter.field, table)] });
  return compared(of, filter);
}

/** Whether the condition lets every record through, whatever the records are: the guard of deletes. */
export function saysNothing(condition: Where): boolean {
  switch (condition.op) {
    case 'all':
      return condition.of.every(saysNothing);
    case 'any':
      return condition.of.some(saysNothing);
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
      return saysNothing(condition.of);
    case 'in':
      return condition.values.length === 0;
    default:
      return false;
  }
}

function unknownField(name: string, table: Table): string {
  const keys = visibleKey(table)
    .map((part) => `"${part.label}"`)
    .join(', ');
  if (name === '_id')
    return `Unknown field: _id (this table has no single integer key${keys === '' ? '' : `; its key is ${keys}`})`;
  return `Unknown field: ${name}`;
}
