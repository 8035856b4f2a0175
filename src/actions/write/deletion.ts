/** The common part of `datastore_delete` and `datastore_records_delete`. */
import { invalid } from '../../model/errors.ts';
import type { Json, JsonObject } from '../../model/value.ts';
import { type Action, action, type Parameter, type TableAction } from '../action.ts';
import { echoed, records } from '../openapi/result-schemas.ts';
import { namesOf, Params, resourceId } from '../params.ts';
import { matchesEverything, where } from '../query/filters.ts';
import { dryRunParameter, refuseDryRun } from './dry-run.ts';

interface DeleteParameters {
  readonly id: string;
  readonly given: JsonObject;
  readonly shows: boolean;
  readonly dryRun: boolean;
}

const parameters: readonly Parameter[] = [
  resourceId,
  {
    name: 'filters',
    type: 'filters',
    required: true,
    help: 'Which records, as in `datastore_search`, but never as JSON in a text. Filters that match everything need `access: { deleteAll: true }`.',
  },
  {
    name: 'include_deleted_records',
    type: 'flag',
    default: false,
    help: 'Whether `deleted_records` of the answer shows what was deleted, with all columns and in the order of the key, at most `limits.rowsMax` records. Needs the right to read.',
  },
  dryRunParameter,
  { name: 'force', type: 'flag', default: false, help: 'Accepted: no resource needs it here.' },
  {
    name: 'calculate_record_count',
    type: { words: ['background'], orFlag: true },
    default: 'background',
    help: 'Accepted: records are counted when they are searched.',
  },
];
const known = namesOf(parameters);

const deletesAll =
  'must name at least one field: these filters match every record, and deleting all is not enabled for this resource';
const cannotShow =
  'must be false: this table has no transactions, so it cannot be told which records this call deleted';

/**
 * Makes an action that deletes records, and never a table. Filters that match every record are refused unless
 * `access.deleteAll` allows them. `own.filters` returns the filters that were sent, and throws the action's own refusal for any
 * other value.
 */
export function deletion(own: {
  readonly name: string;
  readonly help: string;
  readonly refusesOthers: boolean;
  filters(sent: Json | undefined): JsonObject;
}): TableAction {
  const { name, help } = own;
  const filtersOf = ({ given }: DeleteParameters) =>
    own.filters(Object.hasOwn(given, 'filters') ? given.filters : undefined);
  const member: Action<DeleteParameters> = {
    name,
    effect: 'write',
    sideEffectFree: false,
    help,
    parameters,
    example: { resource_id: 'example', filters: { id: 1 } },

    /** Checks only the resource id, so that an unknown resource is a 404 even if the filters are invalid. */
    parse(given) {
      const params = new Params(given);
      const id = params.resourceId();
      params.check();
      const shows = params.boolean('include_deleted_records', false);
      return { id, given, shows, dryRun: params.strictBoolean('dry_run') };
    },

    resource: (parsed) => parsed.id,

    // A dry run needs read permission: its refusals reveal which records are referenced, and it can be repeated without a trace.
    revealsRecords: (parsed) => parsed.shows || parsed.dryRun,

    plan(parsed, { table, access }, bounds) {
      const params = new Params(parsed.given);
      if (own.refusesOthers) params.refuseUnknown(known);
      params.flagOr('calculate_record_count', ['background'], 'background');
      const dryRun = params.strictBoolean('dry_run');
      params.check();
      const condition = where(filtersOf(parsed), table, bounds);
      if (matchesEverything(condition) && !access.deleteAll) throw invalid({ filters: [deletesAll] });
      if (dryRun) refuseDryRun(table);
      if (parsed.shows && !table.transactional && !table.allowPartial)
        throw invalid({ include_deleted_records: [cannotShow] });
      const returned = parsed.shows ? { columns: table.columns, limit: bounds.rowsMax } : null;
      return { effect: 'delete', table, where: condition, returned, dryRun };
    },

    result: (parsed, table, { rows }) => ({
      members: [
        ['resource_id', table.resource],
        ['filters', filtersOf(parsed)],
        ...((parsed.given.dry_run ?? null) === null ? [] : [['dry_run', parsed.dryRun] as const]),
        ...(rows === null ? [] : [['deleted_records', rows, 'objects'] as const]),
      ],
    }),

    resultSchema: (resource) => echoed(parameters, resource, { deleted_records: records(resource) }),
  };
  return action(member);
}
