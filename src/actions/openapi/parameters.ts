/** Pure. A parameter of an action → the JSON Schema of its values. */
import { isComparable } from '../../model/table.ts';
import type { JsonObject } from '../../model/value.ts';
import type { Limits, Parameter, SchemaResource, VisibleResource } from '../action.ts';
import { maxGroups } from '../aggregate/measure-parameters.ts';
import { maxResources } from '../params.ts';
import { quote } from '../query/columns.ts';
import { closed, groups, measureGroups, measures } from './tables.ts';

/** A resource that the document describes, because its table is available. */
export interface DocumentedResource extends VisibleResource, SchemaResource {
  readonly table: NonNullable<VisibleResource['table']>;
}

export const reference = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/** The schema of a parameter in a body, limited to the columns of these resources. */
export function schemaOf(parameter: Parameter, resources: readonly DocumentedResource[], bounds: Limits): JsonObject {
  const { default: preset } = parameter;
  const value = preset === undefined ? undefined : typeof preset === 'object' ? bounds[preset.limit] : preset;
  return { ...type(parameter, resources, bounds), ...(value === undefined ? {} : { default: value }) };
}

function type({ type, maxLimit }: Parameter, resources: readonly DocumentedResource[], bounds: Limits): JsonObject {
  if (typeof type === 'object') {
    if (type.many) return { type: 'array', items: { enum: type.words }, maxItems: type.words.length };
    return type.orFlag ? { anyOf: [{ type: 'boolean' }, { enum: type.words }] } : { enum: type.words };
  }
  switch (type) {
    case 'resource':
      return resources.length === 0 ? { type: 'string' } : { enum: names(resources) };
    case 'resources':
      return { type: 'array', items: among(names(resources)), minItems: 1, maxItems: maxResources };
    case 'text':
      return { type: 'string' };
    case 'flag':
      return { type: 'boolean' };
    case 'count': {
      const maximum = maxLimit === undefined ? null : bounds[maxLimit];
      return { type: 'integer', minimum: 0, maximum: maximum ?? Number.MAX_SAFE_INTEGER };
    }
    case 'columns':
      return columns(labels(resources));
    case 'sort':
      return { type: 'array', items: among(clauses(resources)), maxItems: 100 };
    case 'search': {
      const ofEach = Object.fromEntries(labels(resources).map((label) => [label, { type: 'string' }]));
      return { anyOf: [{ type: 'string' }, closed(ofEach)] };
    }
    case 'filters':
      return { anyOf: resources.map(({ key }) => reference(`${key}.filters`)) };
    case 'groups':
      return { anyOf: resources.flatMap(({ table }) => groups(table)) };
    case 'group list':
      return {
        type: 'array',
        items: { anyOf: resources.flatMap(({ table }) => measureGroups(table)) },
        maxItems: maxGroups,
      };
    case 'measures':
      return measures(
        resources.flatMap(({ table }) => table.columns),
        { anyOf: resources.map(({ key }) => reference(`${key}.filters`)) },
      );
    case 'object':
      return { type: 'object' };
    case 'records':
      return {
        type: 'array',
        items: { anyOf: resources.map(({ key }) => reference(`${key}.written`)) },
        maxItems: bounds.recordsPerUpsert,
      };
  }
}

const isSentAsJson: ReadonlySet<unknown> = new Set([
  'filters',
  'groups',
  'group list',
  'measures',
  'object',
  'records',
]);

/** A parameter in a query string. Values other than strings and lists of strings are sent as JSON. */
export function inQuery(parameter: Parameter, resources: readonly DocumentedResource[], bounds: Limits): JsonObject {
  const isNames = parameter.type === 'columns';
  // A list with one name arrives as a plain string, which we would split at commas, so names are quoted.
  const schemaOfValue = isNames ? columns(labels(resources).map(quote)) : schemaOf(parameter, resources, bounds);
  const schema = parameter.type === 'search' ? { type: 'string' } : schemaOfValue;
  const isJson = isSentAsJson.has(parameter.type);
  return {
    name: parameter.name,
    in: 'query',
    description: parameter.help,
    ...(parameter.required ? { required: true } : {}),
    ...(isJson ? { content: { 'application/json': { schema } } } : { schema }),
  };
}

/** The schema of an echoed parameter, which does not depend on a table. */
export function echo({ type }: Parameter): JsonObject {
  if (typeof type === 'object') return type.orFlag ? { type: ['boolean', 'string'] } : { enum: type.words };
  switch (type) {
    case 'flag':
      return { type: 'boolean' };
    case 'count':
      return { type: 'integer' };
    case 'filters':
      return { type: ['object', 'array'] };
    case 'sort':
      return { type: ['string', 'array'] };
    case 'search':
    case 'groups':
      return { type: ['string', 'object'] };
    default:
      return { type: 'string' };
  }
}

/** The schema for "one of these values"; without values, the schema `false`, which nothing matches. */
const among = (values: readonly string[]): JsonObject | boolean => values.length > 0 && { enum: values };

const columns = (names: readonly string[]): JsonObject => ({
  type: 'array',
  items: among(names),
  minItems: 1,
  maxItems: 100,
});

const names = (resources: readonly DocumentedResource[]): readonly string[] =>
  resources.flatMap(({ id, aliases }) => [id, ...aliases]);

const labels = (resources: readonly DocumentedResource[]): readonly string[] => [
  ...new Set(resources.flatMap(({ table }) => table.columns.map(({ label }) => label))),
];

function clauses(resources: readonly DocumentedResource[]): readonly string[] {
  const columns = resources.flatMap(({ table }) => table.columns).filter(({ type }) => isComparable(type));
  const sorted = [...new Set(columns.map(({ label }) => quote(label)))];
  return sorted.flatMap((label) => [label, `${label} desc`, `${label} asc nulls first`]);
}
