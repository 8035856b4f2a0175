/**
 * CKAN actions that the gateway does not implement, but must not forward if they name one of our resources: CKAN would create an empty
 * table of that name, and then show it in place of the legacy table.
 */
import type { ActionDescription, Parameter } from '../actions/action.ts';
import type { Gateway } from '../app/gateway.ts';
import { invalid } from '../model/errors.ts';
import type { Json, JsonObject } from '../model/value.ts';
import { isList, isObject, toJson } from '../values/json.ts';
import { truncate } from '../values/truncate.ts';

/** The properties of an action that are needed to read the parameters of a call. */
export type Guarded = Pick<ActionDescription, 'sideEffectFree'> & {
  readonly parameters: readonly Pick<Parameter, 'type'>[];
};

const write: Guarded = { sideEffectFree: false, parameters: [{ type: 'records' }] };

/** The guarded actions, by name. Their calls are parsed, and forwarded if they name no resource of ours. */
export const guardedActions: ReadonlyMap<string, Guarded> = new Map([
  ['datastore_create', write],
  ['datastore_run_triggers', write],
  ['datastore_function_create', write],
  ['datastore_function_delete', write],
  ['datapusher_submit', write],
  ['xloader_submit', write],
]);

/** Throws a 409 if a call of a guarded action names a resource of ours. */
export function refuseOurResources(gateway: Gateway, action: string, params: JsonObject): void {
  for (const [parameter, name] of namesIn(params)) {
    const instead = 'its table is changed in its own database, and its records by datastore_upsert';
    if (gateway.byName.get(name) !== undefined)
      throw invalid({ [parameter]: [`${isOurs(name)} and takes no ${action}: ${instead}`] });
  }
}

const isOurs = (name: string) => `"${truncate(name)}" is a resource of the gateway`;

/** The names of tables and functions in the parameters, each with the name of its parameter. */
function namesIn({ id, resource_id, name, resource, aliases }: JsonObject): readonly (readonly [string, string])[] {
  const aliasList = typeof aliases === 'string' ? aliases.split(',') : (aliases ?? null);
  const candidates: readonly (readonly [string, Json | undefined])[] = [
    ['id', id],
    ['resource_id', resource_id],
    ['name', name],
    ['resource', isObject(resource) ? resource.id : undefined],
    ...(isList(aliasList) ? aliasList : []).map((one) => ['aliases', one] as const),
  ];
  return candidates.map(([parameter, one]) => {
    const text = typeof one === 'string' ? one : one == null ? '' : toJson(one);
    return [parameter, text.trim().replace(/^"(.*)"$/, '$1')];
  });
}
