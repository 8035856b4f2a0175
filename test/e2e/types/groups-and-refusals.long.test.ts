/** Groups of every type, and values that a type does not have. The tables are those of `round-trip.test.ts`. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { groupFaults } from '../../support/groups.ts';
import { fewEngines } from '../../support/servers/engines.ts';
import { asFilter, type OpenTables, openTables } from './open-tables.ts';
import { type Table, tablesOf } from './tables.ts';

/** One number of ranges for each table in `npm test`, larger ones and all of them in `npm run fuzz`: each range costs a search. */
const binsOf = ({ at }: Table) =>
  process.env.FUZZ_CASES === undefined ? [2, 7, 60].filter((_, nth) => nth === at % 3) : [2, 7, 60, 300];

describe.each(fewEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  const tables = tablesOf(engine);
  const withNames = (some: readonly Table[]) => some.map((table) => [table.name, table] as const);
  const filterable = tables.filter((table) => table.unfilterable === undefined && table.thorough);
  let open: OpenTables;
  beforeAll(async () => {
    open = await openTables(engine, tables);
  });
  afterAll(() => open?.close());

  test.each(withNames(filterable))('%s: each group has the filters that find exactly its records', async (_, table) => {
    const resource = `f${table.at}`;
    const kind = await open.gateway.result('datastore_info', { id: resource, include_meta: false });
    const type = JSON.stringify(kind.fields);
    if (table.documents || /"id":"v","type":"(?:_|bytea|json)/.test(type)) {
      const refused = await open.gateway.call('datastore_aggregate', { resource_id: resource, by: 'v' });
      expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('has no groups')]);
      return;
    }
    expect(await groupFaults(open.gateway, { resource_id: resource, by: 'v', limit: 500 })).toEqual([]);
    const isBits = table.column.startsWith('bit');
    if (isBits || !/"id":"v","type":"(?:int\d|numeric|float\d|date|timestamp(?:tz)?)"/.test(type)) return;
    for (const bins of binsOf(table))
      expect(await groupFaults(open.gateway, { resource_id: resource, by: { field: 'v', bins } })).toEqual([]);
  });

  const withBeyond = tables.filter(
    ({ thorough, beyond, absent, unwritable }) => thorough && (beyond ?? absent ?? unwritable),
  );
  test.each(withNames(withBeyond))(
    '%s: a value that no column can hold matches nothing and is not written',
    async (_, table) => {
      const { at, beyond = [], absent = [], unwritable = [] } = table;
      const [first] = table.values;
      const answers = await Promise.all(
        [...beyond, ...absent].map(async (json) => [
          json,
          await open.ids(`f${at}`, asFilter(table, json)),
          await open.ids(`f${at}`, `[${json},${first?.[1]}]`),
        ]),
      );
      expect(answers).toEqual([...beyond, ...absent].map((json) => [json, [], [1]]));
      const refused = await Promise.all(
        [...beyond, ...unwritable].map(async (json) => [json, await refusal(table, json)]),
      );
      expect(refused).toEqual([...beyond, ...unwritable].map((json) => [json, [409, 'v']]));
    },
  );

  // Only the kind of the column decides, before a database is asked.
  test.each(withNames(filterable.filter(({ documents }) => !documents)))(
    '%s: a value that it does not have is refused by name',
    async (_, table) => {
      const { at, column, wrong = [], blank, lists } = table;
      const all = [...wrong, ...(lists ? [] : ['[1]'])];
      const answers = await Promise.all(
        all.map(async (json) => {
          const filter = await open.gateway.call(
            'datastore_search',
            `{"resource_id":"f${at}","filters":{"v":[${json}]}}`,
          );
          return [json, filter.status, /\\"v\\"/.test(filter.text), ...(await refusal(table, json))];
        }),
      );
      expect(answers).toEqual(all.map((json) => [json, 409, true, 409, 'v']));
      expect(await refusal(table, '{"a":1}')).toEqual([409, 'v']);
      if (!blank && !/bit/.test(column)) expect(await open.ids(`f${at}`, '""')).toContain('\\"v\\"');
    },
  );

  /** The status and the `records_field` of a write with this value. */
  async function refusal({ at }: Table, json: string): Promise<readonly unknown[]> {
    const answer = await open.upsert(`w${at}`, 'insert', [`{"id":99999,"v":${json}}`]);
    return [answer.status, JSON.parse(answer.text).error?.records_field ?? answer.text];
  }
});
