/** What is shown of a table ↔ the address. The parameters of the address are those of `datastore_search`. */
import { type Condition, conditionsOf, filtersOf } from './conditions.ts';
import { isObject, type JsonObject, parse } from './json.ts';

export interface Sort {
  readonly field: string;
  readonly isDescending: boolean;
}

/** What a search asks for. */
export interface Question {
  readonly q: string;
  readonly conditions: readonly Condition[];
  /** Empty: the order of the key, or with words the best match first. */
  readonly sort: readonly Sort[];
  /** The columns in their order; null: all. */
  readonly fields: readonly string[] | null;
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
}

/** Reads an address. What cannot be read is left out. */
export function viewOf(search: string): View {
  const given = new URLSearchParams(search);
  const asked = given.get('view');
  const row = objectOf(given.get('row'));
  const filters = objectOf(given.get('filters'));
  const fields = names(given.get('fields') ?? '');
  return {
    question: {
      q: given.get('q') ?? '',
      conditions: conditionsOf(filters ?? {}),
      sort: names(given.get('sort') ?? '').map(sortOf),
      fields: fields.length === 0 ? null : fields,
    },
    panel: named.find((one) => one === asked) ?? (row === null ? 'none' : 'record'),
    by: names(given.get('by') ?? ''),
    row,
    isCut: (given.has('filters') && filters === null) || (given.has('row') && row === null),
  };
}

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
  const { q, filters, sort, fields } = paramsOf('', question);
  return {
    ...(typeof q === 'string' ? { q } : {}),
    ...(filters === undefined ? {} : { filters: JSON.stringify(filters) }),
    ...(sort === undefined ? {} : { sort: question.sort.map(clause).join(', ') }),
    ...(fields === undefined ? {} : { fields: (question.fields ?? []).map(quoted).join(',') }),
  };
}

/** The parameters of a search as JSON. */
export function paramsOf(id: string, { q, conditions, sort, fields }: Question): JsonObject {
  const filters = filtersOf(conditions);
  // A text of clauses is cut at every comma, also within quotes.
  const hasComma = sort.some(({ field }) => field.includes(','));
  return {
    resource_id: id,
    ...(q === '' ? {} : { q }),
    ...(Object.keys(filters).length === 0 ? {} : { filters }),
    ...(sort.length === 0 ? {} : { sort: hasComma ? sort.map(clause) : sort.map(clause).join(', ') }),
    ...(fields === null ? {} : { fields }),
  };
}

const clause = ({ field, isDescending }: Sort): string => `${quoted(field)}${isDescending ? ' desc' : ''}`;
const quoted = (name: string): string => (/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) ? name : `"${name}"`);

function sortOf(written: string): Sort {
  const [, name = '', direction] = /^(.*?)(?:\s+(asc|desc))?(?:\s+nulls\s+\w+)?$/is.exec(written) ?? [];
  return { field: unquoted(name), isDescending: direction?.toLowerCase() === 'desc' };
}

const unquoted = (name: string): string => name.trim().replace(/^"(.*)"$/s, '$1');

/** Names between commas, each once; a name in double quotes may hold commas. */
function names(written: string): readonly string[] {
  const found = written.match(/(?:"[^"]*"|[^,"])+/g) ?? [];
  const all = found.map((one) => (/^\s*"[^"]*"\s*$/.test(one) ? unquoted(one) : one.trim()));
  return [...new Set(all)].filter((one) => one !== '');
}

function objectOf(written: string | null): JsonObject | null {
  try {
    const value = parse(written ?? 'null');
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
