/** Attack: find out what the filter asks, by naming its hidden column or by an error that names it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorOf, ofTenant, openSharedTables, type SharedTables } from '../../support/rows.ts';
import { byName, fewEngines } from '../../support/servers/engines.ts';

type Call = readonly [action: string, params: object];

/** Calls that name a column in every place for a name. */
function naming(column: string): readonly Call[] {
  const member = (value: unknown) => Object.fromEntries([[column, value]]);
  const filters = [
    ...[member(7), member([7, 8]), member({ ne: 8 }), member({ null: true }), { id: 1, ...member({ gt: 1 }) }],
    { $or: [{ id: 1 }, member(8)] },
    [member(7)],
  ];
  const searches = [
    ...[{ fields: column }, { fields: ['id', column] }, { fields: [column], distinct: true }],
    ...[{ sort: column }, { sort: `id, ${column} desc nulls last` }, { q: member('7') }],
    ...filters.map((filter) => ({ filters: filter })),
  ];
  const records = [[{ id: 1, ...member(8) }], [{ id: 100, ...member(7) }], [{ id: 2 }, { id: 1, ...member(null) }]];
  return [
    ...searches.map((params): Call => ['datastore_search', params]),
    ...[column, { field: column, bins: 3 }].map((by): Call => ['datastore_aggregate', { by }]),
    ...filters.map((filter): Call => ['datastore_aggregate', { by: 'name', filters: filter }]),
    ...measuring(column, filters).map((params): Call => ['datastore_aggregate', params]),
    ...['insert', 'update', 'upsert'].flatMap((method) =>
      records.map((list): Call => ['datastore_upsert', { method, records: list }]),
    ),
    ...filters
      .filter((filter) => !Array.isArray(filter))
      .map((filter): Call => ['datastore_records_delete', { filters: filter }]),
  ];
}

/** Measures that name a column in every place for a name. */
const measuring = (column: string, filters: readonly unknown[]): readonly object[] => [
  ...[column, { field: column, width: 1 }, { field: column, every: 'day' }].map((group) => ({
    ...{ groups: [group], measures: { n: 'count' } },
  })),
  ...['count', 'sum', 'avg', 'min', 'max', 'distinct'].map((fn) => ({ measures: { n: { [fn]: column } } })),
  ...filters.map((filter) => ({ measures: { n: { count: null, filters: filter } } })),
  { measures: { n: 'count' }, having: { [column]: 7 } },
  { measures: { n: 'count' }, sort: column },
];

const access = { read: 'token', write: 'token' };

describe.each(byName(fewEngines()))('on %s', (_, engine) => {
  let shared: SharedTables;
  beforeAll(async () => {
    const strict = { database: 'db', table: 'strict', access };
    shared = await openSharedTables(engine, {
      sql: [
        'CREATE TABLE strict (id int PRIMARY KEY, tenant int NOT NULL, region varchar(5) NOT NULL, name varchar(60))',
        "INSERT INTO strict VALUES (1, 7, 'north', 'one'), (11, 8, 'north', 'eleven')",
      ],
      resources: {
        stricts: { ...strict, where: ofTenant, columns: { tenant: { hidden: true } } },
        'of-two': {
          ...{ ...strict, where: { tenant: { in: [7, 9] }, region: 'north' } },
          columns: { tenant: { hidden: true }, region: { hidden: true } },
        },
        'of-none': { ...strict, where: { region: { ne: 'south' } }, columns: { region: { hidden: true } } },
      },
    });
  });
  afterAll(() => shared?.close());

  test('the hidden column of the filter is answered like a column that does not exist', async () => {
    const ask = async ([action, params]: Call) => {
      const { status, text } = await shared.call('seven', action, { resource_id: 'lines', ...params });
      return [action, JSON.stringify(params), status, text].map((one) => String(one).replaceAll('absent', 'tenant'));
    };
    const [hidden, absent] = [naming('tenant'), naming('absent')];
    expect(hidden.length).toBeGreaterThan(30);
    const before = await shared.stored('line');
    for (const [nth, call] of absent.entries()) {
      const answer = await ask(call);
      expect(await ask(hidden[nth] ?? ['', {}])).toEqual(answer);
      expect([answer[1], answer[2]]).toEqual([answer[1], '409']);
    }
    expect(await shared.stored('line')).toEqual(before);
  });

  test('a download that names the hidden column is answered like one of a column that does not exist', async () => {
    for (const query of [
      'fields=NAME',
      'sort=NAME',
      'filters={"NAME":7}',
      'q={"NAME":"7"}',
      'fields=id,NAME&sort=id',
    ]) {
      const ask = async (name: string) => {
        const { status, body } = await shared.get('seven', `/datastore/dump/lines?${query.replace('NAME', name)}`);
        return [status, body.toString().replaceAll(name, 'NAME')];
      };
      expect(await ask('tenant')).toEqual(await ask('absent'));
      expect((await ask('tenant'))[0]).toBe(400);
    }
  });

  test('no description names the hidden column of the filter', async () => {
    for (const [action, params] of [
      ['datastore_info', { resource_id: 'lines' }],
      ['datastore_search', { resource_id: 'lines' }],
      ['datastore_search', { resource_id: 'lines', limit: 0 }],
      ['resource_show', { id: 'lines' }],
    ] as const) {
      const { status, text } = await shared.call('seven', action, params);
      expect([action, status, text]).toEqual([action, 200, expect.not.stringContaining('tenant')]);
    }
    const { status, body } = await shared.get('seven', '/api/openapi.json?resource_id=lines');
    expect([status, body.toString()]).toEqual([200, expect.not.stringContaining('tenant')]);
  });

  test('no refused write names a hidden column of the filter', async () => {
    const before = [await shared.stored('line'), await shared.stored('stop')];
    const calls: readonly (readonly [string, string, readonly object[]])[] = [
      // A unique key with the hidden column, by the key of an own row.
      ['stops', 'insert', [{ line: 70, nr: 1, name: 'stop 1 1' }]],
      ['stops', 'update', [{ line: 1, nr: 1, name: 'stop 1 2' }]],
      ['stops', 'upsert', [{ line: 1, nr: 1, name: 'stop 2 1' }]],
      ['stops', 'upsert', [{ line: 1, nr: 3, name: 'taken' }]],
      // The filter leaves two values, so the hidden column stays without one.
      ['of-two', 'insert', [{ id: 100 }]],
      ['of-two', 'upsert', [{ id: 100 }, { id: 101 }]],
      // The filter gives no value to a column that must have one.
      ['of-none', 'insert', [{ id: 100, tenant: 7 }]],
      ['moveds', 'insert', [{ id: 100, name: 'move' }]],
      ['moveds', 'update', [{ id: 1, name: 'move' }]],
      ['stricts', 'update', [{ id: 11, name: 'taken' }]],
      ['stricts', 'insert', [{ id: 11, name: 'taken' }]],
    ];
    for (const [resource_id, method, records] of calls) {
      for (const more of [{}, { dry_run: true }, { include_records: true }]) {
        const answer = await shared.call('seven', 'datastore_upsert', { resource_id, method, records, ...more });
        expect([resource_id, method, answer.status]).toEqual([resource_id, method, 409]);
        const { records_field, ...error } = errorOf(answer);
        expect(JSON.stringify([records_field ?? null, error])).not.toMatch(
          resource_id.startsWith('of-') ? /"region|"tenant.*null value|north|7/ : /tenant|\b7\b|\b8\b/,
        );
      }
    }
    expect([await shared.stored('line'), await shared.stored('stop')]).toEqual(before);
  });

  test('a record without a column that the filter fixes gets its value, though the column must have one', async () => {
    await shared.result('seven', 'datastore_upsert', { resource_id: 'stricts', records: [{ id: 5, region: 'north' }] });
    const found = await shared.result('seven', 'datastore_search', { resource_id: 'stricts', filters: { id: 5 } });
    expect(found.records).toEqual([{ _id: 5, id: 5, region: 'north', name: null }]);
    const none = await shared.result('eight', 'datastore_search', { resource_id: 'stricts', filters: { id: 5 } });
    expect(none.total).toBe(0);
  });
});
