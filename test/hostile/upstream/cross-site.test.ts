/** Attack: read or write by the cookie of somebody who visits another site. A browser sends it along, and says from which site. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anyEngine } from '../../support/servers/engines.ts';
import {
  allRows,
  anonymously,
  openUpstreamRights,
  type Sent,
  type UpstreamRights,
} from '../../support/upstream-rights.ts';

const cookies = ['ckan', 'remember_token'];
const site = (value: string) => ({ 'Sec-Fetch-Site': value });
const ofJson = { 'Content-Type': 'application/json' };
const ofForm = { 'Content-Type': 'application/x-www-form-urlencoded' };
const action = (name: string, query = 'resource_id=budget') => `/api/3/action/${name}?${query}`;
const body = '{"resource_id":"budget"}';
const search = action('datastore_search');
/** Headers of a browser that opens a page, or loads a script. */
const navigation = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document', Accept: 'text/html' };
const script = { 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'script' };
/** The session of a user who may read and write everything. */
const session = 'ckan=ana';

describe.skipIf(anyEngine().length === 0)('with the cookie of a user', () => {
  let world: UpstreamRights;
  beforeAll(async () => {
    world = await openUpstreamRights({ access: { cookies }, cache: { ttl: '10h' } });
  });
  beforeEach(() => {
    world.ckan.questions.length = 0;
  });
  afterAll(() => world?.close());

  const from = (path: string, headers: object, more: Omit<Sent, 'headers'> = {}) =>
    world.send(path, { login: session, ...more, headers: { ...headers } });
  /** What CKAN was asked with a cookie. */
  const withCookie = () => world.ckan.questions.filter(({ headers }) => headers.cookie !== undefined);

  const post = { method: 'POST', body };
  test.each<[what: string, path: string, headers: object, more?: Omit<Sent, 'headers'>]>([
    [
      'a script with a callback',
      action('datastore_search', 'resource_id=budget&callback=steal'),
      { ...site('cross-site'), ...script },
    ],
    [
      'a script with a callback, of an old browser',
      action('datastore_search', 'resource_id=budget&callback=steal'),
      {},
    ],
    [
      'a script with a callback, of the same site',
      action('datastore_search', 'resource_id=budget&callback=steal'),
      site('same-origin'),
    ],
    [
      'a callback in another spelling',
      action('datastore_search', 'resource_id=budget&%63allback=steal'),
      site('same-origin'),
    ],
    [
      'groups with a callback',
      action('datastore_aggregate', 'resource_id=budget&by=region&callback=steal'),
      site('same-origin'),
    ],
    ['a GET', search, site('cross-site')],
    ['a GET of another host of the domain', search, site('same-site')],
    ['a GET of a site that is not known yet', search, site('new-site')],
    [
      'a form',
      '/api/3/action/datastore_search',
      { ...site('cross-site'), ...ofForm },
      { method: 'POST', body: 'resource_id=budget' },
    ],
    [
      'a form that looks like JSON',
      '/api/3/action/datastore_search',
      { ...site('cross-site'), 'Content-Type': 'text/plain' },
      post,
    ],
    [
      'a fetch',
      '/api/3/action/datastore_search',
      { ...site('cross-site'), ...ofJson, Origin: 'https://evil.example' },
      post,
    ],
    [
      'a fetch of another host of the domain',
      '/api/3/action/datastore_search',
      { ...site('same-site'), ...ofJson },
      post,
    ],
    ['a fetch of an old browser', '/api/3/action/datastore_search', ofJson, post],
    [
      'a fetch for groups',
      '/api/3/action/datastore_aggregate',
      { ...site('cross-site'), ...ofJson },
      { method: 'POST', body: '{"resource_id":"budget","by":"region"}' },
    ],
    [
      'a fetch for info',
      '/api/3/action/datastore_info',
      { ...site('cross-site'), ...ofJson },
      { method: 'POST', body: '{"id":"budget"}' },
    ],
    ['a stream', action('datastore_changes'), { ...site('cross-site'), Accept: 'text/event-stream' }],
    ['a link to a download', '/datastore/dump/budget', { ...site('cross-site'), ...navigation }],
    ['a link to a download in JSON', '/datastore/dump/budget?format=json', { ...site('same-site'), ...navigation }],
    [
      'a form for a download',
      '/datastore/dump/budget',
      { ...site('cross-site'), ...navigation, ...ofForm },
      { method: 'POST', body: 'format=csv' },
    ],
    [
      'a form for a download, of an old browser',
      '/datastore/dump/budget',
      ofForm,
      { method: 'POST', body: 'format=csv' },
    ],
    [
      'a form without fields for a download',
      '/datastore/dump/budget',
      { ...site('cross-site'), ...ofForm },
      { method: 'POST', body: '' },
    ],
  ])('another site gets no row by %s', async (_, path, headers, more = {}) => {
    const { status, text } = await from(path, headers, more);
    // A callback is answered with 200, so that a script can read the refusal.
    const refused = text.includes('"success":false') || text.includes('Not found') || text.includes('not found');
    expect([refused, [200, 403, 404].includes(status)], text).toEqual([true, true]);
    expect(text).not.toMatch(/express|own line|zebra/);
    expect(withCookie()).toEqual([]);
  });

  const insert = { resource_id: 'budget', method: 'insert', records: [{ id: 99, tenant: 7 }] };
  test.each<[what: string, headers: object]>([
    ['of another site', { ...site('cross-site'), ...ofJson }],
    ['of another site, as a form', { ...site('cross-site'), 'Content-Type': 'text/plain' }],
    ['of the same site', { ...site('same-origin'), ...ofJson }],
    ['that the user has typed', { ...site('none'), ...ofJson }],
    ['of an old browser', ofJson],
  ])('no cookie writes: a call %s', async (_, headers) => {
    const before = await world.shared.stored('line');
    for (const [name, params] of [
      ['datastore_upsert', insert],
      ['datastore_records_delete', { resource_id: 'budget', filters: {} }],
    ] as const) {
      const { status } = await from(`/api/3/action/${name}`, headers, { method: 'POST', body: JSON.stringify(params) });
      expect(status).toBe(403);
    }
    expect(world.ckan.actions()).not.toContain('datastore_upsert');
    expect(await world.shared.stored('line')).toEqual(before);
  });

  test.each<[what: string, path: string, headers: object, more?: Omit<Sent, 'headers'>]>([
    ['a GET of a program', search, {}],
    ['a GET of the same origin', search, site('same-origin')],
    ['a page that the user has typed', search, { ...site('none'), ...navigation }],
    ['a fetch of the same origin', '/api/3/action/datastore_search', { ...site('same-origin'), ...ofJson }, post],
    ['a download of the same origin', '/datastore/dump/budget', { ...site('same-origin'), ...navigation }],
    ['a download that the user has typed', '/datastore/dump/budget', { ...site('none'), ...navigation }],
    [
      'a form for a download of the same origin',
      '/datastore/dump/budget',
      { ...site('same-origin'), ...ofForm },
      { method: 'POST', body: 'format=csv' },
    ],
  ])('the user reads by %s', async (_, path, headers, more = {}) => {
    const { status, text } = await from(path, headers, more);
    expect(status).toBe(200);
    expect(text).toContain('own line 1');
  });

  test('CKAN gets the cookies that are logins, and no others', async () => {
    world.ckan.allow('ckan=ben; remember_token=x', { name: 'ben', read: ['budget'] });
    const login = 'secret=1; ckan=ben; other=2; remember_token=x; ckan2=3';
    expect(await world.search(login)).toBe(allRows);
    expect(await world.search('secret=1; ckan2=3')).toBe(anonymously);
    expect(withCookie().map(({ headers }) => headers.cookie)).toEqual(Array(2).fill('ckan=ben; remember_token=x'));
  });

  test('a token decides alone, and a cookie beside it is not sent', async () => {
    expect(await world.search('stranger', 'budget', { Cookie: session })).toBe('403 this token is not known');
    expect(withCookie()).toEqual([]);
  });

  describe('the request cache', () => {
    afterEach(() => world.ckan.forbid('ckan=eve'));
    const hit = async (headers: object, login: string) => {
      for (let call = 0; call < 3; call++) expect(await world.search(login, 'budget', { ...headers })).toBe(allRows);
      expect(world.wasExactMatch()).toBe(true);
    };

    test.each(['cross-site', 'same-site'])('keeps the answers of the user from a %s request', async (other) => {
      await hit(site('same-origin'), session);
      for (let call = 0; call < 3; call++) {
        expect(await world.search(session, 'budget', site(other))).toBe(anonymously);
        expect(world.wasExactMatch()).toBe(false);
      }
      await hit(site('same-origin'), session);
    });

    test('keeps the answers to a POST, too', async () => {
      const call = (value: string) => from('/api/3/action/datastore_search', { ...site(value), ...ofJson }, post);
      for (let nth = 0; nth < 3; nth++) expect((await call('same-origin')).status).toBe(200);
      expect(world.shared.gateway.events.at(-1)?.on).toBe('hit');
      expect((await call('cross-site')).status).toBe(403);
      const { status } = await from('/api/3/action/datastore_search', ofJson, post);
      expect(status).toBe(403);
    });

    test('keeps the answers of one session from another', async () => {
      await hit({}, session);
      for (const login of ['ckan=eve', 'ckan=ana2', 'Ckan=ana', 'ckan=an', 'remember_token=ana']) {
        expect(await world.search(login)).toBe(anonymously);
        expect(await world.search(login)).toBe(anonymously);
      }
      expect(await world.search()).toBe(anonymously);
      await hit({}, session);
    });

    test('shares the answers of a session whatever other cookies come with it', async () => {
      await hit({}, session);
      expect(await world.search('theme=dark; ckan=ana')).toBe(allRows);
      expect(world.wasExactMatch()).toBe(true);
    });

    test('lets no other cache share answers', async () => {
      for (let call = 0; call < 3; call++) {
        const { headers } = await from(search, site('same-origin'));
        expect(headers['cache-control']).toBe('private, no-cache');
        expect(headers.vary).toMatch(/\bCookie\b/);
        expect(headers['access-control-allow-credentials']).toBeUndefined();
      }
      const { headers } = await from('/datastore/dump/budget', site('same-origin'));
      expect(headers['cache-control']).toBe('private, no-cache');
      expect(headers.vary).toMatch(/\bCookie\b/);
    });

    test('does not validate the copy of another site', async () => {
      const { headers } = await from(search, site('same-origin'));
      const etag = String(headers.etag);
      const again = async (value: string) => (await from(search, { ...site(value), 'If-None-Match': etag })).status;
      expect(await again('same-origin')).toBe(304);
      expect(await again('cross-site')).toBe(403);
    });
  });

  test('without the setting no cookie is looked at', async () => {
    await world.reload({ cache: { ttl: '10h' } });
    try {
      for (const headers of [{}, site('same-origin'), site('none')])
        expect(await world.search(session, 'budget', headers)).toBe(anonymously);
      expect(withCookie()).toEqual([]);
      const { status, headers } = await world.send(search, { login: 'ana', headers: { Cookie: session } });
      expect([status, headers.vary]).toEqual([200, 'Authorization, X-CKAN-API-Key, Accept-Encoding']);
    } finally {
      await world.reload({ access: { cookies }, cache: { ttl: '10h' } });
    }
  });
});
