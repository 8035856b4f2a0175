/** Attack: watch the rank of an own row while other tenants write rows with the same words. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ofTenant, openSharedTables, type SharedTables } from '../../support/rows.ts';
import { byName, fewEngines } from '../../support/servers/engines.ts';

const access = { read: 'token', write: 'token' };
const paper = { database: 'db', table: 'paper', access, where: ofTenant, columns: { tenant: { hidden: true } } };
const columns = ['title', 'body'];
const searches: readonly object[] = [
  { q: 'hydrogen' },
  { q: 'hydrogen report' },
  { q: 'report | water', plain: false },
  { q: { title: 'hydrogen', body: 'water' } },
  { q: 'hydrogen', sort: 'id desc', fields: ['id', 'rank'] },
  { q: 'hydrogen', records_format: 'csv' },
];

describe.each(byName(fewEngines()))('on %s', (_, engine) => {
  let shared: SharedTables;
  beforeAll(async () => {
    shared = await openSharedTables(engine, {
      resources: {
        'native-papers': { ...paper, search: { mode: 'native', columns } },
        'like-papers': { ...paper, search: { mode: 'like', columns } },
        'auto-papers': { ...paper, search: { mode: 'auto', columns } },
      },
    });
  });
  afterAll(() => shared?.close());

  test.each(['native', 'like', 'auto'])('in mode %s the rank does not depend on rows of others', async (mode) => {
    await shared.reset('paper');
    const ask = async () => {
      const texts: string[] = [];
      for (const params of searches) {
        const { status, text } = await shared.call('seven', 'datastore_search', {
          ...{ resource_id: `${mode}-papers`, ...params },
        });
        expect([params, status]).toEqual([params, 200]);
        texts.push(text);
      }
      return texts;
    };
    const before = await ask();
    expect(before[0]).toContain('"rank":0.');
    const many = (tenant: number, text: string) =>
      Array.from({ length: 40 }, (_, nth) => ({ id: 100 + nth, tenant, title: text, body: `${text} ${nth}` }));
    for (const [method, records] of [
      ['insert', many(8, 'hydrogen')],
      ['update', many(8, 'report about water')],
      ['update', many(8, 'nothing')],
    ] as const) {
      await shared.result('truth', 'datastore_upsert', { resource_id: 'all-paper', method, records });
      expect(await ask()).toEqual(before);
    }
    const filters = { id: { gte: 11 } };
    await shared.result('truth', 'datastore_records_delete', { resource_id: 'all-paper', filters });
    expect(await ask()).toEqual(before);
  });
});
