/** Every form that a filter may have in the configuration leaves the rows that the same `filters` find. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSharedTables, recordsIn, rowsOf, type SharedTables } from '../../support/rows.ts';
import { byName, fewEngines } from '../../support/servers/engines.ts';

const access = { read: 'token', write: 'token', deleteAll: true };
const wheres: readonly (readonly [string, object])[] = [
  ['a value', { tenant: 7 }],
  ['two columns', { tenant: 7, region: 'north' }],
  ['NULL', { region: null }],
  ['a list', { tenant: [7, 9] }],
  ['a list of one', { region: ['south'] }],
  ['a list with NULL', { region: ['south', null] }],
  ['a list with a range', { id: [1, { gte: 12, lte: 13 }] }],
  ['an empty list of in', { id: { in: [] } }],
  ['eq', { name: { eq: 'alpha' } }],
  ['in', { id: { in: [1, 11, 99] } }],
  ['a range', { id: { gt: 2, lte: 12 } }],
  ['a date', { day: { gte: '2000-01-01' } }],
  ['a decimal', { price: { lt: 2.5 } }],
  ['ne, which finds NULL', { region: { ne: 'north' } }],
  ['nin, which finds NULL', { region: { nin: ['north'] } }],
  ['nin with NULL', { region: { nin: ['north', null] } }],
  ['like', { name: { like: '%express' } }],
  ['ilike', { name: { ilike: 'ALPHA%' } }],
  ['null', { region: { null: true } }],
  ['not null', { price: { null: false } }],
  ['$or', { $or: [{ id: 1 }, { id: 11 }] }],
  ['$or beside a condition', { tenant: 7, $or: [{ id: { lt: 3 } }, { id: { gt: 4 } }] }],
  ['nested $or', { $and: [{ $or: [{ tenant: 7 }, { tenant: 8 }] }, { $or: [{ n: 10 }, { n: { gt: 40 } }] }] }],
  ['a list of filters', [{ id: 1 }, { tenant: 8, region: 'north' }]],
];

describe.each(byName(fewEngines()))('on %s', (_, engine) => {
  let shared: SharedTables;
  beforeAll(async () => {
    shared = await openSharedTables(engine);
  });
  afterAll(() => shared?.close());

  const idsIn = async (resource_id: string, params: object) => {
    const result = await shared.result('truth', 'datastore_search', { resource_id, sort: 'id', ...params });
    const ids = recordsIn(result.records).map(({ id }) => id);
    expect(result.total).toBe(ids.length);
    return ids;
  };

  test.each(wheres)('a filter with %s', async (_, where) => {
    const resource = { database: 'db', table: 'line', access, where };
    expect(await shared.reload({ resources: { spelled: resource } })).toEqual([]);
    const inside = await idsIn('all-line', { filters: where });
    expect(inside.length).toBeLessThan(rowsOf.line.length);
    expect(await idsIn('spelled', {})).toEqual(inside);
    // With another condition behind it, a filter that is not closed by parentheses would find more.
    for (const filters of [
      { id: { lte: 5 } },
      { $or: [{ id: 2 }, { id: 12 }] },
      { region: ['north', null] },
      { id: { ne: 1 } },
    ])
      expect(await idsIn('spelled', { filters })).toEqual(
        (await idsIn('all-line', { filters })).filter((id) => inside.includes(id)),
      );
    const dry = { resource_id: 'spelled', filters: {}, dry_run: true, include_deleted_records: true };
    const { deleted_records } = await shared.result('truth', 'datastore_records_delete', dry);
    expect(recordsIn(deleted_records).map(({ id }) => id)).toEqual(inside);
    for (const { id } of rowsOf.line) {
      const records = [{ id: id ?? null, code: `dry ${id}` }];
      const params = { resource_id: 'spelled', method: 'update', records, dry_run: true };
      const { status } = await shared.call('truth', 'datastore_upsert', params);
      expect([id, status]).toEqual([id, inside.includes(id) ? 200 : 409]);
    }
  });

  test.each(wheres)('the filter of a token with %s', async (_, where) => {
    const name = 'spelling';
    const token = { name, sha256: createHash('sha256').update(name).digest('hex'), read: ['*'], write: ['*'] };
    const complaints = await shared.reload({ tokens: [{ ...token, where: { 'all-line': where } }] });
    expect(complaints).toEqual([]);
    const { text } = await shared.gateway.call('datastore_search', { resource_id: 'all-line', sort: 'id' }, name);
    const { result } = JSON.parse(text);
    const inside = await idsIn('all-line', { filters: where });
    expect([recordsIn(result.records).map(({ id }) => id), result.total]).toEqual([inside, inside.length]);
  });
});
