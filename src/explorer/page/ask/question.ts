/** What is shown of a table ↔ the address. The parameters of the address are those of `datastore_search`. */
import { type Condition, conditionsOf, filtersOf } from './conditions.ts';
import { isList, isObject, type Json, type JsonObject, parse } from './json.ts';

export interface Sort {
  readonly field: string;
  readonly isDescending: boolean;
  /** Where NULLs come, if the address says so. */
  readonly nulls?: 'first' | 'last';
}

/** Parameters of the API that the page passes on as they are. */
const passed = ['full_text', 'plain', 'language', 'distinct'] as const;

/** What a search asks for. */
export interface Question {
  readonly q: string;
  readonly conditions: readonly Condition[];
  /** Empty: the order of the key, or with words the best match first. */
  readonly sort: readonly Sort[];
  /** The columns in their order; null: all. */
  readonly fields: readonly string[] | null;
  readonly passed: Readonly<Partial<Record<(typeof passed)[number], string>>>;
  /** All columns of the table: one may be called as another one with a direction. */
  readonly columns: readonly string[];
}

/** The panels that an address names by `view`. A record has its own parameter; what is marked is in no address. */
const named = ['summary', 'api', 'add'] as const;
export type Panel = 'none' | 'record' | 'remove' | (typeof named)[number];

export interface View {
  readonly question: Question;
  readonly panel: Panel;
  /** The summarized fields. */
  readonly by: readonly string[];
  /** The filters that find the shown record. */
  readonly row: JsonObject | null;
  /** Whether the address has filters that cannot be read, as one that was cut off on its way. */
  readonly isCut: boolean;
  /** The parameters of the address that the page does not use. */
  readonly unused: readonly string[];
}

/**
 * Reads an address. What cannot be read is left out.
 * @param columns the names of the table's columns
 */
export function viewOf(search: string, columns: readonly string[]): View {
  const given = new URLSearchParams(search);
  const one = (name: string) => given.get(name) ?? '';
  const row = parsed(one('row') || 'null');
  const filters = filtersIn(parsed(one('filters') || 'null'));
  const fields = itemsOf(given.getAll('fields')).map((written) => nameIn(written, columns));
  return {
    question: {
      q: one('q'),
      conditions: conditionsOf(filters ?? {}),
      sort: itemsOf(given.getAll('sort')).map((written) => sortOf(written, columns)),
      fields: fields.length === 0 ? null : [...new Set(fields)],
      passed: Object.fromEntries(passed.filter((name) => one(name) !== '').map((name) => [name, one(name)])),
      columns,
    },
    panel: named.find((name) => name === one('view')) ?? (isObject(row) ? 'record' : 'none'),
    by: [...new Set(itemsOf([one('by')]).map((written) => nameIn(written, columns)))],
    row: isObject(row) ? row : null,
    isCut: filters === undefined || !(row === null || isObject(row)),
    unused: [...new Set(given.keys())].filter((name) => !isUsed(name, given.getAll(name))),
  };
}

/** Of a repeated parameter, the API takes a list of names and nothing else. */
function isUsed(name: string, values: readonly string[]): boolean {
  if (name === 'fields' || name === 'sort' || values.every((value) => value === '')) return true;
  return values.length === 1 && ['q', 'filters', ...passed, 'view', 'by', 'row'].includes(name);
}

/** Whether records that show the same are one, by the words that the API takes as true. */
export const isDistinct = ({ passed: { distinct = '' } }: Question): boolean => /^(?:true|yes|t|y|1)$/i.test(distinct);

/** The query string of a view, with its `?`; '' for the whole table. */
export function addressOf({ question, panel, by, row }: View): string {
  return queryOf({
    ...flatParams(question),
    ...(named.some((one) => one === panel) ? { view: panel } : {}),
    ...(by.length > 0 && panel === 'summary' ? { by: by.map(quoted).join(',') } : {}),
    ...(row !== null && panel === 'record' ? { row } : {}),
  });
}

/** A query string that people can read: only what must be is escaped. */
export function queryOf(params: JsonObject): string {
  const parts = Object.entries(params).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const readable = encodeURIComponent(text).replace(/%(?:7B|7D|3A|2C|5B|5D|2F|24)/g, decodeURIComponent);
    return `${name}=${readable.replaceAll('%20', '+')}`;
  });
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

/** The parameters of a search without its resource, all of them texts, as a query string or a form has them. */
export function flatParams(question: Question): Readonly<Record<string, string>> {
  const { resource_id: _, ...params } = paramsOf('', question);
  const flat = { ...params, ...(question.fields === null ? {} : { fields: question.fields.map(quoted).join(',') }) };
  return Object.fromEntries(
    Object.entries(flat).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

/** The parameters of a search as JSON. */
export function paramsOf(id: string, { q, conditions, sort, fields, passed, columns }: Question): JsonObject {
  const filters = filtersOf(conditions);
  return {
    resource_id: id,
    ...(q === '' ? {} : { q }),
    ...passed,
    ...(Object.keys(filters).length === 0 ? {} : { filters }),
    ...(sort.length === 0 ? {} : { sort: sort.map((one) => clause(one, columns)).join(', ') }),
    ...(fields === null ? {} : { fields }),
  };
}

function clause({ field, isDescending, nulls }: Sort, columns: readonly string[]): string {
  const order = `${isDescending ? ' desc' : ''}${nulls === undefined ? '' : ` nulls ${nulls}`}`;
  return (order !== '' && columns.includes(field + order) ? inQuotes(field) : quoted(field)) + order;
}

const inQuotes = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const quoted = (name: string): string => (/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) ? name : inQuotes(name));

/** As the API: a whole clause may be the name of a column. */
function sortOf(written: string, columns: readonly string[]): Sort {
  const whole = nameIn(written, columns);
  if (columns.includes(whole)) return { field: whole, isDescending: false };
  const [, name = '', direction, nulls] =
    /^(.*?)(?:\s+(asc|desc))?(?:\s+nulls\s+(first|last))?$/is.exec(written.trimEnd()) ?? [];
  return {
    field: nameIn(name, columns),
    isDescending: direction?.toLowerCase() === 'desc',
    ...(nulls === undefined ? {} : { nulls: nulls.toLowerCase() === 'first' ? 'first' : 'last' }),
  };
}

/** The column that a text names, as the API reads it: as it is, or without blanks around it and quotes. */
function nameIn(written: string, columns: readonly string[]): string {
  const trimmed = written.trim();
  const [, inQuotes] = /^"(.*)"$/s.exec(trimmed) ?? [];
  const unquoted = inQuotes?.replaceAll('""', '"') ?? trimmed;
  return [written, unquoted, inQuotes].find((one) => one !== undefined && columns.includes(one)) ?? unquoted;
}

/** The items of a list: those of a repeated parameter, or those between the commas of one text. Quotes are those of CSV. */
function itemsOf(given: readonly string[]): readonly string[] {
  const [text = ''] = given;
  const items = /,(\s*"[^"]*(?:""[^"]*)*"(?:\s[^",]*)?(?=,|$)|[^,]*)/g;
  const all = given.length > 1 ? given : Array.from(`,${text}`.matchAll(items), ([, item = '']) => item);
  return all.filter((one) => one.trim() !== '');
}

/** A list of filters is an `$or`; undefined for anything that is no filters. */
function filtersIn(value: Json | undefined): JsonObject | undefined {
  if (isObject(value)) return value;
  if (value === null || (isList(value) && value.length === 0)) return {};
  return isList(value) && value.every(isObject) ? { $or: value } : undefined;
}

function parsed(written: string): Json | undefined {
  try {
    return parse(written);
  } catch {
    return undefined;
  }
}
