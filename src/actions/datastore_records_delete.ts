import { invalid } from '../errors.ts';
import { isObject } from '../json.ts';
import type { Json, JsonObject } from '../plan.ts';
import { type Action, action, type Parameter } from './action.ts';
import { saysNothing, where } from './filters.ts';
import { Params, resourceId } from './params.ts';

interface Asked {
  readonly id: string;
  readonly filters: Json | undefined;
}

const parameters: readonly Parameter[] = [
  resourceId,
  {
    name: 'filters',
    type: 'filters',
    required: true,
    help: 'Which records, as in a search. Filters that match every record (`{}`) are refused unless the resource has `access: { deleteAll: true }`.',
  },
];

/** Contract 7.2, with the guard of design part 6: filters that say nothing delete nothing unless `deleteAll` allows it. */
const datastoreRecordsDelete: Action<Asked> = {
  name: 'datastore_records_delete',
  effect: 'write',
  sideEffectFree: false,
  help: 'Delete the records of a resource that match all filters. The table itself is never touched.',
  parameters,
  example: { resource_id: 'example', filters: { id: 1 } },

  /** Only the id is checked here: an unknown resource is a 404 before anything is said of the filters. */
  parse(given) {
    const params = new Params(given);
    const id = params.resourceId();
    params.check();
    return { id, filters: Object.hasOwn(given, 'filters') ? given.filters : undefined };
  },

  resource: (asked) => asked.id,

  plan(asked, { table, access }, bounds) {
    const condition = where(filters(asked.filters), table, bounds.inValues);
    if (saysNothing(condition) && !access.deleteAll) {
      throw invalid({
        filters: [
          'must name at least one field: these filters match every record, and deleting all is not enabled for this resource',
        ],
      });
    }
    return { effect: 'delete', table, where: condition };
  },

  result: (asked, table) => ({
    members: [
      ['resource_id', table.resource],
      ['filters', filters(asked.filters)],
    ],
  }),
};
export const datastore_records_delete = action(datastoreRecordsDelete);

function filters(asked: Json | undefined): JsonObject {
  if (asked === undefined) throw invalid({ filters: ['Missing value'] });
  if (!isObject(asked)) throw invalid({ filters: ['Must be a dict'] });
  return asked;
}
