/** The DataStore functions of ckanr 0.8, imitated by their requests: its own code runs in R only, and CRAN cannot be reached everywhere. */
import { describe, expect, test } from 'vitest';
import { names, resources, serving, token } from './served.ts';

const site = serving();
/** It sends the token by both names, for all versions of CKAN. */
const login = { Authorization: token, 'X-CKAN-API-Key': token };
const headers = { ...login, 'Content-Type': 'application/json' };

async function ask(method: 'GET' | 'POST', path: string, query: Record<string, string>, body?: object) {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(`${site()}${path}?${new URLSearchParams(query)}`, { method, headers, ...sent });
  const { result, error } = Object(await answer.json());
  return { status: answer.status, result, error };
}

describe.each(names())('on %s', (engine) => {
  const { open, scratch } = resources(engine);

  test('ds_search() posts its parameters in the query, without a body', async () => {
    const search = async (query: Record<string, string>) =>
      (await ask('POST', '/api/action/datastore_search', { resource_id: open, ...query })).result;
    const page = await search({ sort: 'survey_id desc', limit: '2', offset: '1', fields: 'survey_id' });
    expect([page.total, page.records]).toEqual([4, [{ survey_id: 3 }, { survey_id: 2 }]]);
    expect((await search({ filters: '{"stage": "active"}' })).total).toBe(2);
    expect((await search({ q: 'creek', plain: 'TRUE' })).total).toBe(1);
    expect(await search({ sort: '_id asc', limit: '2', include_next_page: 'TRUE' })).toHaveProperty('next_page');
  });

  test('ds_info() names the resource by resource_id', async () => {
    const { result } = await ask('GET', '/api/3/action/datastore_info', { resource_id: open });
    expect([result.meta.id, result.meta.count]).toEqual([open, 4]);
    const query = { resource_id: open, include_meta: 'FALSE', include_fields_schema: 'FALSE' };
    expect((await ask('GET', '/api/3/action/datastore_info', query)).result.fields[0]).not.toHaveProperty('schema');
  });

  test('ds_upsert(), ds_records_delete() and ds_delete() with what they always send', async () => {
    const write = (action: string, body: object) => {
      const all = { resource_id: scratch, force: true, calculate_record_count: 'background', ...body };
      return ask('POST', `/api/action/${action}`, {}, all);
    };
    const records = [1, 2].map((survey_id) => ({ survey_id, title: `no. ${survey_id}` }));
    const stored = await write('datastore_upsert', { method: 'insert', records, include_records: true });
    expect(stored.result.records).toMatchObject(records);
    expect((await write('datastore_records_delete', { filters: { survey_id: 1 } })).status).toBe(200);
    const deleted = await write('datastore_delete', { filters: { survey_id: 2 }, include_deleted_records: true });
    expect(deleted.status).toBe(200);
    // Without filters, CKAN drops the table. Here, the right to delete all records is missing.
    expect((await write('datastore_delete', {})).status).toBe(403);
  });
});
