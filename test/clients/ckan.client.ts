/** A real CKAN 2.12 without a gateway: its answers to the questions of who may read and write a resource. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Caller, type Ckan, startCkan } from '../support/ckan/ckan.ts';
import {
  type CkanUser,
  createOrganization,
  createResource,
  createToken,
  createUser,
  deleteResource,
  logIn,
  resultOf,
  revokeToken,
} from '../support/ckan/site.ts';
import { openScope, type Scope } from '../support/servers/scope.ts';

const bin = inject('ckan');
const never = 'b6e1f4a0-0000-4000-8000-000000000000';

/** Asks whether the caller may write, without writing. `force`, because CKAN calls tables of xloader read-only without it. */
const mayWrite = (id: string) => ({
  ...{ resource_id: id, records: [], dry_run: true, force: true, calculate_record_count: false },
});

describe.skipIf(bin === null)('CKAN', () => {
  let scope: Scope;
  let ckan: Ckan;
  let editor: CkanUser;
  let member: CkanUser;
  let other: CkanUser;
  let organization: string;
  let resource: string;
  let deleted: string;
  let cookie: string;
  let callers: Readonly<Record<string, Caller>>;

  beforeAll(async () => {
    scope = openScope();
    ckan = await startCkan(scope, bin ?? '');
    [editor, member, other] = [await createUser(ckan), await createUser(ckan), await createUser(ckan)];
    organization = await createOrganization(ckan, [
      { user: editor, role: 'editor' },
      { user: member, role: 'member' },
    ]);
    resource = await createResource(ckan, organization);
    deleted = await createResource(ckan, organization);
    await deleteResource(ckan, deleted);
    const revoked = await createToken(ckan, editor.name);
    await revokeToken(ckan, revoked);
    cookie = await logIn(ckan, editor);
    const remembered = /remember_token=[^;]+/.exec(await logIn(ckan, editor, true))?.[0];
    callers = {
      ...{ sysadmin: { token: ckan.sysadmin }, editor, member, other, anonymous: {} },
      ...{ revoked: { token: revoked }, unknown: { token: 'unknown' }, bearer: { token: `Bearer ${editor.token}` } },
      ...{ browser: { cookie }, remembered: { cookie: remembered }, 'forged cookie': { cookie: 'ckan=forged' } },
    };
  });
  afterAll(() => scope?.close());

  /** The status for each caller. */
  const statuses = async (action: string, params: object, method?: 'GET' | 'POST', of = callers) => {
    const each = Object.entries(of).map(
      async ([name, caller]) => [name, (await ckan.action(action, params, caller, method)).status] as const,
    );
    return Object.fromEntries(await Promise.all(each));
  };
  const readers = { sysadmin: 200, editor: 200, member: 200, browser: 200, remembered: 200 };
  const strangers = { other: 403, anonymous: 403, revoked: 403, unknown: 403, bearer: 403, 'forged cookie': 403 };

  test('resource_show answers 200 to those who may read a private dataset, and 403 to all others', async () => {
    expect(await statuses('resource_show', { id: resource }, 'GET')).toEqual({ ...readers, ...strangers });
    const { body } = await ckan.action('resource_show', { id: resource }, editor);
    expect(body).toMatchObject({ success: true, result: { id: resource, datastore_active: false } });
    const refused = await ckan.action('resource_show', { id: resource });
    expect(refused.body).toMatchObject({ success: false, error: { __type: 'Authorization Error' } });
  });

  test('a deleted resource is 404 for readers and stays 403 for others; an unknown id is 404 for everybody', async () => {
    const gone = { sysadmin: 404, editor: 404, member: 404, browser: 404, remembered: 404 };
    expect(await statuses('resource_show', { id: deleted }, 'GET')).toEqual({ ...gone, ...strangers });
    expect(new Set(Object.values(await statuses('resource_show', { id: never }, 'GET')))).toEqual(new Set([404]));
  });

  test('a membership that ends, and a user who is deleted, close the private dataset at once', async () => {
    const leaver = await createUser(ckan);
    const at = { id: organization, username: leaver.name };
    const session = await logIn(ckan, leaver);
    const show = () =>
      statuses('resource_show', { id: resource }, 'GET', {
        ...{ token: { token: leaver.token }, cookie: { cookie: session } },
      });
    await resultOf(ckan, 'organization_member_create', { ...at, role: 'editor' });
    expect(await show()).toEqual({ token: 200, cookie: 200 });
    await resultOf(ckan, 'organization_member_delete', at);
    expect(await show()).toEqual({ token: 403, cookie: 403 });
    await resultOf(ckan, 'organization_member_create', { ...at, role: 'editor' });
    await resultOf(ckan, 'user_delete', { id: leaver.id });
    expect(await show()).toEqual({ token: 403, cookie: 403 });
  });

  test('user_show without an id names the caller, and is 404 for an anonymous one', async () => {
    const name = async (caller: Caller) => (await ckan.action('user_show', {}, caller, 'GET')).body.result?.name;
    expect(await name({ token: other.token })).toBe(other.name);
    expect(await name({ cookie })).toBe(editor.name);
    const anonymous = await ckan.action('user_show');
    expect([anonymous.status, anonymous.body.error.__type]).toEqual([404, 'Not Found Error']);
  });

  test('a valid token wins over a cookie, and an unknown token leaves the cookie valid', async () => {
    const { body } = await ckan.action('user_show', {}, { token: other.token, cookie }, 'GET');
    expect(body.result.name).toBe(other.name);
    expect((await ckan.action('resource_show', { id: resource }, { token: 'unknown', cookie }, 'GET')).status).toBe(
      200,
    );
  });

  describe('the question whether a caller may write', () => {
    const ask = (id: string, caller: Caller = {}) => ckan.action('datastore_upsert', mayWrite(id), caller, 'POST');
    const message = async (id: string, caller?: Caller) => (await ask(id, caller)).body.error.message;

    test('404 says yes if the resource has no table in CKAN, and 403 says no', async () => {
      // Browsers need no CSRF token here, because tokens have been used before: see the last test of this group.
      const yes = { sysadmin: 404, editor: 404, browser: 404, remembered: 404 };
      expect(await statuses('datastore_upsert', mayWrite(resource), 'POST')).toEqual({
        ...{ ...yes, ...strangers, member: 403 },
      });
    });

    test('404 says no if the resource is deleted or unknown: only its text differs', async () => {
      expect(await message(resource, editor)).toBe(`Not found: Resource "${resource}" was not found.`);
      expect(await message(deleted, editor)).toBe('Not found: Resource was not found.');
      expect(await message(never, editor)).toBe('Not found');
      // CKAN knows no dataset for an unknown id, so it has nobody to refuse.
      expect(await message(never)).toBe('Not found');
      expect((await ask(deleted)).status).toBe(403);
    });

    test('200 says yes if the resource has a table in CKAN, which stays as it is', async () => {
      const id = await createResource(ckan, organization);
      const table = { resource_id: id, force: true, fields: [{ id: 'n', type: 'int' }], records: [{ n: 1 }] };
      await resultOf(ckan, 'datastore_create', { ...table, primary_key: ['n'] });
      const asked = await Promise.all([editor, member, other, undefined].map((caller) => ask(id, caller)));
      expect(asked.map(({ status }) => status)).toEqual([200, 403, 403, 403]);
      const { force: _, ...unforced } = mayWrite(id);
      expect((await ckan.action('datastore_upsert', unforced, editor)).status).toBe(409);
      expect((await resultOf(ckan, 'datastore_search', { resource_id: id })).records).toEqual([{ _id: 1, n: 1 }]);
    });

    test('a browser needs its CSRF token, until a token has been used in this process of CKAN', async () => {
      await ckan.restart();
      expect((await ask(resource, { cookie })).status).toBe(400);
      expect(await ckan.action('datastore_upsert', mayWrite(resource), { cookie }, 'GET')).toMatchObject({
        status: 400,
      });
      const page = await (await fetch(`${ckan.url}/about`, { headers: { Cookie: cookie } })).text();
      const csrf = /name="_csrf_token" content="([^"]+)"/.exec(page)?.[1] ?? '';
      const answer = await fetch(`${ckan.url}/api/3/action/datastore_upsert`, {
        ...{ method: 'POST', body: JSON.stringify(mayWrite(resource)) },
        headers: { Cookie: cookie, 'X-CSRFToken': csrf, 'Content-Type': 'application/json' },
      });
      expect(answer.status).toBe(404);
      // CKAN exempts the whole API from then on.
      await ask(resource, editor);
      expect((await ask(resource, { cookie })).status).toBe(404);
    });
  });

  // These tests change the settings, so they come last.
  test('without the datastore plugin, the question about writing is 400 for everybody', async () => {
    await ckan.restart({ 'ckan.plugins': '' });
    const { status, body } = await ckan.action('datastore_upsert', mayWrite(resource), editor);
    expect([status, body]).toEqual([400, 'Bad request: Action name not known: datastore_upsert']);
  });

  test('without enable_cookie_auth_in_api, a browser is anonymous', async () => {
    await ckan.restart({ 'ckan.auth.enable_cookie_auth_in_api': 'false' });
    expect((await ckan.action('resource_show', { id: resource }, { cookie })).status).toBe(403);
  });

  test('it can be away, and comes back on the same port', async () => {
    const again = await ckan.stop();
    await expect(ckan.action('status_show')).rejects.toThrow('fetch failed');
    await again();
    expect(await ckan.action('status_show')).toMatchObject({
      status: 200,
      body: { result: { ckan_version: '2.12.0' } },
    });
  });
});
