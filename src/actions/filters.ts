/** `filters` → Where. Every value is converted to its column's type here, so that no engine casts (design part 6). */
import { invalid } from '../errors.ts';
import { isObject, parseJson } from '../json.ts';
import type { Bound, Column, Json, JsonObject, Table, Where } from '../plan.ts';
import { column, isComparable, visibleKey, wireType } from './columns.ts';
import type { Params } from './params.ts';
import { convert, jsonText, show, typeName } from './values.ts';

/** CKAN's bound on the members of one object (contract 3.5). */
const maxMembers = 100;

/** `filters` as sent, an object or JSON in a string; complains of anything else. */
export function readFilters(params: Params, depth: number): JsonObject {
  const raw = params.raw('filters');
  if (raw === undefined) return {};
  const filters = typeof raw === 'string' ? parsed(raw, depth) : isObject(raw) || Array.isArray(raw) ? raw : undefined;
  if (filters === undefined) params.complain('filters', 'Cannot parse JSON');
  else if (Array.isArray(filters))
    params.complain('filters', `must be an object of column names and values, got: ${show(filters)}`);
  else if (!isObject(filters) && filters !== null)
    params.complain('filters', 'Filters must be defined as a dict or a list of dicts');
  return isObject(filters) ? filters : {};
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
 * An object of `column: value` or `column: [values]`, all of which must match; null and `{}` say nothing.
 * Throws a 409 for unknown columns (all of them at once) and for values that do not convert.
 */
export function where(filters: JsonObject, table: Table, inValues: number): Where {
  const members = Object.entries(filters);
  if (members.length >= maxMembers) throw invalid({ filters: ['Maximum number of filter operations exceeded'] });
  const named = members.map(([name, asked]) => ({ name, asked, column: column(table, name) }));
  const unknown = named.filter((member) => member.column === undefined);
  if (unknown.length > 0) {
    throw invalid({ filters: unknown.map(({ name }) => unknownField(name, table)) });
  }
  return {
    op: 'all',
    of: named.flatMap((member) =>
      member.column === undefined ? [] : [condition(member.column, member.asked, inValues)],
    ),
  };
}

/** Whether the condition lets every record through: the guard of deletes. */
export function saysNothing(condition: Where): boolean {
  if (condition.op === 'all') return condition.of.every(saysNothing);
  return condition.op === 'any' && condition.of.some(saysNothing);
}

function condition(of: Column, asked: Json, inValues: number): Where {
  if (isObject(asked))
    throw invalid({ filters: [`field "${of.label}" must be a value or a list of values, got: ${jsonText(asked)}`] });
  const values: readonly Json[] = Array.isArray(asked) ? asked : [asked];
  if (values.length > inValues)
    throw invalid({ filters: [`field "${of.label}" must have at most ${inValues} values, got: ${values.length}`] });
  const bounds = new Set<Bound>();
  for (const value of values) {
    if (value === null) continue;
    const bound = comparable(of, value);
    if (bound !== null) bounds.add(bound);
  }
  const among: Where = { op: 'in', column: of, values: [...bounds] };
  return values.includes(null) ? { op: 'any', of: [among, { op: 'null', column: of }] } : among;
}

/** The value to compare with; null for one that no record can equal. */
function comparable(of: Column, value: Json): Bound | null {
  const refused = (text: string) => invalid({ filters: [`${text} (field "${of.label}")`] });
  if (!isComparable(of.type)) throw refused(`a field of type ${wireType(of.type)} cannot be filtered`);
  const isText = of.type.kind === 'text' || of.type.kind === 'choice';
  // Where a record means NULL by it, a filter means nothing by it (an empty bit string, too).
  if (value === '' && !isText) throw refused(`invalid input syntax for type ${typeName(of.type)}: ""`);
  const converted = convert(value, of.type);
  if (converted.is === 'wrong') throw refused(converted.text);
  if (converted.is === 'beyond') return null;
  return of.type.kind === 'text' && of.type.padded && / $/.test(String(converted.value)) ? null : converted.value;
}

function unknownField(name: string, table: Table): string {
  const keys = visibleKey(table)
    .map((part) => `"${part.label}"`)
    .join(', ');
  if (name === '_id')
    return `Unknown field: _id (this table has no single integer key${keys === '' ? '' : `; its key is ${keys}`})`;
  return `Unknown field: ${name}`;
}
