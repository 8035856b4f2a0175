/** Attack: learn the size of the table, its least or greatest value, or a row by the cursor of another caller. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Caller, errorOf, insideOf, openSharedTables, recordsIn, type SharedTables } from '../../support/rows.ts';
import { byName, fewEngines } from '../../support/servers/engines.ts';

describe.each(byName(fewEngines()))('on %s', (_, engine) => {
  let shared: SharedTables;
  beforeAll(async () => {
    shared = await openSharedTables(engine);
  });
  beforeEach(() => shared.reset('line'));
  afterAll(() => shared?.close());

  test('a description has no sizes, and the count of the rows inside', async () => {
    for (const resource_id of ['lines', 'open-lines']) {
      const { meta } = await shared.result('seven', 'datastore_info', { resource_id });
      expect(meta).toMatchObject({
        ...{ count: insideOf('line').length, size: null, idx_size: null, db_size: null },
      });
    }
    const { meta } = await shared.result('truth', 'datastore_info', { resource_id: 'all-line' });
    expect(meta).toMatchObject({ db_size: expect.any(Number), size: expect.any(Number) });
  });

  test('a description is the same whatever others write', async () => {
    const ask = async () => (await shared.call('seven', 'datastore_info', { resource_id: 'lines' })).text;
    const before = await ask();
    const records = Array.from({ length: 500 }, (_, nth) => ({ id: 1000 + nth, tenant: 8, note: 'x'.repeat(200) }));
    await shared.result('truth', 'datastore_upsert', { resource_id: 'all-line', method: 'insert', records });
    expect(await ask()).toBe(before);
  });

  test('a cursor of another caller leads to own rows only', async () => {
    const next = async (as: Caller, resource_id: string, sort: string) => {
      const params = { resource_id, sort, limit: 2, include_next_page: true };
      const { next_page } = await shared.result(as, 'datastore_search', params);
      const page = Object(next_page);
      return 'after' in page ? { after: page.after } : { filters: page };
    };
    const own = insideOf('line').map(({ id }) => Number(id));
    for (const sort of ['id', 'n desc', 'day', 'name', 'region nulls first']) {
      const cursor = await next('eight', 'lines', sort);
      const { records, total } = await shared.result('seven', 'datastore_search', {
        ...{ resource_id: 'lines', sort, ...cursor },
      });
      expect(own).toEqual(expect.arrayContaining(recordsIn(records).map(({ id }) => Number(id))));
      if ('after' in cursor) expect(total).toBe(own.length);
      // The cursor of a resource is of no use for another one.
      const other = await next('truth', 'all-line', sort);
      if (!('after' in other)) continue;
      const refused = await shared.call('seven', 'datastore_search', { resource_id: 'lines', sort, ...other });
      expect([refused.status, Object.keys(errorOf(refused))]).toEqual([409, ['after']]);
    }
  });

  test('ranges begin and end with values of rows inside', async () => {
    for (const by of [
      { field: 'n', bins: 4 },
      { field: 'day', bins: 5 },
      { field: 'day', every: 'year' },
      { field: 'price', bins: 3 },
      { field: 'id', bins: 7 },
    ]) {
      const groups = async (as: Caller, resource_id: string, filters: object) => {
        const params = { resource_id, by, filters };
        const { records, ...rest } = await shared.result(as, 'datastore_aggregate', params);
        const counts = recordsIn(records).map(({ from, to, count }) => ({ from, to, count }));
        return { counts, total: rest.total, nulls: rest.nulls, others: rest.others };
      };
      expect(await groups('seven', 'lines', {})).toEqual(await groups('truth', 'all-line', { tenant: 7 }));
      expect(await groups('truth', 'all-line', {})).not.toEqual(await groups('truth', 'all-line', { tenant: 7 }));
    }
  });

  test('a refusal for too many ranges names the least and the greatest value inside', async () => {
    const ask = async (as: Caller, resource_id: string, filters: object) =>
      errorOf(
        await shared.call(as, 'datastore_aggregate', { resource_id, by: { field: 'day', every: 'day' }, filters }),
      );
    const inside = await ask('seven', 'lines', {});
    expect(JSON.stringify(inside)).toContain('2020-03-01');
    expect(JSON.stringify(inside)).toContain('2025-03-01');
    expect(inside).toEqual(await ask('truth', 'all-line', { tenant: 7 }));
    expect(await ask('truth', 'all-line', {})).not.toEqual(inside);
  });
});
