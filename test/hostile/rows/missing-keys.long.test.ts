/** Attack: tell a key of another tenant from one that does not exist. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openSharedTables, type SharedTables } from '../../support/rows.ts';
import { byName, fewEngines } from '../../support/servers/engines.ts';

describe.each(byName(fewEngines()))('on %s', (_, engine) => {
  let shared: SharedTables;
  beforeAll(async () => {
    shared = await openSharedTables(engine);
  });
  beforeEach(() => shared.reset('line', 'stop'));
  afterAll(() => shared?.close());

  const write = async (resource_id: string, method: string, records: readonly object[], more = {}) => {
    const { status, text } = await shared.call('seven', 'datastore_upsert', { resource_id, method, records, ...more });
    return { status, text };
  };
  /** Compares two answers after the key of the second one is replaced by that of the first. */
  const expectAlike = (
    one: Awaited<ReturnType<typeof write>>,
    other: Awaited<ReturnType<typeof write>>,
    ...replaced: readonly (readonly [string, string])[]
  ) => {
    const text = replaced.reduce((text, [from, to]) => text.replaceAll(from, to), other.text);
    expect({ ...other, text }).toEqual(one);
    expect(one.status).toBe(409);
  };

  test.each([[{}], [{ dry_run: true }], [{ include_records: true }]])(
    'an update of a row outside is answered like that of a missing one, with %j',
    async (more) => {
      for (const name of ['id', '_id']) {
        const missing = await write('lines', 'update', [{ [name]: 99, n: 1 }], more);
        expect(missing.text).toContain('not found');
        expectAlike(missing, await write('lines', 'update', [{ [name]: 11, n: 1 }], more), ["'11'", "'99'"]);
        const second = await write('lines', 'update', [{ id: 1 }, { [name]: 99, n: 1 }], more);
        expectAlike(second, await write('lines', 'update', [{ id: 1 }, { [name]: 12, n: 1 }], more), ["'12'", "'99'"]);
      }
      const missing = await write('stops', 'update', [{ line: 9, nr: 9, name: 'x' }], more);
      expectAlike(
        missing,
        await write('stops', 'update', [{ line: 1, nr: 3, name: 'x' }], more),
        ["'1'", "'9'"],
        ["'3'", "'9'"],
      );
    },
  );

  test.each(['insert', 'upsert'])(
    'an %s of a key outside is answered like a duplicate that is visible',
    async (method) => {
      for (const more of [{}, { dry_run: true }, { include_records: true }]) {
        const visible = await write('lines', 'insert', [{ id: 1 }], more);
        expect(visible.text).toContain('duplicate key');
        expectAlike(visible, await write('lines', method, [{ id: 11 }], more));
        const second = await write('lines', 'insert', [{ id: 100 }, { id: 1, name: 'x' }], more);
        expectAlike(second, await write('lines', method, [{ id: 100 }, { id: 11, name: 'x' }], more));
        const ofTwo = await write('stops', 'insert', [{ line: 1, nr: 1, name: 'new' }], more);
        expectAlike(ofTwo, await write('stops', method, [{ line: 1, nr: 3, name: 'new' }], more));
      }
    },
  );

  test('another unique value of a row outside is answered like one that is visible', async () => {
    const visible = await write('lines', 'insert', [{ id: 100, code: '7-1' }]);
    expect(visible.text).toContain('duplicate key');
    expectAlike(visible, await write('lines', 'insert', [{ id: 100, code: '8-1' }]));
    expectAlike(
      await write('lines', 'upsert', [{ id: 1, code: '7-1' }]),
      await write('lines', 'upsert', [{ id: 1, code: '8-1' }]),
    );
    expectAlike(
      await write('lines', 'update', [{ id: 1, code: '7-1' }]),
      await write('lines', 'update', [{ id: 1, code: '8-1' }]),
    );
  });

  test('a unique key with the column of the filter does not tell of rows outside', async () => {
    const before = await shared.outside('stop');
    const records = [{ line: 50, nr: 1, name: 'stop 3 1' }];
    const { status, text } = await write('stops', 'insert', records);
    expect([status, text]).toEqual([200, expect.any(String)]);
    expect(await shared.outside('stop')).toEqual(before);
  });

  test('a search, a delete or a description of a key outside is that of a missing one', async () => {
    for (const [action, params] of [
      ['datastore_search', {}],
      ['datastore_search', { include_total: false, fields: ['name'] }],
      ['datastore_aggregate', { by: 'name' }],
      ['datastore_records_delete', { include_deleted_records: true }],
      ['datastore_records_delete', { dry_run: true }],
      ['datastore_delete', {}],
    ] as const) {
      const ask = async (id: number) => {
        const { status, text } = await shared.call('seven', action, {
          resource_id: 'lines',
          filters: { id },
          ...params,
        });
        return [status, text.replaceAll(String(id), 'ID')];
      };
      expect([params, ...(await ask(12))]).toEqual([params, ...(await ask(99))]);
    }
  });
});
