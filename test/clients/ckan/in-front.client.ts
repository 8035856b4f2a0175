/** CKAN with our extension behind a gateway that asks it who may: each of the two asks the other one. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Caller } from '../../support/ckan/ckan.ts';
import { servers } from '../../support/servers/engines.ts';
import { ids, openPortal, type Portal } from './portal.ts';

const bin = inject('ckan');

describe.skipIf(bin === null)('a gateway in front of a CKAN with the extension', () => {
  let portal: Portal;
  const { budget, permits } = ids(servers()[0]?.name ?? '');

  beforeAll(async () => {
    portal = await openPortal(bin ?? '', 'datatables_view', {}, true);
  });
  afterAll(() => portal?.close());

  test.each(['gateway', 'ckan'] as const)('a private dataset at the address of the %s', async (at) => {
    const call = async (action: string, params: object, { token }: Caller = {}) => {
      const headers = { 'Content-Type': 'application/json', ...(token && { Authorization: token }) };
      const body = JSON.stringify({ resource_id: budget, ...params });
      return fetch(`${portal[at].url}/api/3/action/${action}`, { method: 'POST', headers, body });
    };
    const { editor, other } = portal;
    for (const stranger of [other, {}]) {
      expect((await call('datastore_search', {}, stranger)).status).toBe(403);
      expect((await call('datastore_upsert', { records: [] }, stranger)).status).toBe(403);
    }
    const search = await call('datastore_search', { sort: 'id' }, editor);
    expect(await search.json()).toMatchObject({ result: { total: 2 } });
    const records = [{ id: 3, title: `at the ${at}` }];
    expect((await call('datastore_upsert', { records, method: 'insert' }, editor)).status).toBe(200);
    expect((await call('datastore_records_delete', { filters: { id: 3 } }, editor)).status).toBe(200);
  });

  test('the pages of CKAN have the table, with links to the one address', async () => {
    const page = await (await fetch(`${portal.gateway.url}/dataset/open-data/resource/${permits}`)).text();
    expect(page).toContain('Kind of work');
    expect(page).toContain(`src="${portal.gateway.url}/datastore/explore/${permits}"`);
    expect(page).toContain(`${portal.gateway.url}/datastore/dump/${permits}`);
    const dump = await (await fetch(`${portal.gateway.url}/datastore/dump/${permits}?format=csv&limit=1`)).text();
    expect(dump).toMatch(/^_id,id,title,/);
  });
});
