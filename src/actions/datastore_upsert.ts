import { invalid } from '../model/errors.ts';
import type { Member } from '../model/http.ts';
import type { Write, WriteRecord } from '../model/plan.ts';
import type { Table } from '../model/table.ts';
import type { Json, JsonObject } from '../model/value.ts';
import { isList, readJson } from '../values/json.ts';
import { show } from '../values/show.ts';
import { type Action, action, type Bounds, type Parameter } from './action.ts';
import { echoed, records } from './openapi/result-schemas.ts';
import { namesOf, Params, resourceId } from './params.ts';
import { dryRunParameter, refuseDryRun } from './write/dry-run.ts';
import { writeRecords } from './write/records.ts';

type Method = Write['method'];
interface UpsertParameters {
  readonly id: string;
  readonly method: Method;
  readonly records: readonly Json[];
  readonly dryRun: boolean;
  readonly shows: boolean;
  readonly echo: JsonObject;
}

const methods = ['upsert', 'insert', 'update'] as const;
const parameters: readonly Parameter[] = [
  resourceId,
  {
    name: 'records',
    type: 'records',
    help: 'The records, all of which are written or none. Absent columns stay untouched (or take their default), an explicit `null` is NULL, `""` is NULL in columns that are not text. A form sends the list as JSON.',
  },
  {
    name: 'method',
    type: { words: methods },
    default: 'upsert',
    help: '`upsert` updates the record with this key or inserts it. Records are found by `_id` where they have it, else by the key.',
  },
  { name: 'force', type: 'flag', default: false, help: 'Accepted: no resource needs it here.' },
  {
    name: 'include_records',
    type: 'flag',
    default: false,
    help: 'Whether `records` of the answer shows each record with all its columns as it is when all are written, after defaults and triggers; a record that the call names twice is shown once. Needs the right to read.',
  },
  dryRunParameter,
  {
    name: 'calculate_record_count',
    type: { words: ['background'], orFlag: true },
    default: 'background',
    help: 'Accepted and echoed: records are counted when they are searched.',
  },
];
const known = namesOf(parameters);

/** Writes records (docs/ckan-compatibility.md, datastore_upsert). */
const datastoreUpsert: Action<UpsertParameters> = {
  name: 'datastore_upsert',
  effect: 'write',
  sideEffectFree: false,
  help: 'Insert, update or upsert records of a resource, all of them or none.',
  parameters,
  example: { resource_id: 'example', method: 'upsert', records: [{ id: 1, name: 'Jones' }] },

  parse(given, bounds) {
    const params = new Params(given);
    const id = params.resourceId();
    const method = params.word<Method>('method', methods, 'upsert');
    // CKAN accepts an empty method, writes nothing and reports success: we refuse it.
    if (params.raw('method') === '')
      params.complain('method', `Value must be one of [${methods.map((word) => `'${word}'`).join(', ')}]`);
    const records = readRecords(params, bounds);
    const dryRun = params.strictBoolean('dry_run');
    const shows = params.boolean('include_records', false);
    const counting = params.flagOr('calculate_record_count', ['background'], 'background');
    params.check();
    const extras = params.unknownParameters(known);
    return {
      id,
      method,
      records,
      dryRun,
      shows,
      echo: {
        ...(extras === null ? {} : { __extras: extras }),
        calculate_record_count: counting,
        ...(params.raw('dry_run') === undefined ? {} : { dry_run: dryRun }),
        ...(params.raw('method') === undefined ? {} : { method }),
      },
    };
  },

  resource: (parsed) => parsed.id,

  // A dry run needs read permission: its refusals reveal which keys exist, and it can be repeated without a trace.
  revealsRecords: (parsed) => parsed.shows || parsed.dryRun,

  *plan({ method, dryRun, shows, records: sent }, { table }) {
    if (dryRun) refuseDryRun(table);
    refuseWithoutTransactions(table, sent.length, shows);
    const records = yield* writeRecords(sent, method, table);
    if (shows && records.length > 0) refuseUnfindable(records, table);
    return { effect: 'write', method, table, records, returned: shows ? table.columns : null, dryRun };
  },

  result({ echo, records }, table, { rows }, { older }) {
    const members: Member[] = [...Object.entries(echo), ['resource_id', table.resource]];
    if (rows !== null) members.push(['records', rows, 'objects']);
    // An empty list shows a client that misspelt `records` that nothing was written.
    else if (older !== null || records.length === 0) members.push(['records', records]);
    return { members };
  },

  resultSchema: (resource) =>
    echoed(parameters, resource, { records: records(resource), __extras: { type: 'object' } }),
};
export const datastore_upsert = action(datastoreUpsert);

/** The list of records. A string is parsed as JSON, because a form field can only hold a string. */
function readRecords(params: Params, { depth, recordsPerUpsert }: Bounds): readonly Json[] {
  const raw = params.raw('records') ?? [];
  const parsedJson = typeof raw === 'string' ? readJson(raw, depth) : { value: raw };
  const list: Json = 'value' in parsedJson ? parsedJson.value : raw;
  if (!isList(list)) {
    params.complain('records', `must be a list of objects, got: ${show(list)}`);
    return [];
  }
  if (list.length > recordsPerUpsert)
    params.complain('records', `must be at most ${recordsPerUpsert} records, got: ${list.length}`);
  return list;
}

/** Refuses calls that need a transaction: several records, because a failed one must undo the others, and `include_records`. */
function refuseWithoutTransactions(table: Table, records: number, shows: boolean): void {
  if (table.transactional || table.allowPartial) return;
  const because = 'this table has no transactions';
  if (records > 1)
    throw invalid({
      records: [
        `must be at most one record, got: ${records}; ${because}, so a failing record could not undo the others`,
      ],
    });
  if (shows)
    throw invalid({
      include_records: [`must be false: ${because}, so the record may be another's by the time it is read`],
    });
}

/** Refuses `include_records` unless all written records can be read back by the same key columns, in one query. */
function refuseUnfindable(records: readonly WriteRecord[], table: Table): void {
  const found = new Set(records.map(({ key }) => key?.columns ?? table.key));
  const keys = new Set([...found].map((columns) => columns.map(({ label }) => label).join(', ')));
  if (table.keyIs === 'none')
    throw invalid({
      include_records: ['must be false: this table has no key by which its records could be found again'],
    });
  if (keys.size > 1)
    throw invalid({
      include_records: [
        `must be false where some records are found by one key and some by another, got: ${[...keys].join('; ')}`,
      ],
    });
}
