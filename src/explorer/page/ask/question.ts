/** Converts between the address and what the page shows of a table. The address uses the parameters of `datastore_search`. */
import { type Condition, conditionsOf, filtersOf } from './conditions.ts';
import { isList, isObject, type Json, type JsonObject, parse } from './json.ts';

export interface Sort {
  readonly field: string;
  readonly isDescending: boolean;
  /** Where NULLs are sorted; undefined if the address does not say. */
  readonly nulls?: 'first' | 'last';
}

/** Orders by a column, with NULL at the end: the API's default for the ascending order, so only the descending order has to say it. */
export const order = (field: string, isDescending: boolean): Sort => ({
  field,
  isDescending,
  ...(isDescending ? { nulls: 'last' } : {}),
});

/** The table's own order, by its key. */
export const orderByKey = (key: readonly string[]): readonly Sort[] => key.map((field) => order(field, false));

/**
 * The order after the words have changed. Ranking by relevance reads every match, so the page sorts by the key when somebody starts to search
 * by words. Without words that is the default, and needs no parameter. An order that the user has chosen stays.
 */
export function orderAfterWords(
  { q, sort }: Pick<Question, 'q' | 'sort'>,
  words: string,
  key: readonly string[],
): readonly Sort[] {
  const byKey = orderByKey(key);
  if (words !== '') return q === '' && sort.length === 0 ? byKey : sort;
  return JSON.stringify(sort) === JSON.stringify(byKey) ? [] : sort;
}

/** API parameters that the page passes on without interpreting them. */
const passedNames = ['full_text', 'plain', 'language', 'distinct'] as const;

/** What to search for. */
export interface Question {
  readonly q: string;
  readonly conditions: readonly Condition[];
  /** Empty means: ordered by the key, or by relevance if `q` is set. */
  readonly sort: readonly Sort[];
  /** The columns to show, in order; null for all. */
  readonly fields: readonly string[] | null;
  readonly passed: Readonly<Partial<Record<(typeof passedNames)[number], string>>>;
  /** All column names in the table, because a name can look like another column with a direction (a column named `year desc`). */
  readonly columns: readonly string[];
}

/** A table's tabs. `view` in the address names one; without it, the page shows the records. */
const tabNames = ['data', 'summary', 'map', 'about', 'api'] as const;
export type TabName = (typeof tabNames)[number];

/**
 * The panels beside the records; `edit` is the record with its form open. In the address, `view` opens the import or the form for a new
 * record, and `row` opens a record. Marked rows are not in the address at all.
 */
export type Panel = 'none' | 'record' | 'edit' | 'remove' | 'add' | 'import';
/** Values of `view` that turn on the tab Data's edit mode. */
const editViews = ['edit', 'add', 'import'] as const;

/** The map's position. */
export interface MapPosition {
  /** The place at the map's centre. */
  readonly longitude: number;
  readonly latitude: number;
  /** Zoom levels as web maps count them: at 0 the world is 256 pixels wide, and each level doubles that. */
  readonly zoom: number;
}

export interface View {
  readonly question: Question;
  readonly tab: TabName;
  /** The tab Data's open panel. */
  readonly panel: Panel;
  /** Whether the tab Data is in edit mode, for callers who may write. */
  readonly isEditing: boolean;
  /** The columns that the tab Summary counts. */
  readonly by: readonly string[];
  /** The `groups` and `measures` of `datastore_aggregate` that the tab Summary compares; null for none. */
  readonly compared: { readonly groups: readonly Json[]; readonly measures: JsonObject } | null;
  /** The column that sets the size of points on the map; '' for none. */
  readonly size: string;
  /** The map's position; null to show all records. */
  readonly at: MapPosition | null;
  /** The filters that find the record in the record panel. */
  readonly row: JsonObject | null;
  /** Whether the address has filters or a row that are not valid JSON, as in a link that was cut off. */
  readonly isCut: boolean;
  /** Parameters in the address that the page does not use. */
  readonly unused: readonly string[];
}

/**
 * Reads an address, and skips what it cannot read.
 * @param columns the names of the table's columns
 */
export function viewOf(search: string, columns: readonly string[]): View {
  const query = new URLSearchParams(search);
  const one = (name: string) => query.get(name) ?? '';
  const row = parsed(one('row') || 'null');
  const filters = filtersIn(parsed(one('filters') || 'null'));
  const tab = tabNames.find((name) => name === one('view')) ?? 'data';
  const edits = editViews.find((name) => name === one('view'));
  const fields = itemsOf(query.getAll('fields')).map((written) => nameIn(written, columns));
  return {
    question: {
      q: one('q'),
      conditions: conditionsOf(filters ?? {}),
      sort: itemsOf(query.getAll('sort')).map((written) => sortOf(written, columns)),
      fields: fields.length === 0 ? null : [...new Set(fields)],
      passed: Object.fromEntries(passedNames.filter((name) => one(name) !== '').map((name) => [name, one(name)])),
      columns,
    },
    tab,
    panel:
      tab !== 'data'
        ? 'none'
        : edits === 'add' || edits === 'import'
          ? edits
          : !isObject(row)
            ? 'none'
            : (edits ?? 'record'),
    isEditing: edits !== undefined,
    by: [...new Set(itemsOf([one('by')]).map((written) => nameIn(written, columns)))],
    compared: comparedIn(parsed(one('groups') || 'null'), parsed(one('measures') || 'null')),
    size: nameIn(one('size'), columns),
    at: positionIn(one('at')),
    row: isObject(row) ? row : null,
    isCut: filters === undefined || !(row === null || isObject(row)),
    unused: [...new Set(query.keys())].filter((name) => !isUsed(name, query.getAll(name))),
  };
}

/** Only `fields` and `sort` may be repeated: the API reads them as a list. */
function isUsed(name: string, values: readonly string[]): boolean {
  if (name === 'fields' || name === 'sort' || values.every((value) => value === '')) return true;
  if (name === 'view')
    return values.length === 1 && values.every((one) => [...tabNames, ...editViews].some((name) => name === one));
  return (
    values.length === 1 &&
    ['q', 'filters', ...passedNames, 'by', 'groups', 'measures', 'size', 'at', 'row'].includes(name)
  );
}

/** Whether duplicates are merged (`distinct`). The API accepts these spellings of true. */
export const isDistinct = ({ passed: { distinct = '' } }: Question): boolean => /^(?:true|yes|t|y|1)$/i.test(distinct);

/** A view's query string, with its `?`; '' for the whole table. */
export function addressOf({ question, tab, panel, isEditing, by, compared, size, at, row }: View): string {
  const edits = panel === 'add' || panel === 'import' ? panel : isEditing ? 'edit' : null;
  return queryOf({
    ...flatParams(question),
    ...(tab !== 'data' ? { view: tab } : edits !== null ? { view: edits } : {}),
    ...(by.length > 0 && tab === 'summary' ? { by: by.map(quoted).join(',') } : {}),
    ...(compared !== null && tab === 'summary' ? { ...compared } : {}),
    ...(size !== '' && tab === 'map' ? { size: quoted(size) } : {}),
    ...(at !== null && tab === 'map' ? { at: positionText(at) } : {}),
    ...(row !== null && tab === 'data' && (panel === 'record' || panel === 'edit') ? { row } : {}),
  });
}

/** A readable query string: only characters that would break it are escaped. */
export function queryOf(params: JsonObject): string {
  const parts = Object.entries(params).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const readable = encodeURIComponent(text).replace(/%(?:7B|7D|3A|2C|5B|5D|2F|24)/g, decodeURIComponent);
    return `${name}=${readable.replaceAll('%20', '+')}`;
  });
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

/** The search parameters without the resource, all as text: for a query string or a form. */
export function flatParams(question: Question): Readonly<Record<string, string>> {
  const { resource_id: _, ...params } = paramsOf('', question);
  const flat = { ...params, ...(question.fields === null ? {} : { fields: question.fields.map(quoted).join(',') }) };
  return Object.fromEntries(
    Object.entries(flat).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

/** The search parameters as JSON. */
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

/** Reads one clause of `sort`. As in the API, a column with the whole clause as its name wins. */
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

/** The column that a text names. As in the API, the name may have blanks around it, or be in double quotes. */
function nameIn(written: string, columns: readonly string[]): string {
  const trimmed = written.trim();
  const [, inQuotes] = /^"(.*)"$/s.exec(trimmed) ?? [];
  const unquoted = inQuotes?.replaceAll('""', '"') ?? trimmed;
  return [written, unquoted, inQuotes].find((one) => one !== undefined && columns.includes(one)) ?? unquoted;
}

/** The items of a list: either a repeated parameter, or one text split at its commas. Items may be quoted as in CSV. */
function itemsOf(given: readonly string[]): readonly string[] {
  const [text = ''] = given;
  const items = /,(\s*"[^"]*(?:""[^"]*)*"(?:\s[^",]*)?(?=,|$)|[^,]*)/g;
  const all = given.length > 1 ? given : Array.from(`,${text}`.matchAll(items), ([, item = '']) => item);
  return all.filter((one) => one.trim() !== '');
}

/** Reads `filters`: a list is an `$or`. Undefined if the value is neither an object nor a list of objects. */
function filtersIn(value: Json | undefined): JsonObject | undefined {
  if (isObject(value)) return value;
  if (value === null || (isList(value) && value.length === 0)) return {};
  return isList(value) && value.every(isObject) ? { $or: value } : undefined;
}

function comparedIn(groups: Json | undefined, measures: Json | undefined): View['compared'] {
  return isList(groups) && isObject(measures) ? { groups, measures } : null;
}

/** A position as text, with five decimals, which is about a metre. */
const positionText = ({ longitude, latitude, zoom }: MapPosition): string =>
  [longitude.toFixed(5), latitude.toFixed(5), zoom.toFixed(2)].map(Number).join(',');

function positionIn(written: string): MapPosition | null {
  const [longitude, latitude, zoom, ...more] = written
    .split(',')
    .map((part) => (part === '' ? Number.NaN : Number(part)));
  if (longitude === undefined || latitude === undefined || zoom === undefined || more.length > 0) return null;
  const isPlace = Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90;
  return isPlace && Number.isFinite(zoom) ? { longitude, latitude, zoom } : null;
}

function parsed(written: string): Json | undefined {
  try {
    return parse(written);
  } catch {
    return undefined;
  }
}
