/** Pure. The building blocks of the JSON Schemas of results. */
import type { JsonObject } from '../../model/value.ts';
import type { Parameter, SchemaResource } from '../action.ts';
import { echo, reference } from './parameters.ts';
import { closed } from './tables.ts';

export const text: JsonObject = { type: 'string' };
export const flag: JsonObject = { type: 'boolean' };
export const count: JsonObject = { type: 'integer', minimum: 0 };
export const nothing: JsonObject = { type: 'null' };
export const list = (items: JsonObject): JsonObject => ({ type: 'array', items });

/** The schema of the caller's permissions. */
export const may: JsonObject = closed({ read: flag, aggregate: flag, write: flag, deleteAll: flag }, [
  'read',
  'aggregate',
  'write',
  'deleteAll',
]);

/** The schema of the records of one resource, in any of the formats. */
export function records({ key }: SchemaResource): JsonObject {
  return { anyOf: [list(reference(`${key}.record`)), list({ type: 'array' }), text] };
}

/** The schema of a result that repeats the parameters of its call. */
export function echoed(parameters: readonly Parameter[], { id }: SchemaResource, result: JsonObject): JsonObject {
  const echoes = parameters.map((parameter) => [parameter.name, echo(parameter)] as const);
  return closed({ ...Object.fromEntries(echoes), resource_id: { const: id }, ...result }, ['resource_id']);
}
