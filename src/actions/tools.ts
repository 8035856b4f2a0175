/** The tools of `/mcp`: each is one action with fewer parameters, which it describes to a model. */
import type { Json, JsonObject } from '../model/value.ts';
import type { SelectAction, SiteAction, TableAction } from './action.ts';
import { datastore_aggregate } from './datastore_aggregate.ts';
import { datastore_info } from './datastore_info.ts';
import { datastore_search } from './datastore_search.ts';
import { datastore_search_sql } from './datastore_search_sql.ts';
import { Params } from './params.ts';
import { resource_list } from './resource_list.ts';

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly action: TableAction | SiteAction | SelectAction;
  /** What the tool does, written for a model. */
  readonly help: string;
  /** Arguments that work on a resource `example` with the columns `id` and `name`. */
  readonly example: JsonObject;
  /** JSON Schemas of the arguments. None has a default: a model would always send it. */
  readonly properties: Readonly<Record<string, JsonObject>>;
  readonly required: readonly string[];
  /** The number of items without the argument `limit`; null if the tool has no such argument. */
  readonly limit: number | null;
  /** The list in the result from which items are left out if the result is too long. */
  readonly list: 'resources' | 'fields' | 'records';
}

/** More items would fill a model's context. */
const maxItems = 200;

const text = (description: string): JsonObject => ({ type: 'string', description });
const list = (description: string): JsonObject => ({ type: 'array', items: { type: 'string' }, description });
const count = (minimum: number, preset: number, what: string): JsonObject => ({
  ...{ type: 'integer', minimum, maximum: maxItems },
  description: `At most so many ${what}. Without it ${preset}.`,
});
const resourceId = text('The id of a resource, as list_resources shows it.');
const filters: JsonObject = {
  type: 'object',
  description:
    'Conditions that must all hold: {"field": value}, {"field": [values]}, or {"field": {"gte": 1, "lt": 5}} with eq, ne, gt, gte, lt, lte, in, nin, like, ilike, null. {"$or": [{…}, {…}]} for alternatives.',
};
const offset: JsonObject = { type: 'integer', minimum: 0, description: 'How many to leave out first.' };

const listResources: Tool = {
  name: 'list_resources',
  title: 'List the tables',
  action: resource_list,
  help: 'List the resources (tables) that you may read, with titles and descriptions. Call it first, to learn their ids.',
  example: { q: 'permits', limit: 10 },
  properties: {
    q: text('Words that must all occur in the id, the title or the description.'),
    limit: count(1, 50, 'resources'),
    offset,
  },
  required: [],
  limit: 50,
  list: 'resources',
};

const describeResource: Tool = {
  name: 'describe_resource',
  title: 'Describe a table',
  action: datastore_info,
  help: 'Describe a resource: the names and types of its fields, its key, the fields that q searches, the fields that refer to records of other resources, the number of records. Call it before search_records.',
  example: { resource_id: 'example' },
  properties: { resource_id: resourceId, fields: list('The fields to describe. Without it all.') },
  required: ['resource_id'],
  limit: null,
  list: 'fields',
};

const searchRecords: Tool = {
  name: 'search_records',
  title: 'Search records',
  action: datastore_search,
  help: 'Search the records of a resource; `total` counts all that match. Call describe_resource first, for the names and types of its fields. For more records repeat the call as `next_page` of the answer says: with its `after`, or with its `_id` added to `filters`. Without `next_page` there are no more pages; a search by `q` has one only with `sort`.',
  example: { resource_id: 'example', filters: { id: { gte: 1 } }, fields: ['id', 'name'], sort: 'id desc', limit: 5 },
  properties: {
    resource_id: resourceId,
    q: text('Words to find in any field.'),
    filters,
    fields: list('The fields of each record. Name the few that you need: without it all.'),
    sort: text('Fields with asc or desc, such as "year desc, name".'),
    limit: count(0, 20, 'records'),
    after: text('The `after` of a next_page, with all other arguments as before.'),
  },
  required: ['resource_id'],
  limit: 20,
  list: 'records',
};

const aggregateRecords: Tool = {
  name: 'aggregate_records',
  title: 'Count and sum records',
  action: datastore_aggregate,
  help: 'Counts, sums, averages and extremes of the records of a resource, in groups; several measures in one call. Use it instead of reading records to compute. Call describe_resource first, for the names and types of fields.',
  example: { resource_id: 'example', groups: ['name'], measures: { n: 'count', last: { max: 'id' } }, sort: 'n desc' },
  properties: {
    resource_id: resourceId,
    groups: {
      type: 'array',
      maxItems: 3,
      description:
        'Up to three: "field" for each value, {"field": "sold", "every": "month"} for times, {"field": "price", "width": 100} for ranges of numbers; with "as" for another name. Without it all records are one group.',
    },
    measures: {
      type: 'object',
      description:
        'Up to ten by name: "count", {"count": "field"}, {"sum": "field"}, {"avg": "field"}, {"min": "field"}, {"max": "field"}, {"distinct": "field"}; each with optional "filters" of its own.',
    },
    filters,
    having: { type: 'object', description: 'Conditions on the measures, like filters: {"revenue": {"gte": 1000}}.' },
    sort: text('Names of measures or groups with asc or desc, such as "revenue desc".'),
    limit: count(1, 50, 'groups'),
    offset,
  },
  required: ['resource_id', 'measures'],
  limit: 50,
  list: 'records',
};

const querySql: Tool = {
  name: 'query_sql',
  title: 'Ask in SQL',
  action: datastore_search_sql,
  help: 'Answer one SELECT in the language of PostgreSQL, with the ids of resources in double quotes as its tables. Use it for joins, and for questions that aggregate_records cannot ask. No window functions, no UNION, no regular expressions. Add a LIMIT. Call describe_resource first, for the names and types of fields.',
  example: { sql: 'SELECT name, count(*) AS n FROM "example" GROUP BY name ORDER BY n DESC LIMIT 20' },
  properties: { sql: text('One SELECT.') },
  required: ['sql'],
  limit: null,
  list: 'records',
};

const tools: readonly Tool[] = [listResources, describeResource, searchRecords, aggregateRecords];

/** The tools in the order in which a model needs them. @param withSql whether any resource takes SQL */
export const toolsOf = (withSql: boolean): readonly Tool[] => (withSql ? [...tools, querySql] : tools);

/**
 * The parameters of the action. Throws a 409 for arguments that the tool does not have; the action checks the others.
 * @param hasPages whether the resource can be read in pages
 */
export function parametersOf(tool: Tool, given: JsonObject, hasPages: boolean): JsonObject {
  const params = new Params(given);
  params.refuseUnknown(new Set(Object.keys(tool.properties)));
  const limit = tool.limit === null ? null : Math.min(params.natural('limit', tool.limit), maxItems);
  params.check();
  return {
    ...given,
    ...(limit === null ? {} : { limit }),
    ...(tool.action === datastore_search && hasPages ? { include_next_page: true } : {}),
    // A model needs neither type names for people nor indexes, and they would double the size.
    ...(tool.action === datastore_info ? { include_fields_schema: false } : {}),
  };
}

/** The tools as `tools/list` shows them. */
export const toolList = (of: readonly Tool[]): Json =>
  of.map(({ name, title, help, example, properties, required }) => ({
    name,
    title,
    description: `${help} Example: ${JSON.stringify(example)}`,
    inputSchema: { type: 'object', properties, required, additionalProperties: false },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  }));
