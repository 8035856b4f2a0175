/** Pure. The OpenAPI 3.1 document of the resources that this caller may read, made from the descriptions of the actions. */

import type { Json, JsonObject } from '../../model/value.ts';
import { isList, isObject, toJson } from '../../values/json.ts';
import type { Steps } from '../../values/slices.ts';
import type {
  AnyAction,
  Limits,
  Listed,
  Parameter,
  SelectAction,
  Site,
  SiteAction,
  StreamAction,
  TableAction,
  VisibleResource,
} from '../action.ts';
import { download } from './download.ts';
import { refusalSchemas, refusals } from './errors.ts';
import { example } from './examples.ts';
import { type DocumentedResource, inQuery, reference, schemaOf } from './parameters.ts';
import { closed, filters, record, writtenRecord } from './tables.ts';

/**
 * Writes the document as JSON text, in steps, because a table of a thousand columns takes milliseconds.
 * @param listed the resources to describe
 * @param mediaTypes the media types of downloads
 */
export function* openApiText(site: Site, listed: Listed, bounds: Limits, mediaTypes: readonly string[]): Steps<string> {
  const resources = listed.resources.map(documented).filter((resource) => resource !== null);
  const actions = site.actions
    .map((action) => ({ action, concerned: resources.filter((resource) => concerns(action, resource)) }))
    .filter(({ action, concerned }) => action.about === 'site' || concerned.length > 0);
  const paths: string[] = [];
  for (const { action, concerned } of actions) {
    const text = yield* textOf(path(action, concerned, site, bounds), 3);
    paths.push(`"/api/3/action/${action.name}":${text}`);
  }
  if (resources.length > 0)
    paths.push(
      `"/datastore/dump/{id}":${yield* textOf(download(resources, bounds, mediaTypes, refusalReferences()), 3)}`,
    );
  const schemas = Object.entries(refusalSchemas()).map(([name, schema]) => member(name, schema));
  for (const [name, make] of [
    ...resources.flatMap(tableSchemas),
    ...actions.flatMap(({ action, concerned }) => bodies(action, concerned, bounds)),
  ])
    schemas.push(`${JSON.stringify(name)}:${yield* textOf(make(), 2)}`);
  const info = {
    title: site.title,
    version: site.version,
    description:
      "CKAN's DataStore API in front of tables that exist. Answers carry `success`, and `result` or `error`.",
  };
  const securitySchemes = {
    token: { type: 'apiKey', in: 'header', name: 'Authorization', description: 'The token as it is.' },
    bearer: { type: 'http', scheme: 'bearer' },
    apiKey: { type: 'apiKey', in: 'header', name: 'X-CKAN-API-Key' },
  };
  const components = [
    `"schemas":{${schemas.join(',')}}`,
    member('responses', refusals()),
    member('securitySchemes', securitySchemes),
  ];
  return `{${[
    member('openapi', '3.1.0'),
    member('info', info),
    member('servers', [{ url: site.url }]),
    member('security', [{}, { token: [] }, { bearer: [] }, { apiKey: [] }]),
    `"paths":{${paths.join(',')}}`,
    `"components":{${components.join(',')}}`,
    ...(listed.isComplete ? [] : [member('x-incomplete', true)]),
  ].join(',')}}`;
}

/** The JSON text of a value. Down to `levels` levels of nesting, each member is written in a separate step. */
function* textOf(value: Json, levels: number): Steps<string> {
  const parts: string[] = [];
  if (levels > 0 && isList(value)) {
    for (const item of value) {
      parts.push(yield* textOf(item, levels - 1));
      yield;
    }
    return `[${parts.join(',')}]`;
  }
  if (levels === 0 || !isObject(value)) return toJson(value);
  for (const [name, one] of Object.entries(value)) {
    parts.push(`${JSON.stringify(name)}:${yield* textOf(one, levels - 1)}`);
    yield;
  }
  return `{${parts.join(',')}}`;
}

/** A member of an object as JSON text. */
const member = (name: string, value: Json): string => `${JSON.stringify(name)}:${toJson(value)}`;

/** Adds a `key` to a resource, the prefix of its schemas' names. Null if its table is unavailable. */
function documented(resource: VisibleResource, at: number): DocumentedResource | null {
  const { id, table } = resource;
  return table === null
    ? null
    : { ...resource, table, key: /^(?!resource-)[\w.-]+$/.test(id) ? id : `resource-${at + 1}` };
}

function concerns(action: AnyAction, { access }: DocumentedResource): boolean {
  if (action.about === 'site') return action.parameters.some(({ type }) => type === 'resource');
  if (action.about === 'stream') return true;
  if (action.about === 'select') return access.sql;
  return action.effect === 'read' ? !action.needsAggregate || access.aggregate : access.write !== 'none';
}

type NamedSchema = readonly [name: string, schema: () => JsonObject];

function tableSchemas({ key, table, access }: DocumentedResource): readonly NamedSchema[] {
  const writtenSchema: readonly NamedSchema[] =
    access.write !== 'none' ? [[`${key}.written`, () => writtenRecord(table)]] : [];
  return [
    [`${key}.record`, () => record(table)],
    [`${key}.filters`, () => filters(table, reference(`${key}.filters`))],
    ...writtenSchema,
  ];
}

/** The request body schemas of an action, one per resource, because a call may only name columns of its own resource. */
function bodies(action: AnyAction, concerned: readonly DocumentedResource[], bounds: Limits): readonly NamedSchema[] {
  if (action.about !== 'table') return [];
  const { name, parameters } = action;
  return concerned.map((resource) => [`${resource.key}.${name}`, () => body(parameters, [resource], bounds)]);
}

function body(parameters: readonly Parameter[], resources: readonly DocumentedResource[], bounds: Limits): JsonObject {
  const members = parameters.map(
    (one) => [one.name, { description: one.help, ...schemaOf(one, resources, bounds) }] as const,
  );
  return closed(
    Object.fromEntries(members),
    parameters.filter((one) => one.required).map(({ name }) => name),
  );
}

function path(action: AnyAction, concerned: readonly DocumentedResource[], site: Site, bounds: Limits): JsonObject {
  if (action.about === 'stream') return { get: stream(action, concerned, bounds) };
  const { name, help, parameters, sideEffectFree } = action;
  const names = site.actions.map((other) => other.name);
  const described = name === 'help_show' ? parameters.map((one) => ({ ...one, type: { words: names } })) : parameters;
  const schema =
    action.about !== 'table'
      ? body(described, concerned, bounds)
      : { anyOf: concerned.map(({ key }) => reference(`${key}.${name}`)) };
  const examples = (concerned.length > 0 ? concerned : [null]).map(
    (resource) => [resource?.key ?? 'example', { value: example(action, resource, site) }] as const,
  );
  const content = { 'application/json': { schema, examples: Object.fromEntries(examples) } };
  const shared = {
    description: help,
    tags: [action.about === 'site' ? 'site' : 'data'],
    responses: responses(action, concerned),
  };
  const needsToken = sideEffectFree ? {} : { security: [{ token: [] }, { bearer: [] }, { apiKey: [] }] };
  const post = {
    operationId: name,
    ...shared,
    ...needsToken,
    requestBody: { required: parameters.some((one) => one.required), content },
  };
  if (!sideEffectFree) return { post };
  return {
    get: { operationId: `get_${name}`, ...shared, parameters: described.map((one) => inQuery(one, concerned, bounds)) },
    post,
  };
}

function stream(
  { name, help, parameters }: StreamAction,
  concerned: readonly DocumentedResource[],
  bounds: Limits,
): JsonObject {
  return {
    operationId: name,
    description: help,
    tags: ['data'],
    parameters: parameters.map((one) => inQuery(one, concerned, bounds)),
    responses: {
      200: {
        description: 'Events, each named `changed`, until the client leaves.',
        content: { 'text/event-stream': { schema: { type: 'string' } } },
      },
      ...refusalReferences(),
    },
  };
}

function responses(
  action: TableAction | SiteAction | SelectAction,
  concerned: readonly DocumentedResource[],
): JsonObject {
  const result =
    action.about !== 'table'
      ? action.resultSchema
      : { anyOf: concerned.map((resource) => action.resultSchema(resource)) };
  const members = { help: { type: 'string' }, success: { const: true }, result };
  const envelope = closed(members, ['help', 'success', 'result']);
  return {
    200: { description: 'It went well.', content: { 'application/json': { schema: envelope } } },
    ...refusalReferences(),
  };
}

const refusalReferences = (): JsonObject =>
  Object.fromEntries(Object.keys(refusals()).map((status) => [status, { $ref: `#/components/responses/${status}` }]));
