import { invalid } from '../model/errors.ts';
import { type Member, type RecordsFormat, recordsFormats } from '../model/http.ts';
import { isRank, maxRankedHits } from '../model/plan.ts';
import type { Json, JsonObject } from '../model/value.ts';
import { type Action, action, type Parameter } from './action.ts';
import { links } from './links.ts';
import { count, echoed, flag, list, records, text } from './openapi/result-schemas.ts';
import { closed } from './openapi/tables.ts';
import { namesOf, Params, resourceId } from './params.ts';
import { defaultColumns, field } from './query/columns.ts';
import { nextPage, openCursor } from './query/cursor.ts';
import { type Filters, readFilters, where } from './query/filters.ts';
import { distinctSort, readAfter, readOffset, select, sort } from './query/page.ts';
import { echoWords, ranking, readWords, type SearchTerms, searches, wordParameters } from './query/words.ts';

interface SearchParameters {
  readonly id: string;
  readonly filters: Filters;
  readonly words: SearchTerms;
  readonly fields: readonly string[] | undefined;
  readonly sort: readonly string[];
  readonly limit: number;
  readonly offset: number;
  readonly total: boolean;
  readonly format: RecordsFormat;
  readonly nextPage: boolean;
  readonly distinct: boolean;
  readonly after: string | null;
  /** The validated parameters, as the answer repeats them in alphabetical order, like CKAN. */
  readonly echo: JsonObject;
  readonly links: JsonObject | null;
}

const parameters: readonly Parameter[] = [
  resourceId,
  ...wordParameters,
  {
    name: 'filters',
    type: 'filters',
    help: '`{"field": value}`, `{"field": [values]}` or `{"field": {"gte": 1, "lt": 5}}` with `eq`, `in`, `gt`, `gte`, `lt`, `lte`, `ne`, `nin`, `like`, `ilike`, `null`; all fields must match. `$or` and `$and` take lists of such objects; a list of them is an `$or`.',
  },
  {
    name: 'fields',
    type: 'columns',
    help: 'The columns of each record, in their order: a list, or a text with commas, in which a name with a comma is in double quotes as in CSV (`id,"a, b"`). Absent: `_id` and all columns that are not binary.',
  },
  {
    name: 'sort',
    type: 'sort',
    help: '`"name desc, _id"`; each with optional `asc`, `desc`, `nulls first`, `nulls last`; a name may be in double quotes as in CSV. Without it, and between records that it leaves equal: by `_id` where there is one, else by the key.',
  },
  {
    name: 'distinct',
    type: 'flag',
    default: false,
    help: 'Whether records that show the same are one. `sort` may then name what `fields` shows only, and there is no rank and no `next_page`.',
  },
  {
    name: 'limit',
    type: 'count',
    default: { limit: 'rowsDefault' },
    maxLimit: 'rowsMax',
    help: 'At most so many records; more than `limits.rowsMax` is taken as that.',
  },
  { name: 'offset', type: 'count', default: 0, maxLimit: 'maxOffset', help: 'How many records to leave out first.' },
  {
    name: 'include_total',
    type: 'flag',
    default: true,
    help: 'Whether to count; a count that takes longer than `limits.totalBudget` is an estimate, with `total_was_estimated: true`. If the database has no estimate either, it is a lower bound, with `total_at_least: true` beside it: more than the records so far while the page is full.',
  },
  {
    name: 'records_format',
    type: { words: recordsFormats },
    default: 'objects',
    help: 'What `records` look like: objects; lists of values in the order of `fields`; one text of lines without a header.',
  },
  {
    name: 'include_next_page',
    type: 'flag',
    default: false,
    help: 'Whether to say in `next_page` how to ask for the next page: a condition to merge into `filters`, or `after`.',
  },
  {
    name: 'after',
    type: 'text',
    extension: true,
    help: 'The `after` of a `next_page`: only the records that follow in the same `sort`. The total does not change by it.',
  },
  { name: 'total_estimation_threshold', type: 'count', help: 'Accepted and ignored, as CKAN does.' },
];
const known = namesOf(parameters);

/** Searches a table (docs/ckan-compatibility.md, datastore_search). */
const datastoreSearch: Action<SearchParameters> = {
  name: 'datastore_search',
  effect: 'read',
  unknown: (name) => `Resource "${name}" was not found.`,
  sideEffectFree: true,
  servesTableMetadata: true,
  help: 'Search the records of a resource.',
  parameters,
  example: { resource_id: 'example', q: 'jones', filters: { name: ['Jones', 'Smith'] }, sort: 'id desc', limit: 5 },

  parse(given, bounds) {
    const params = new Params(given);
    params.refuseUnknown(known);
    const parsed = {
      id: params.resourceId(),
      filters: readFilters(params, bounds.depth),
      words: readWords(params, bounds),
      fields: params.names('fields'),
      sort: params.names('sort') ?? [],
      limit: Math.min(params.natural('limit', bounds.rowsDefault), bounds.rowsMax),
      offset: readOffset(params, bounds),
      total: params.boolean('include_total', true),
      format: params.word('records_format', recordsFormats, 'objects'),
      nextPage: params.boolean('include_next_page', false),
      distinct: params.boolean('distinct', false),
      after: readAfter(params),
    };
    params.check();
    const { older } = bounds;
    return {
      echo: echo(params, parsed),
      links: older === null ? null : links(`${older.actions}/datastore_search`, given, parsed.offset, parsed.limit),
      ...parsed,
    };
  },

  resource: (parsed) => parsed.id,

  plan(parsed, { table }, bounds) {
    const condition = where(parsed.filters, table, bounds);
    const termSearches = searches(parsed.words, table, bounds);
    const ranks = ranking(termSearches, table);
    // No ranks with `distinct`: one distinct row may stand for several records with different ranks.
    const shown = parsed.distinct ? [] : ranks.shown;
    const columns =
      parsed.fields === undefined || parsed.fields.length === 0
        ? [...defaultColumns(table), ...shown]
        : select(parsed.fields, table, shown);
    const order = parsed.distinct
      ? distinctSort(parsed.sort, columns, table)
      : [...(parsed.sort.length === 0 ? ranks.best : []), ...sort(parsed.sort, table)];
    if (parsed.nextPage && !table.order.isTotal) {
      const why = table.keyIs === 'none' ? 'the table has no key' : 'tables that inherit from it may repeat its key';
      throw invalid({ include_next_page: [`must be false, got: true; ${why}, so no value says where a page ends`] });
    }
    return {
      effect: 'read',
      table,
      columns,
      format: parsed.format,
      distinct: parsed.distinct,
      where: condition,
      searches: termSearches,
      sort: order,
      after: parsed.after === null ? null : openCursor(parsed.after, order, table, bounds.sealing),
      withCursor: parsed.nextPage && !parsed.distinct && !order.some(({ by }) => isRank(by)),
      limit: parsed.limit,
      offset: parsed.offset,
      total: parsed.total,
    };
  },

  result(parsed, table, { rows, total, orderIsPartial, rankWasLimited, isIncomplete, end }, { sealing }) {
    const fields =
      parsed.fields?.length === 0 ? [] : (rows?.fields ?? defaultColumns(table).map(field)).map((one) => ({ ...one }));
    const members: Member[] = Object.entries({ resource_id: table.resource, ...parsed.echo });
    members.sort(([a], [b]) => (a < b ? -1 : 1));
    const fieldsAt = members.findIndex(([name]) => name === 'fields');
    if (fieldsAt >= 0) members[fieldsAt] = ['fields', fields];
    if (rows !== null) members.push(['records', rows, parsed.format]);
    if (fieldsAt < 0) members.push(['fields', fields]);
    if (total !== null) members.push(['total', total.count]);
    if (total !== null && (total.is !== 'exact' || parsed.links !== null))
      members.push(['total_was_estimated', total.is !== 'exact']);
    if (total?.is === 'at least') members.push(['total_at_least', true]);
    if (orderIsPartial) members.push(['order_is_total', false]);
    if (rankWasLimited) members.push(['rank_was_limited', true]);
    if (isIncomplete) members.push(['incomplete', true]);
    if (parsed.links !== null) members.push(['_links', parsed.links]);
    if (end !== undefined)
      members.push(['next_page', nextPage(end, table, parsed.filters, parsed.after !== null, sealing)]);
    return { members };
  },

  resultSchema: (resource) =>
    echoed(parameters, resource, {
      fields: list(closed({ id: text, type: text, info: { type: 'object' } }, ['id', 'type'])),
      records: records(resource),
      total: count,
      total_was_estimated: flag,
      total_at_least: {
        type: 'boolean',
        description:
          'The database has no estimate: at least so many records match. It is more than the records so far while the page is full.',
      },
      order_is_total: {
        const: false,
        description:
          'The table has no key and is too large to sort for each page: pages by `offset` may repeat and lose records.',
      },
      rank_was_limited: {
        type: 'boolean',
        description: `More records match than are ranked: the first ${maxRankedHits} by the key are, and the others follow in the order of the key.`,
      },
      incomplete: {
        const: true,
        description: 'Names are missing from _table_metadata, because the upstream has not decided about them in time.',
      },
      next_page: {
        description: 'What to add to the call for the next page: `_id` to its `filters`, `after` as a parameter.',
        anyOf: [closed({ after: text }, ['after']), closed({ _id: { type: 'object' } }, ['_id'])],
      },
      _links: closed({ start: text, prev: text, next: text }),
    }),
};
export const datastore_search = action(datastoreSearch);

function echo(params: Params, parsed: Omit<SearchParameters, 'echo' | 'links'>): JsonObject {
  const echoed: Record<string, Json> = {
    include_next_page: parsed.nextPage,
    include_total: parsed.total,
    limit: parsed.limit,
    records_format: parsed.format,
    ...echoWords(params, parsed.words),
  };
  if (params.raw('distinct') !== undefined) echoed.distinct = parsed.distinct;
  if (params.raw('fields') !== undefined) echoed.fields = null;
  if (params.raw('filters') !== undefined) echoed.filters = parsed.filters;
  if (parsed.after !== null) echoed.after = parsed.after;
  if (params.raw('offset') !== undefined) echoed.offset = parsed.offset;
  const order = params.raw('sort');
  if (order !== undefined) echoed.sort = order;
  return echoed;
}
