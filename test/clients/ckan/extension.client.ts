/** Our extension in a real CKAN: who reads and writes a table of the gateway at CKAN's own address, and what is refused. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Caller } from '../../support/ckan/ckan.ts';
import { createOrganization, createResource, resultOf } from '../../support/ckan/site.ts';
import { servers } from '../../support/servers/engines.ts';
import { big, ids, openPortal, type Portal, versions } from './portal.ts';

const refused = /^This resource is a table behind the gateway, so CKAN can neither load, change nor drop it/;

for (const [version, bin] of versions)
  describe.skipIf(bin === null)(`CKAN ${version} with the extension`, () => {
    let portal: Portal;
    const extensions = version === '2.12' ? 'datatables_view xloader' : 'datatables_view';
    const settings = { 'ckan.datastore.sqlsearch.enabled': 'true', 'ckanext.xloader.api_token': 'none' };

    beforeAll(async () => {
      portal = await openPortal(bin ?? '', extensions, settings);
    });
    afterAll(() => portal?.close());

    const call = (action: string, params: object, caller?: Caller, method?: 'GET' | 'POST') =>
      portal.ckan.action(action, params, caller, method);
    const sysadmin = () => ({ token: portal.ckan.sysadmin });
    /** The exact text, because `JSON.parse` would round numbers. */
    const text = async (path: string, { token }: Caller = {}) => {
      const answer = await fetch(`${portal.ckan.url}${path}`, { headers: token ? { Authorization: token } : {} });
      return { status: answer.status, headers: answer.headers, text: await answer.text() };
    };

    describe.each(servers().map(({ name }) => name))('a table on %s', (engine) => {
      const { permits, budget } = ids(engine);

      test('everybody reads the public one, with all digits', async () => {
        const query = new URLSearchParams({ resource_id: permits, filters: '{"id": [1, 2]}', sort: 'id' });
        const answer = await text(`/api/3/action/datastore_search?${query}`);
        expect(answer.text).toContain(`"amount": 1.1000, "big": ${big}`);
        const { body } = await call('datastore_search', { resource_id: permits, q: 'solar', limit: 2 });
        expect(body.result.records.map(({ kind }: { kind: string }) => kind)).toEqual(['solar', 'solar']);
        expect(body.result.total).toBe(11);
      });

      test('the data dictionary has our labels, and nothing of the rights of the token of CKAN', async () => {
        const { body } = await call('datastore_info', { id: permits });
        expect(body.result).toMatchObject({ title: 'Building permits', meta: { count: 45 } });
        expect(body.result.fields.find(({ id }: { id: string }) => id === 'kind').info).toEqual({
          ...{ label: 'Kind of work', notes: 'As applied for' },
        });
        expect(body.result).not.toHaveProperty('may');
        expect(body.result).not.toHaveProperty('referenced_by');
      });

      test('a private dataset: anonymous and strangers are refused, an editor reads, upserts and deletes', async () => {
        const { editor, other } = portal;
        const search = (caller?: Caller) => call('datastore_search', { resource_id: budget, sort: 'id' }, caller);
        expect((await search()).status).toBe(403);
        expect((await search(other)).status).toBe(403);
        expect((await text(`/datastore/dump/${budget}`)).status).toBe(404);
        expect((await search(editor)).body.result.total).toBe(2);
        expect((await text(`/datastore/dump/${budget}?sort=id`, editor)).text).toBe(
          '_id,id,title\n1,1,Schools\n2,2,Roads\n',
        );
        const records = [{ id: 3, title: 'Parks' }];
        const write = { resource_id: budget, method: 'upsert', records };
        expect((await call('datastore_upsert', write, other)).status).toBe(403);
        expect((await call('datastore_upsert', write, editor)).status).toBe(200);
        expect((await search(editor)).body.result.records.at(-1)).toMatchObject({ id: 3, title: 'Parks' });
        for (const action of ['datastore_records_delete', 'datastore_delete']) {
          const mine = { resource_id: budget, filters: { id: 3 } };
          expect((await call(action, mine, other)).status).toBe(403);
          expect((await call(action, mine, editor)).status).toBe(200);
        }
        expect((await search(editor)).body.result.total).toBe(2);
      });

      test('a stranger reads the public one and writes nothing', async () => {
        const write = { resource_id: permits, records: [{ id: 1, title: 'mine' }], force: true };
        expect((await call('datastore_upsert', write, portal.other)).status).toBe(403);
        const all = { resource_id: permits, filters: {}, force: true };
        expect((await call('datastore_records_delete', all, portal.other)).status).toBe(403);
      });

      test('SQL over tables that the caller may read', async () => {
        const sql = (statement: string, caller?: Caller) =>
          call('datastore_search_sql', { sql: statement }, caller, 'GET');
        const open = await sql(`SELECT kind, count(*) AS n FROM "${permits}" GROUP BY kind ORDER BY kind LIMIT 1`);
        expect(open.body.result.records).toEqual([{ kind: 'fence', n: 11 }]);
        expect((await sql(`SELECT * FROM "${budget}"`)).status).toBe(403);
        const join = `SELECT * FROM "${permits}" a JOIN "${budget}" b ON a.id = b.id`;
        expect((await sql(join)).status).toBe(403);
        const hidden = `SELECT * FROM "${permits}" a JOIN codes_${engine} b ON a.title = b.name`;
        expect((await sql(hidden)).body.error.sql).toEqual([
          `Name tables by their ids in CKAN only, got: codes_${engine}`,
        ]);
        for (const comment of ['--', '/**/--'])
          expect((await sql(`SELECT * FROM codes_${engine}${comment} ${permits}`)).body.error.sql).toEqual([
            `Name tables by their ids in CKAN only, got: codes_${engine}`,
          ]);
        const escaped = `SELECT * FROM "${permits}" a JOIN U&"c\\006fdes_${engine}" b ON a.title = b.name`;
        expect((await sql(escaped)).status).toBe(409);
      });

      test('groups, which CKAN alone does not have', async () => {
        const { body } = await call('datastore_aggregate', { resource_id: permits, by: 'kind' });
        const counts = body.result.records.map(({ value, count }: { value: string; count: number }) => [value, count]);
        expect(new Map(counts).get('garage')).toBe(12);
        expect((await call('datastore_aggregate', { resource_id: budget, by: 'title' })).status).toBe(403);
      });

      test('a table whose id is no UUID has the one of the catalogue, and without an _id no table view', async () => {
        const { resources } = await resultOf(portal.ckan, 'package_show', { id: 'open-data' });
        const isCodes = (one: { description: string }) => one.description === `The table "code" of ${engine}, as it is`;
        const codes = resources.find(isCodes).id;
        const { body } = await call('datastore_search', { resource_id: codes, sort: 'code' });
        expect(body.result.records).toEqual([
          { code: 'DE', name: 'Germany' },
          { code: 'FR', name: 'France' },
        ]);
        const views = async (id: string) =>
          (await resultOf(portal.ckan, 'resource_view_list', { id })).map((view: { title: string }) => view.title);
        expect(await views(codes)).toEqual(['Explorer']);
        expect(await views(permits)).toEqual(['Explorer', 'Table']);
        // CKAN has no resource of this name, so nobody may read it there.
        expect((await call('datastore_search', { resource_id: `codes_${engine}` })).status).toBe(404);
      });

      test('refusals have the text of the gateway', async () => {
        const same = async (action: string, params: object) => {
          const [here, there] = [await call(action, params, sysadmin()), await portal.gateway.call(action, params)];
          expect([here.status, here.body.error]).toEqual([there.status, JSON.parse(there.text).error]);
          return here.status;
        };
        expect(await same('datastore_search', { resource_id: permits, sort: 'nope', limit: 'many' })).toBe(409);
        expect(await same('datastore_search', { resource_id: permits, filters: { nope: 1 } })).toBe(409);
        const bad = [{ id: 4, opened: 'yesterday' }];
        expect(await same('datastore_upsert', { resource_id: permits, method: 'insert', records: bad })).toBe(409);
      });

      test('nothing makes, changes or drops a table', async () => {
        const actions: Readonly<Record<string, object>> = {
          datastore_create: { resource_id: permits, force: true, fields: [{ id: 'x', type: 'text' }] },
          datastore_delete: { resource_id: permits, force: true },
          datastore_run_triggers: { resource_id: permits },
          ...(version === '2.12' ? { xloader_submit: { resource_id: permits } } : {}),
        };
        for (const [action, params] of Object.entries(actions)) {
          const { status, body } = await call(action, params, sysadmin());
          expect([action, status]).toEqual([action, 409]);
          expect(body.error.resource_id[0]).toMatch(refused);
        }
        expect((await call('datastore_search', { resource_id: permits, limit: 0 })).body.result.total).toBe(45);
      });

      test('a resource that is read and written back loses nothing, and stores nothing of ours', async () => {
        const shown = await resultOf(portal.ckan, 'resource_show', { id: permits });
        expect(shown).toMatchObject({
          ...{ datastore_active: true, format: 'CSV', name: 'Building permits' },
          url: `${portal.ckan.url}/datastore/dump/${permits}`,
        });
        // After an update, xloader sets `datastore_active` to whether it finds a table.
        await resultOf(portal.ckan, 'resource_update', { ...shown, description: 'changed' });
        const again = await resultOf(portal.ckan, 'resource_show', { id: permits });
        const { metadata_modified: _, ...rest } = { ...shown, description: 'changed' };
        expect(again).toMatchObject(rest);
        const stored = await portal.ckan.command('datastore-gateway', 'register', '--package', 'open-data', permits);
        expect(stored).toContain(`${permits} exists`);
        expect((await resultOf(portal.ckan, 'resource_show', { id: permits })).description).toBe('changed');
      });
    });

    test('ckanapi works at the address of CKAN', async () => {
      const { permits, budget } = ids(servers()[0]?.name ?? '');
      const script = `
import json, sys
from ckanapi import RemoteCKAN, NotAuthorized
url, token, open, secret = sys.argv[1:]
with RemoteCKAN(url) as site:
    print(site.action.datastore_search(resource_id=open, filters={"id": 1})["records"][0]["big"])
    try:
        site.action.datastore_search(resource_id=secret)
    except NotAuthorized:
        print("refused")
with RemoteCKAN(url, apikey=token) as site:
    site.action.datastore_upsert(resource_id=secret, method="insert", records=[{"id": 9, "title": "by ckanapi"}])
    print(site.action.datastore_search(resource_id=secret, filters={"id": 9})["records"][0]["title"])
    site.action.datastore_records_delete(resource_id=secret, filters={"id": 9})
`;
      const args = ['-c', script, portal.ckan.url, portal.editor.token, permits, budget];
      const env = { PATH: process.env.PATH, LANG: 'C.UTF-8', PYTHONDONTWRITEBYTECODE: '1' };
      const { stdout } = await promisify(execFile)(join(inject('bin'), 'python'), args, { env });
      expect(stdout.trim().split('\n')).toEqual([big, 'refused', 'by ckanapi']);
    });

    test('resources of CKAN itself stay with CKAN', async () => {
      const owner = await createOrganization(portal.ckan, []);
      const id = await createResource(portal.ckan, owner, false);
      const records = [{ n: 1 }, { n: 2 }];
      const table = { resource_id: id, force: true, fields: [{ id: 'n', type: 'int' }], records };
      await resultOf(portal.ckan, 'datastore_create', table);
      expect((await call('datastore_search', { resource_id: id })).body.result.records).toEqual([
        { _id: 1, n: 1 },
        { _id: 2, n: 2 },
      ]);
      expect((await text(`/datastore/dump/${id}`)).text).toBe('_id,n\r\n1,1\n2,2\n');
      const sql = { sql: `SELECT sum(n) AS s FROM "${id}"` };
      expect((await call('datastore_search_sql', sql, {}, 'GET')).body.result.records).toEqual([{ s: 3 }]);
      await resultOf(portal.ckan, 'datastore_delete', { resource_id: id, force: true });
      expect((await call('datastore_search', { resource_id: id })).status).toBe(404);
    });

    test('the help of actions is that of CKAN', async () => {
      const help = async (name: string) => resultOf(portal.ckan, 'help_show', { name });
      expect(await help('datastore_search')).toMatch(/^Search a DataStore resource/);
      expect(await help('package_update')).toMatch(/^Update a dataset/);
      expect(await help('datastore_aggregate')).toMatch(/^Counts and measures/);
    });

    test('nobody but a sysadmin can claim the id of a table', async () => {
      const free = '5e1d0000-0000-4000-8000-00000000f4ee';
      const { gateway, editor } = portal;
      expect(JSON.parse((await gateway.call('resource_list', { q: free })).text).result.total).toBe(0);
      const claim = (id: string) => call('resource_create', { package_id: 'open-data', id, name: 'mine' }, editor);
      expect((await claim(free)).status).toBe(200);
      const { budget } = ids(servers()[0]?.name ?? '');
      await resultOf(portal.ckan, 'resource_delete', { id: budget });
      expect((await call('datastore_search', { resource_id: budget }, editor)).status).toBe(404);
      expect((await claim(budget)).body.error).toMatchObject({ id: [expect.stringContaining('Only a sysadmin')] });
      await portal.ckan.command('datastore-gateway', 'register', '--package', 'secret', budget);
      expect((await call('datastore_search', { resource_id: budget }, editor)).status).toBe(200);
    });

    test('register says what is wrong', async () => {
      const register = (...args: readonly string[]) =>
        portal.ckan.command('datastore-gateway', 'register', ...args).catch(String);
      expect(await register('--package', 'nothing', 'x')).toMatch(/nothing/);
      expect(await register('--package', 'open-data', 'nothing')).toContain('Resource/Alias "nothing" was not found.');
      const { budget } = ids(servers()[0]?.name ?? '');
      expect(await register('--package', 'open-data', budget)).toContain('is a resource of another dataset');
    });

    test('without the extension, nothing of it is left in CKAN', async () => {
      const { permits } = ids(servers()[0]?.name ?? '');
      await portal.ckan.restart({ 'ckan.plugins': 'datastore' });
      // The index has what pages showed when the resource was saved.
      await portal.ckan.command('search-index', 'rebuild');
      const shown = await resultOf(portal.ckan, 'resource_show', { id: permits });
      expect(shown).toMatchObject({ description: 'changed', datastore_active: false, url: '' });
      await portal.ckan.restart({ 'ckan.plugins': portal.plugins });
      expect((await resultOf(portal.ckan, 'resource_show', { id: permits })).datastore_active).toBe(true);
    });

    // The last one, because it ends the gateway.
    test('while the gateway is away, pages show resources without data, and nothing is loaded into CKAN', async () => {
      const { permits } = ids(servers()[0]?.name ?? '');
      await portal.gateway.close();
      const { status, body } = await call('datastore_search', { resource_id: permits });
      expect([status, body.error.message]).toEqual([404, 'Not found: the gateway cannot be reached now, try again']);
      const page = await text(`/dataset/open-data/resource/${permits}`);
      expect(page.status).toBe(200);
      const create = { resource_id: permits, force: true, fields: [{ id: 'x', type: 'text' }] };
      expect((await call('datastore_create', create, sysadmin())).status).toBe(409);
    });
  });
