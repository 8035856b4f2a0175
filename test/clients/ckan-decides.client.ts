/** A real CKAN behind the gateway that decides who may read and write: programs, browsers and people at the gateway's address. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Caller, type Ckan, type CkanAnswer, startCkan } from '../support/ckan/ckan.ts';
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
import { entry, startGateway, type TestGateway } from '../support/gateway.ts';
import { anyEngine, type FreshDatabase, freshDatabase } from '../support/servers/engines.ts';
import { freePort, openScope, type Scope } from '../support/servers/scope.ts';
import { shiftableClock } from '../support/shifted-clock.ts';
import { openUpstream } from './explorer-upstream.ts';
import { waitForCount } from './explorer-world.ts';

const bin = inject('ckan');
const shift = shiftableClock();
/** Seconds after which no verdict holds any more, by default. */
const kept = 31;
const uncheckable = 'this login cannot be checked now, try again';

describe.skipIf(bin === null)('a gateway in front of a CKAN that decides', () => {
  let scope: Scope;
  let ckan: Ckan;
  let database: FreshDatabase;
  let gateway: TestGateway;
  let organization: string;
  let editor: CkanUser;
  let member: CkanUser;
  let other: CkanUser;
  /** Resources of private datasets: of most tests, and the one that is deleted. */
  let secret: string;
  let doomed: string;
  /** The resource of a public dataset. */
  let open: string;
  const sysadmin = () => ({ token: ckan.sysadmin });

  beforeAll(async () => {
    const [engine] = anyEngine();
    if (engine === undefined) throw new Error('no engine');
    scope = openScope();
    // CKAN redirects to its own address after a login, so it must know the gateway's.
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    [ckan, database] = await Promise.all([
      startCkan(scope, bin ?? '', { 'ckan.site_url': url }),
      freshDatabase(engine),
    ]);
    await database.exec('CREATE TABLE person (id int PRIMARY KEY, name varchar(60))');
    await database.exec("INSERT INTO person VALUES (1, 'Ada'), (2, 'Grace')");
    [editor, member, other] = [await createUser(ckan), await createUser(ckan), await createUser(ckan)];
    organization = await createOrganization(ckan, [
      { user: editor, role: 'editor' },
      { user: member, role: 'member' },
    ]);
    secret = await createResource(ckan, organization);
    doomed = await createResource(ckan, organization);
    open = await createResource(ckan, organization, false);
    gateway = await startGateway(configuration(ckan.url, [secret, doomed, open], { port, siteUrl: url }));
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
    await scope?.close();
  });

  const configuration = (upstream: string, ids: readonly string[], server = {}, keep = '30s') => {
    const resource = { database: 'db', table: 'person', access: { read: 'upstream', write: 'upstream' } };
    return {
      ...{
        server,
        upstream: { url: upstream, access: { cookies: ['ckan', 'remember_token'], keep } },
        cache: { ttl: '1h' },
      },
      databases: { db: entry(database) },
      resources: Object.fromEntries(ids.map((id) => [id, resource])),
    };
  };

  /** Calls an action at the gateway: by POST, unless told otherwise. */
  async function call(
    action: string,
    params: object,
    { token, cookie }: Caller = {},
    more: Readonly<Record<string, string>> = {},
    method: 'GET' | 'POST' = 'POST',
    at = gateway.url,
  ): Promise<CkanAnswer & { readonly headers: Headers }> {
    const headers = { ...(token && { Authorization: token }), ...(cookie && { Cookie: cookie }), ...more };
    const address = `${at}/api/3/action/${action}`;
    const answer =
      method === 'GET'
        ? await fetch(`${address}?${new URLSearchParams({ ...params })}`, { headers })
        : await fetch(address, {
            ...{ method, body: JSON.stringify(params) },
            headers: { 'Content-Type': 'application/json', ...headers },
          });
    return { status: answer.status, body: await answer.json(), headers: answer.headers };
  }
  const search = (caller?: Caller, id = secret) =>
    call('datastore_search', { resource_id: id, sort: 'id', fields: ['id', 'name'] }, caller);
  const upsert = (caller: Caller, records: readonly object[] = [], id = secret, method = 'upsert') =>
    call('datastore_upsert', { resource_id: id, records, method }, caller);
  const read = async (caller?: Caller, id?: string) => (await search(caller, id)).status;
  const refusal = async (caller?: Caller, id?: string) => {
    const { status, body } = await search(caller, id);
    return `${status} ${body.error?.message}`;
  };
  const dump = async ({ token }: Caller = {}, id = secret) =>
    (await fetch(`${gateway.url}/datastore/dump/${id}`, { headers: token ? { Authorization: token } : {} })).status;
  const callerOf = async (caller: Caller, method: 'GET' | 'POST' = 'POST') =>
    (await call('resource_list', {}, caller, {}, method)).body.result.caller;
  const datasetOf = async (id: string) => (await resultOf(ckan, 'resource_show', { id })).package_id;
  const enrol = (user: CkanUser, role: 'editor' | 'member') =>
    resultOf(ckan, 'organization_member_create', { id: organization, username: user.name, role });
  const leave = (user: CkanUser) =>
    resultOf(ckan, 'organization_member_delete', { id: organization, username: user.name });
  const hits = () => gateway.events.filter(({ on }) => on === 'hit').length;

  describe('programs with a token', () => {
    test('without a token, a private dataset is closed', async () => {
      expect(await refusal()).toMatch(/^403 Access denied: User {2}not authorized .*: no token was sent$/);
      expect(await dump()).toBe(404);
      expect((await upsert({})).status).toBe(403);
      expect((await call('resource_list', {})).body.result).toMatchObject({ caller: null, resources: [{ id: open }] });
    });

    test('an editor reads and writes, under the name of the account', async () => {
      expect((await search(editor)).body.result.records).toEqual([
        { id: 1, name: 'Ada' },
        { id: 2, name: 'Grace' },
      ]);
      expect(gateway.events.findLast(({ on }) => on === 'answered')).toMatchObject({ caller: `ckan/${editor.name}` });
      expect(await callerOf(editor)).toBe(`ckan/${editor.name}`);
      expect(await dump(editor)).toBe(200);
      expect((await call('datastore_info', { id: secret }, editor)).body.result.may).toMatchObject({
        ...{ read: true, write: true },
      });
      expect((await upsert(editor, [{ id: 3, name: 'Alan' }])).status).toBe(200);
      expect((await upsert(editor, [{ id: 3, name: 'Alan T' }], secret, 'update')).status).toBe(200);
      expect((await search(editor)).body.result.records[2]).toEqual({ id: 3, name: 'Alan T' });
      const mine = { resource_id: secret, filters: { id: 3 } };
      expect((await call('datastore_records_delete', mine, editor)).status).toBe(200);
      expect((await search(editor)).body.result.total).toBe(2);
    });

    test('a token with Bearer is nobody to CKAN, so it is refused', async () => {
      expect(await refusal({ token: `Bearer ${editor.token}` })).toMatch(/^403 .*this token is not known$/);
    });

    test('a member of the organisation only reads', async () => {
      expect(await read(member)).toBe(200);
      expect((await call('datastore_info', { id: secret }, member)).body.result.may).toMatchObject({
        ...{ read: true, write: false },
      });
      const { status, body } = await upsert(member, [{ id: 4, name: 'Mallory' }]);
      expect([status, body.error.message]).toEqual([
        403,
        `Access denied: User ckan/${member.name} not authorized to perform resource_update on resource ${secret}`,
      ]);
      expect((await search(member)).body.result.total).toBe(2);
    });

    test('another user is refused by name, and a sysadmin may do everything', async () => {
      expect(await refusal(other)).toBe(
        `403 Access denied: User ckan/${other.name} not authorized to perform resource_show on resource ${secret}`,
      );
      expect((await upsert(other)).status).toBe(403);
      expect(await dump(other)).toBe(404);
      expect(await read(sysadmin())).toBe(200);
      expect((await upsert(sysadmin(), [{ id: 2, name: 'Grace' }])).status).toBe(200);
    });

    test('an unknown and a revoked token are refused', async () => {
      const token = await createToken(ckan, editor.name);
      await revokeToken(ckan, token);
      for (const unknown of [token, 'unknown']) {
        expect(await refusal({ token: unknown })).toMatch(/^403 .*: this token is not known$/);
        expect((await upsert({ token: unknown })).status).toBe(403);
        // It reads what is public, as anonymous. With a name of its own, each made-up token would have limits of its own.
        expect(await read({ token: unknown }, open)).toBe(200);
        expect(await callerOf({ token: unknown })).toBeNull();
      }
    });

    test('the name stays the same while the verdicts on two resources end one after the other', async () => {
      shift(kept);
      expect(await read(editor)).toBe(200);
      shift(20);
      expect(await read(editor, open)).toBe(200);
      shift(kept - 20);
      // The verdict on `open` is still kept, and the account, which was asked for before it, is not.
      const { status } = await call('datastore_search', { resource_id: open, limit: 1 }, editor);
      expect(status).toBe(200);
      expect(gateway.events.findLast(({ on }) => on === 'answered')).toMatchObject({ caller: `ckan/${editor.name}` });
    });

    test('ckanapi reads and writes with its apikey', async () => {
      const script = `
import json, sys
from ckanapi import RemoteCKAN
url, token, id = sys.argv[1:]
with RemoteCKAN(url, apikey=token) as site:
    record = {"id": 5, "name": "by ckanapi"}
    site.action.datastore_upsert(resource_id=id, method="insert", records=[record])
    print(json.dumps(site.action.datastore_search(resource_id=id, filters={"id": 5}, fields=["id", "name"])["records"]))
    site.action.datastore_records_delete(resource_id=id, filters={"id": 5})
    print(json.dumps(site.action.package_show(id=site.action.resource_show(id=id)["package_id"])["private"]))
`;
      const args = ['-c', script, gateway.url, editor.token, secret];
      const env = { PATH: process.env.PATH, LANG: 'C.UTF-8', PYTHONDONTWRITEBYTECODE: '1' };
      const { stdout } = await promisify(execFile)(join(inject('bin'), 'python'), args, { env });
      expect(stdout.trim().split('\n')).toEqual(['[{"id": 5, "name": "by ckanapi"}]', 'true']);
    });

    test('parallel callers never get the answers of one another', async () => {
      const cookie = await logIn({ ...ckan, url: gateway.url }, member);
      const all = [editor, member, other, sysadmin(), {}, { token: 'unknown' }, { cookie }];
      const names = [editor, member, other, { name: 'default' }, null, null, member];
      // A cookie counts only with this header, so all send it: requests differ in their login alone.
      const own = { 'Sec-Fetch-Site': 'same-origin' };
      for (let round = 0; round < 2; round++) {
        shift(kept);
        const callers = Array.from({ length: 6 }, () => all).flat();
        const asked = callers.map(async (caller) => {
          const [list, info, rows] = await Promise.all([
            call('resource_list', {}, caller, own),
            call('datastore_info', { id: secret }, caller, own),
            call('datastore_search', { resource_id: secret, sort: 'id' }, caller, own),
          ]);
          return [list.body.result.caller, info.body.result?.may.write ?? info.status, rows.status];
        });
        const expected = [
          [true, 200],
          [false, 200],
          [403, 403],
          [true, 200],
          [403, 403],
          [403, 403],
          // Cookies don't count for writes.
          [false, 200],
        ].map(([write, status], nth) => [names[nth] ? `ckan/${names[nth].name}` : null, write, status]);
        expect(await Promise.all(asked)).toEqual(callers.map((_, nth) => expected[nth % all.length]));
      }
    });
  });

  describe('what changes in CKAN', () => {
    /** Expects that a caller who reads is refused once the verdict ends, and not before. Its request is the same each time, so it is cached. */
    async function expectRefusalAfter(change: () => Promise<unknown>, caller: Caller, id?: string) {
      shift(kept);
      for (let time = 0; time < 3; time++) expect(await read(caller, id)).toBe(200);
      await change();
      const before = hits();
      shift(20);
      expect(await read(caller, id)).toBe(200);
      expect(hits()).toBe(before + 1);
      shift(kept - 20);
      return refusal(caller, id);
    }

    test('a revoked token is refused after 30 s, also for a request that is cached', async () => {
      const token = await createToken(ckan, editor.name);
      const why = await expectRefusalAfter(() => revokeToken(ckan, token), { token });
      expect(why).toMatch(/^403 .*: this token is not known$/);
      expect(await read(editor)).toBe(200);
    });

    test('a user who leaves the organisation is refused after 30 s, and who joins it may read 5 s later', async () => {
      await enrol(other, 'editor');
      shift(6);
      expect((await upsert(other)).status).toBe(200);
      const why = await expectRefusalAfter(() => leave(other), other);
      expect(why).toMatch(/^403 .*User ckan\/\S+ not authorized to perform resource_show on resource \S+$/);
      expect((await upsert(other)).status).toBe(403);
      await enrol(other, 'member');
      shift(6);
      expect(await read(other)).toBe(200);
      await leave(other);
      shift(kept);
      expect(await read(other)).toBe(403);
    });

    test('everybody reads a public dataset, until it becomes private', async () => {
      const everybody = [{}, editor, member, other, sysadmin(), { token: 'unknown' }];
      for (const caller of everybody) expect(await read(caller, open)).toBe(200);
      expect(await dump({}, open)).toBe(200);
      expect((await upsert({}, [], open)).status).toBe(403);
      expect((await upsert(other, [], open)).status).toBe(403);
      expect((await upsert(editor, [], open)).status).toBe(200);
      const id = await datasetOf(open);
      const why = await expectRefusalAfter(() => resultOf(ckan, 'package_patch', { id, private: true }), {}, open);
      expect(why).toMatch(/: no token was sent$/);
      expect(await dump({}, open)).toBe(404);
      expect(await read(member, open)).toBe(200);
      await resultOf(ckan, 'package_patch', { id, private: false });
      shift(6);
      expect(await read({}, open)).toBe(200);
    });

    test('a deleted resource is closed to everybody, and to the writes of its editor', async () => {
      expect((await upsert(editor, [{ id: 1, name: 'Ada' }], doomed)).status).toBe(200);
      await deleteResource(ckan, doomed);
      shift(kept);
      for (const caller of [editor, member, other, sysadmin(), {}]) {
        expect(await read(caller, doomed)).toBe(403);
        expect((await upsert(caller, [{ id: 1, name: 'gone' }], doomed)).status).toBe(403);
      }
      expect((await search(editor)).body.result.records[0]).toEqual({ id: 1, name: 'Ada' });
    });
  });

  describe('a browser with the cookies of CKAN', () => {
    const sameOrigin = { 'Sec-Fetch-Site': 'same-origin' };
    const params = () => ({ resource_id: secret });
    const get = (cookie: string, headers = {}, more = {}) =>
      call('datastore_search', { ...params(), ...more }, { cookie }, headers, 'GET');
    const post = (cookie: string, headers = {}) => call('datastore_search', params(), { cookie }, headers);
    let cookie: string;
    beforeAll(async () => {
      cookie = await logIn({ ...ckan, url: gateway.url }, editor, true);
    });

    test('who logs in by the form of CKAN reads', async () => {
      expect((await get(cookie)).status).toBe(200);
      expect((await post(cookie, sameOrigin)).status).toBe(200);
      expect((await get(cookie, { 'Sec-Fetch-Site': 'none' })).status).toBe(200);
      expect(await callerOf({ cookie }, 'GET')).toBe(`ckan/${editor.name}`);
      const [session = '', remembered = ''] = cookie.split('; ').sort();
      expect([session, remembered]).toEqual([
        expect.stringMatching(/^ckan=/),
        expect.stringMatching(/^remember_token=/),
      ]);
      for (const one of [session, remembered]) expect((await get(one)).status).toBe(200);
      expect((await get('ckan=forged')).status).toBe(403);
      expect((await get(session.replace('ckan=', 'other='))).status).toBe(403);
    });

    test('another site reads nothing by them', async () => {
      for (const site of ['cross-site', 'same-site'])
        for (const answer of [get(cookie, { 'Sec-Fetch-Site': site }), post(cookie, { 'Sec-Fetch-Site': site })]) {
          const { status, body } = await answer;
          expect([status, body.error.message]).toEqual([403, expect.stringMatching(/: no token was sent$/)]);
        }
      // A browser that does not say where a request comes from may send a form of another site.
      expect((await post(cookie)).status).toBe(403);
      const address = `${gateway.url}/api/3/action/datastore_search?resource_id=${secret}&callback=show`;
      const script = await fetch(address, { headers: { Cookie: cookie, ...sameOrigin } });
      expect(await script.text()).toContain('a call with a callback is anonymous');
    });

    test('they write nothing', async () => {
      const records = [{ id: 6, name: 'by a cookie' }];
      const write = { ...params(), records, method: 'insert' };
      expect((await call('datastore_upsert', write, { cookie }, sameOrigin)).status).toBe(403);
      expect(
        (await call('datastore_records_delete', { ...params(), filters: {} }, { cookie }, sameOrigin)).status,
      ).toBe(403);
      const { may } = (await call('datastore_info', { id: secret }, { cookie }, sameOrigin)).body.result;
      expect(may).toMatchObject({ read: true, write: false });
      expect((await search(editor)).body.result.total).toBe(2);
    });

    test('a user who leaves the organisation is refused after 30 s, also for a request that is cached', async () => {
      await enrol(other, 'member');
      const left = await logIn({ ...ckan, url: gateway.url }, other);
      shift(kept);
      for (let time = 0; time < 3; time++) expect((await get(left, sameOrigin)).status).toBe(200);
      await leave(other);
      const before = hits();
      shift(20);
      expect((await get(left, sameOrigin)).status).toBe(200);
      expect(hits()).toBe(before + 1);
      shift(kept - 20);
      expect((await get(left, sameOrigin)).status).toBe(403);
    });

    test('all else of CKAN is there as ever', async () => {
      const id = await datasetOf(secret);
      const show = async (caller: Caller) => (await call('package_show', { id }, caller, {}, 'GET')).status;
      expect(await show({ cookie })).toBe(200);
      expect(await show(editor)).toBe(200);
      expect(await show({})).toBe(403);
      expect((await call('resource_show', { id: secret }, editor)).body.result).toMatchObject({ package_id: id });
      for (const page of ['/about', `/dataset/${id}`, '/dashboard/datasets'])
        expect((await fetch(gateway.url + page, { headers: { Cookie: cookie } })).status).toBe(200);
    });
  });

  describe('people in a browser', () => {
    let browser: Browser;
    beforeAll(async () => {
      // Chromium's sandbox is not available to root, as in a container.
      browser = await chromium.launch({ executablePath: inject('chromium'), args: ['--no-sandbox'] });
    });
    afterAll(() => browser?.close());

    async function person() {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en' });
      const page = await context.newPage();
      return { context, page, explore: () => page.goto(`${gateway.url}/datastore/explore/${secret}`) };
    }
    async function loggedIn({ name, password }: CkanUser) {
      const { page, ...rest } = await person();
      await page.goto(`${gateway.url}/user/login`);
      await page.locator('#field-login').fill(name);
      await page.locator('#field-password').fill(password);
      await page.keyboard.press('Enter');
      await page.waitForURL(/dashboard/);
      return { page, ...rest };
    }
    const refused = (page: Page) => page.getByRole('alert').filter({ hasText: 'You may not read this.' }).waitFor();

    test('who has logged in at CKAN sees the private table in the explorer without a token', async () => {
      const { page, context, explore } = await loggedIn(member);
      await explore();
      await waitForCount(page, '2 records');
      await page.getByText('Grace').first().waitFor();
      await page.getByText(`Login: ckan/${member.name}`).waitFor();
      await page.getByRole('button', { name: 'Download', exact: true }).first().click();
      const form = page.getByRole('dialog', { name: 'Download' });
      const saved = page.waitForEvent('download');
      await form.getByRole('button', { name: 'Download' }).click();
      expect(readFileSync(await (await saved).path(), 'utf8')).toContain('2,Grace');
      expect(await page.getByRole('alert').count()).toBe(0);
      const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
      await page.goto(`${gateway.url}/dashboard/datasets`);
      await page.locator('form[action*="/user/_logout"] button').click();
      await page.waitForURL(/logged_out/);
      await explore();
      await refused(page);
      // CKAN still accepts a copy of the cookie after a logout, so the gateway does, too.
      const atCkan = await ckan.action('resource_show', { id: secret }, { cookie });
      const here = await call('datastore_search', { resource_id: secret }, { cookie }, {}, 'GET');
      expect([atCkan.status, here.status]).toEqual([200, 200]);
    });

    test('who may write enters an API token, which counts instead of the login', async () => {
      const { page, explore } = await loggedIn(other);
      await explore();
      await page.getByRole('button', { name: 'Enter a token' }).click();
      await page.getByRole('dialog', { name: 'Token' }).getByLabel('Token').fill(editor.token);
      await page.keyboard.press('Enter');
      await waitForCount(page, '2 records');
      await page.getByText(`Signed in as ckan/${editor.name}`).waitFor();
      await page.getByRole('button', { name: 'Edit data', exact: true }).waitFor();
    });

    test('while CKAN is away the explorer says so, and goes on later', async () => {
      const { page, explore } = await loggedIn(member);
      const again = await ckan.stop();
      shift(kept);
      await explore();
      await page.getByRole('alert').filter({ hasText: uncheckable }).waitFor();
      await again();
      // The page tries again by itself.
      await waitForCount(page, '2 records');
    });

    test('nobody else sees it', async () => {
      for (const { page, explore } of [await person(), await loggedIn(other)]) {
        await explore();
        await refused(page);
        expect(await page.getByText('Grace').count()).toBe(0);
      }
    });
  });

  describe('a stream of change notices', () => {
    let brief: TestGateway;
    beforeAll(async () => {
      brief = await startGateway(configuration(ckan.url, [secret], {}, '1s'));
    });
    afterAll(() => brief?.close());

    /** Follows the resource. `text` is what has come, and `end` resolves when the gateway ends the stream. */
    async function follow({ token }: Caller) {
      const address = `${brief.url}/api/3/action/datastore_changes?resource_id=${secret}`;
      const { status, body } = await fetch(address, { headers: token ? { Authorization: token } : {} });
      let text = '';
      const decoder = new TextDecoder();
      const end = (async () => {
        for await (const piece of body ?? []) text += decoder.decode(piece, { stream: true });
        // The last stream is cut when the gateway closes.
      })().catch(() => undefined);
      return { status, text: () => text, end };
    }

    test('lasts over several verdicts, and ends when the right does, or when CKAN stays away', async () => {
      expect([(await follow({})).status, (await follow(other)).status]).toEqual([403, 403]);
      await enrol(other, 'member');
      await expect.poll(async () => (await follow(other)).status, { timeout: 10_000 }).toBe(200);
      const [left, stayed] = [await follow(other), await follow(editor)];
      await leave(other);
      await left.end;
      await sleep(2000);
      const write = { resource_id: secret, records: [{ id: 2, name: 'Grace' }] };
      const at = (caller: Caller) => call('datastore_upsert', write, caller, {}, 'POST', brief.url);
      expect((await at(editor)).status).toBe(200);
      // Each stream begins with version 1.
      await expect.poll(stayed.text, { timeout: 10_000 }).toContain('"version":2');
      expect(left.text()).not.toContain('"version":2');
      const again = await ckan.stop();
      const isUndecided = () => brief.events.some((event) => event.on === 'upstream asked' && event.result === 'none');
      await expect.poll(isUndecided, { timeout: 10_000 }).toBe(true);
      // A minute without a decision ends it.
      shift(61);
      await stayed.end;
      await again();
      expect((await follow(editor)).status).toBe(200);
    });
  });

  describe('a CKAN that does not decide', () => {
    const expectUnchecked = ({ status, body, headers }: Awaited<ReturnType<typeof call>>) => {
      expect([status, body.error.message, Number(headers.get('retry-after')) > 0]).toEqual([503, uncheckable, true]);
    };

    test('a login page with 200 in front of it is no yes', async () => {
      const page = await openUpstream();
      const strange = await startGateway(configuration(page.url, [secret]));
      const at = (action: string, params: object, caller: Caller) =>
        call(action, { resource_id: secret, ...params }, caller, {}, 'POST', strange.url);
      try {
        for (const caller of [editor, sysadmin(), {}]) {
          expectUnchecked(await at('datastore_search', {}, caller));
          expectUnchecked(await at('datastore_upsert', { records: [] }, caller));
        }
      } finally {
        await strange.close();
        page.close();
      }
    });

    test('while it is away its verdicts hold until they end, and then nobody reads', async () => {
      shift(kept);
      expect(await read(editor)).toBe(200);
      const again = await ckan.stop();
      expect(await read(editor)).toBe(200);
      shift(kept);
      expectUnchecked(await search(editor));
      expectUnchecked(await upsert(editor));
      expectUnchecked(await search());
      await again();
      expect(await read(editor)).toBe(200);
      expect(await read()).toBe(403);
    });

    test('while it hangs, too', async () => {
      expect(await read(editor)).toBe(200);
      scope.signal(ckan.port, 'SIGSTOP');
      try {
        shift(kept);
        const began = performance.now();
        expectUnchecked(await search(editor));
        expect(performance.now() - began).toBeGreaterThan(2900);
      } finally {
        scope.signal(ckan.port, 'SIGCONT');
      }
      await expect.poll(() => read(editor), { timeout: 20_000 }).toBe(200);
    });
  });
});
