/** Pure. The OpenAPI 3.1 document: what this caller may read, in the words of the actions' own contracts. */
import type { JsonObject } from '../../value.ts';
import type { AnyAction, Limits, Listed, Parameter, Site } from '../action.ts';
import { download } from './download.ts';
import { refusalSchemas, refusals } from './errors.ts';
import { example } from './examples.ts';
import { inQuery, reference, type Shown, schemaOf } from './parameters.ts';
import { result } from './results.ts';
import { closed, filters, record, writtenRecord } from './tables.ts';

export function openApi(site: Site, bounds: Limits): JsonObject {
  const resources = site.resources.map(named).filter((resource) => resource !== null);
  const actions = site.actions
    .map((action) => ({ action, concerned: resources.filter((resource) => concerns(action, resource)) }))
    .filter(({ action, concerned }) => action.about === 'site' || concerned.length > 0);
  const paths = actions.map(({ action, concerned }) => [
    `/api/3/action/${action.name}`,
    path(action, concerned, site, bounds),
  ]);
  const schemas = [
    ...resources.flatMap(tableSchemas),
    ...actions.flatMap(({ action, concerned }) => bodies(action, concerned, bounds)),
  ];
  return {
    openapi: '3.1.0',
    info: {
      title: site.title,
      version: site.version,
      description:
        "CKAN's DataStore API in front of tables that exist. Answers carry `success`, and `result` or `error`.",
    },
    servers: [{ url: site.url }],
    security: [{}, { token: [] }, { bearer: [] }, { apiKey: [] }],
    paths: {
      ...Object.fromEntries(paths),
      ...(resources.length > 0 ? { '/datastore/dump/{id}': download(resources, bounds, refused()) } : {}),
    },
    components: {
      schemas: { ...Object.fromEntries(schemas), ...refusalSchemas() },
      responses: refusals(),
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: 'Authorization', description: 'The token as it is.' },
        bearer: { type: 'http', scheme: 'bearer' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-CKAN-API-Key' },
      },
    },
  };
}

/** A resource whose table is known, under a name that components may have. */
function named(resource: Listed, at: number): Shown | null {
  const { id, table } = resource;
  return table === null
    ? null
    : { ...resource, table, key: /^(?!resource-)[\w.-]+$/.test(id) ? id : `resource-${at + 1}` };
}

function concerns(action: AnyAction, { access }: Shown): boolean {
  if (action.about === 'site') return action.parameters.some(({ type }) => type === 'resource');
  return action.effect === 'read' || access.write === 'token';
}

type Named = readonly [name: string, schema: JsonObject];

function tableSchemas({ key, table, access }: Shown): readonly Named[] {
  const written: readonly Named[] = access.write === 'token' ? [[`${key}.written`, writtenRecord(table)]] : [];
  return [
    [`${key}.record`, record(table)],
    [`${key}.filters`, filters(table, reference(`${key}.filters`))],
    ...written,
  ];
}

/** What an action takes of each resource: a call is about one, and may name its columns only. */
function bodies(action: AnyAction, concerned: readonly Shown[], bounds: Limits): readonly Named[] {
  if (action.about === 'site') return [];
  return concerned.map((resource) => [`${resource.key}.${action.name}`, body(action.parameters, [resource], bounds)]);
}

function body(parameters: readonly Parameter[], resources: readonly Shown[], bounds: Limits): JsonObject {
  const members = parameters.map(
    (one) => [one.name, { description: one.help, ...schemaOf(one, resources, bounds) }] as const,
  );
  return closed(
    Object.fromEntries(members),
    parameters.filter((one) => one.required).map(({ name }) => name),
  );
}

function path(action: AnyAction, concerned: readonly Shown[], site: Site, bounds: Limits): JsonObject {
  const { name, help, parameters, sideEffectFree } = action;
  const names = site.actions.map((other) => other.name);
  const described = name === 'help_show' ? parameters.map((one) => ({ ...one, type: { words: names } })) : parameters;
  const schema =
    action.about === 'site'
      ? body(described, concerned, bounds)
      : { anyOf: concerned.map(({ key }) => reference(`${key}.${name}`)) };
  const examples = (concerned.length > 0 ? concerned : [null]).map(
    (resource) => [resource?.key ?? 'example', { value: example(action, resource) }] as const,
  );
  const content = { 'application/json': { schema, examples: Object.fromEntries(examples) } };
  const shared = {
    description: help,
    tags: [action.about === 'table' ? 'data' : 'site'],
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

function responses(action: AnyAction, concerned: readonly Shown[]): JsonObject {
  const envelope = closed(
    { help: { type: 'string' }, success: { const: true }, result: result(action, concerned) ?? {} },
    ['help', 'success', 'result'],
  );
  return {
    200: { description: 'It went well.', content: { 'application/json': { schema: envelope } } },
    ...refused(),
  };
}

const refused = (): JsonObject =>
  Object.fromEntries(Object.keys(refusals()).map((status) => [status, { $ref: `#/components/responses/${status}` }]));
