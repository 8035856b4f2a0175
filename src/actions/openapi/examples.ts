/** Pure. An example call of an action that works on this gateway and changes nothing. */
import { isComparable } from '../../model/table.ts';
import type { JsonObject } from '../../model/value.ts';
import type { AnyAction, Site } from '../action.ts';
import { canGroup } from '../aggregate/ranges.ts';
import type { DocumentedResource } from './parameters.ts';

/** @param resource the resource of the call; null if the call has none */
export function example(action: AnyAction, resource: DocumentedResource | null, site: Site): JsonObject {
  const { name, parameters } = action;
  if (resource === null) return (action.about === 'site' ? action.exampleOn?.(site) : null) ?? action.example;
  if (action.about === 'select') return action.exampleOf(resource.id);
  const { id, table } = resource;
  const comparable = table.columns.filter(({ type }) => isComparable(type)).map(({ label }) => label);
  const values: JsonObject = {
    id,
    resource_id: id,
    limit: 2,
    fields: table.columns.slice(0, 3).map(({ label }) => label),
    sort: comparable.slice(0, 1).map((label) => `${label} desc`),
    // Deletes get a filter that matches no record, because its list of values is empty.
    filters:
      name === 'datastore_search' || name === 'datastore_aggregate'
        ? {}
        : Object.fromEntries(comparable.slice(0, 1).map((label) => [label, []])),
    records: [],
    by: table.columns.find(canGroup)?.label ?? '',
  };
  // Leave out text parameters: datastore_aggregate's `sort` is a text, while `values` has a list of columns.
  const shown = parameters.filter(({ name, type }) => values[name] !== undefined && type !== 'text');
  return Object.fromEntries(shown.map(({ name }) => [name, values[name] ?? null]));
}
