/** Attack: delete a row of another tenant, or see it as a deleted one. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openSharedTables, recordsIn, type SharedTables } from '../../support/rows.ts';
import { byName, fewEngines } from '../../support/servers/engines.ts';

const filters: readonly (readonly [string, object])[] = [
  ['the key', { id: 11 }],
  ['a list of keys', { id: [1, 11, 12] }],
  ['a range', { id: { gt: 2 } }],
  ['ne', { id: { ne: 1 } }],
  ['nin', { region: { nin: ['north'] } }],
  ['null', { region: null }],
  ['like', { note: { like: '%line%' } }],
  ['$or', { $or: [{ id: 12 }, { id: 2 }] }],
  ['$or beside a condition', { n: { gte: 0 }, $or: [{ id: 11 }, { name: 'alpha' }] }],
  ['nested $or', { $and: [{ $or: [{ id: 11 }, { $or: [{ code: '8-2' }, { id: 3 }] }] }] }],
  ['a value that only others have', { note: { like: 'zebra%' } }],
  ['no condition', {}],
];

describe.each(byName(fewEngines()))('on %s', (_, engine) => {
  let shared: SharedTables;
  beforeAll(async () => {
    shared = await openSharedTables(engine);
  });
  beforeEach(() => shared.reset('line'));
  afterAll(() => shared?.close());

  test.each(filters)('by %s only own rows are deleted, and shown as deleted', async (_, filter) => {
    const matching = async () => {
      const params = { resource_id: 'all-line', filters: { $and: [{ tenant: 7 }, filter] }, sort: 'id' };
      return recordsIn((await shared.result('truth', 'datastore_search', params)).records).map(({ id }) => id);
    };
    const all = await shared.stored('line');
    const own = await matching();
    const call = { resource_id: 'lines', filters: filter };
    const ids = (result: Readonly<Record<string, unknown>>) => recordsIn(result.deleted_records).map(({ id }) => id);

    const shown = await shared.result('seven', 'datastore_records_delete', {
      ...{ ...call, dry_run: true, include_deleted_records: true },
    });
    expect(ids(shown)).toEqual(own);
    expect(recordsIn(shown.deleted_records).filter((record) => 'tenant' in record)).toEqual([]);
    expect(await shared.stored('line')).toEqual(all);

    await shared.result('seven', 'datastore_delete', call);
    expect(await shared.stored('line')).toEqual(all.filter(({ id }) => !own.includes(id ?? null)));
    expect(await matching()).toEqual([]);

    await shared.reset('line');
    const deleted = await shared.result('seven', 'datastore_records_delete', {
      ...call,
      include_deleted_records: true,
    });
    expect(ids(deleted)).toEqual(own);
    expect(await shared.stored('line')).toEqual(all.filter(({ id }) => !own.includes(id ?? null)));
  });

  test('two filters together delete what both let through', async () => {
    const all = await shared.stored('line');
    await shared.result('north', 'datastore_records_delete', { resource_id: 'lines', filters: {} });
    expect(await shared.stored('line')).toEqual(all.filter(({ tenant, region }) => tenant !== 7 || region !== 'north'));
    const before = await shared.stored('line');
    await shared.result('north', 'datastore_records_delete', { resource_id: 'lines', filters: {} });
    expect(await shared.stored('line')).toEqual(before);
  });

  test('a caller whose token does not say which rows deletes none', async () => {
    const all = await shared.stored('line');
    for (const filter of [{}, { id: 1 }, { id: { ne: 1 } }]) {
      const answer = await shared.call('truth', 'datastore_records_delete', { resource_id: 'lines', filters: filter });
      expect(answer.status).toBe(403);
    }
    expect(await shared.stored('line')).toEqual(all);
  });
});
