/** Attack: get a token of the gateway, or of an identity provider, sent to CKAN, and see more than the lists or the filter allow. */
import { createHash } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { subscribe } from '../../support/event-stream.ts';
import {
  type IdentityProvider,
  identityProvider,
  type SigningKey,
  signingKey,
  tokenOf,
} from '../../support/identity-provider.ts';
import { errorOf } from '../../support/rows.ts';
import { anyEngine } from '../../support/servers/engines.ts';
import {
  allRows,
  anonymously,
  openUpstreamRights,
  refused,
  rowsOfSeven,
  type UpstreamRights,
} from '../../support/upstream-rights.ts';

const header = 'X-Portal-Token';
/** A token of the configuration, for `census` alone. */
const clerk = {
  ...{ name: 'clerk', sha256: createHash('sha256').update('clerk').digest('hex'), read: ['census'], write: ['census'] },
};

describe.skipIf(anyEngine().length === 0)('beside a CKAN', () => {
  let world: UpstreamRights;
  let provider: IdentityProvider;
  let [key, stolen]: SigningKey[] = [];
  const settings = (more: object = {}) => {
    const { issuer, jwksUrl } = provider;
    const grants = [{ read: ['census'], write: ['census'] }];
    return {
      access: { header, cookies: ['ckan'] },
      auth: { jwt: [{ name: 'staff', issuer, jwksUrl, audience: 'datastore', grants }] },
      ...{ tokens: [clerk], ...more },
    };
  };
  beforeAll(async () => {
    [key, stolen] = await Promise.all([signingKey('key'), signingKey('key')]);
    provider = await identityProvider([key]);
    world = await openUpstreamRights(settings());
    // Whoever else sends one of these, CKAN lets in.
    for (const login of ['clerk', 'Bearer clerk', 'truth']) world.ckan.allow(login, { read: ['budget', 'census'] });
  });
  beforeEach(() => {
    world.ckan.questions.length = 0;
  });
  afterEach(() => {
    world.ckan.answer = null;
  });
  afterAll(async () => {
    await world?.close();
    await provider?.close();
  });

  const signed = (claims: JWTPayload = {}, by = key) => {
    if (by === undefined) throw new Error('no key');
    return tokenOf(provider.issuer, by, claims);
  };
  /** Everything that CKAN was sent. */
  const sent = () => JSON.stringify(world.ckan.questions.map(({ url, headers, body }) => [url, headers, body]));
  const jwt = /eyJ[\w-]+\.eyJ/;

  test.each([
    ['Authorization', 'clerk'],
    ['Authorization', 'Bearer clerk'],
    ['X-CKAN-API-Key', 'clerk'],
    [header, 'clerk'],
  ])('a token of the configuration in %s: %s is never sent, and its lists decide', async (name, value) => {
    for (const cookie of [{}, { Cookie: 'ckan=ana' }]) {
      const headers = { [name]: value, ...cookie };
      expect(await world.search('', 'census', headers)).toBe(allRows);
      expect(await world.search('', 'budget', headers)).toBe('403');
      expect((await world.send('/datastore/dump/budget', { headers })).status).toBe(404);
      const stream = await subscribe(world.shared.gateway.url, 'budget', headers);
      expect(stream.status).toBe(403);
      const { result } = JSON.parse((await world.send('/api/3/action/resource_list', { headers })).text);
      expect(result).toMatchObject({ caller: 'clerk', total: 1 });
    }
    expect(world.ckan.questions).toEqual([]);
  });

  test('a token of the configuration writes by its lists', async () => {
    const write = (id: string) =>
      world.call('datastore_upsert', { resource_id: id, method: 'update', records: [{ id: 1, n: 0 }] }, 'clerk');
    expect([(await write('census')).status, (await write('budget')).status]).toEqual([200, 403]);
    expect(world.ckan.questions).toEqual([]);
  });

  test('a valid JWT of a configured issuer is never sent, and its grants decide', async () => {
    const login = await signed();
    for (const one of [login, `Bearer ${login}`]) {
      expect(await world.search(one, 'census', { Cookie: 'ckan=ana' })).toBe(allRows);
      expect(await world.search(one, 'budget', { Cookie: 'ckan=ana' })).toBe('403');
    }
    expect(world.ckan.questions).toEqual([]);
  });

  test.each<[what: string, () => Promise<string>]>([
    ['expired', () => signed({ exp: Math.floor(Date.now() / 1000) - 100 })],
    ['forged', () => signed({}, stolen)],
    ['for another audience', () => signed({ aud: 'mail' })],
  ])('a JWT of a configured issuer that is %s is never sent, and has nobody else to be', async (_, login) => {
    const token = await login();
    world.ckan.allow(token, { read: ['budget'] });
    expect(await world.search(token, 'budget', { Cookie: 'ckan=ana' })).toMatch(/^403/);
    // It sees what everybody sees.
    expect(await world.search(token, 'census')).toBe(allRows);
    expect(sent()).not.toMatch(jwt);
    expect(sent()).not.toContain('ckan=ana');
  });

  test("CKAN's own tokens are JWTs, too, and are sent as they came", async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const login = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ jti: 'x', iat: 1 })}.sign`;
    world.ckan.allow(login, { name: 'carl', read: ['budget'] });
    expect(await world.search(login)).toBe(allRows);
    expect(world.ckan.actions(login)).toEqual(['resource_show', 'user_show']);
  });

  test('a login is sent in its own header, and nothing of the request beside it', async () => {
    for (const name of ['Authorization', 'X-CKAN-API-Key', header]) {
      world.ckan.questions.length = 0;
      await world.search('', 'budget', { [name]: `login-${name}`, Cookie: 'ckan=ana', 'X-Other': 'secret' });
      for (const { headers } of world.ckan.questions) {
        const { host, connection, accept, 'user-agent': agent, ...others } = headers;
        expect(others).toEqual({ [name.toLowerCase()]: `login-${name}` });
      }
      expect(world.ckan.questions).not.toEqual([]);
    }
  });

  test('the answer of one header is not that of another', async () => {
    await world.reload(settings({ cache: { ttl: '10h' } }));
    for (let call = 0; call < 3; call++) expect(await world.search('ana')).toBe(allRows);
    for (let call = 0; call < 2; call++) {
      expect(await world.search('', 'budget', { [header]: 'ana2' })).toBe(refused);
      expect(await world.search('')).toBe(anonymously);
    }
    const { headers } = await world.send('/api/3/action/datastore_search?resource_id=budget', { login: 'ana' });
    expect(headers.vary).toContain(header);
    await world.reload(settings());
  });

  describe('a filter of a resource', () => {
    test('holds for whomever CKAN lets read', async () => {
      expect(await world.search('ana', 'filtered')).toBe(rowsOfSeven);
      const { text } = await world.send('/datastore/dump/filtered', { login: 'ana' });
      expect(text.trim().split('\n')).toHaveLength(rowsOfSeven + 1);
      expect(text).not.toContain('zebra');
      const info = await world.call('datastore_info', { id: 'filtered' }, 'ana');
      expect(JSON.parse(info.text).result.meta).toMatchObject({ count: rowsOfSeven });
      const groups = await world.call('datastore_aggregate', { resource_id: 'filtered', by: 'id' }, 'ana');
      expect(JSON.parse(groups.text).result.total).toBe(rowsOfSeven);
    });

    test('holds for whomever CKAN lets write', async () => {
      const outside = await world.shared.outside('line');
      const upsert = (method: string, record: object) =>
        world.call('datastore_upsert', { resource_id: 'filtered', method, records: [record] }, 'ana');
      const missing = await upsert('update', { id: 9999, n: 1 });
      const hidden = await upsert('update', { id: 11, n: 1 });
      expect([hidden.status, missing.status]).toEqual([409, 409]);
      expect(JSON.stringify(errorOf(hidden))).toBe(JSON.stringify(errorOf(missing)).replace('9999', '11'));
      expect((await upsert('upsert', { id: 11, n: 1 })).status).toBe(409);
      expect((await upsert('insert', { id: 50, n: 1 })).status).toBe(200);
      expect(
        (await world.call('datastore_records_delete', { resource_id: 'filtered', filters: {} }, 'ana')).status,
      ).toBe(200);
      expect(await world.shared.stored('line')).toEqual(outside);
      await world.shared.reset('line');
    });
  });

  describe('lists', () => {
    const list = async (login: string) => {
      const { text } = await world.send('/api/3/action/resource_list', { login });
      const { caller, total, resources, incomplete } = JSON.parse(text).result;
      const rights = resources.map(({ id, may }: { id: string; may: Record<string, boolean> }) =>
        [id, ...['read', 'write'].filter((right) => may[right])].join(' '),
      );
      return { caller, total, rights: rights.sort(), incomplete };
    };
    const all = (rights: string) => ['budget', 'census', 'filtered'].map((id) => `${id} ${rights}`);

    test('name the caller, and what CKAN allows', async () => {
      expect(await list('ana')).toEqual({ caller: 'ckan/ana', total: 3, rights: all('read write') });
      expect(await list('ben')).toEqual({ caller: 'ckan/ben', total: 3, rights: all('read') });
      expect(await list('ckan=ana')).toEqual({ caller: 'ckan/ana', total: 3, rights: all('read') });
      expect(await list('')).toEqual({ caller: null, total: 1, rights: ['census read'] });
      // CKAN takes a token that it does not know for nobody.
      expect(await list('stranger')).toEqual({ caller: null, total: 1, rights: ['census read'] });
    });

    const names = async (login: string) => {
      const path = '/api/3/action/datastore_search?resource_id=_table_metadata';
      const { result } = JSON.parse((await world.send(path, { login })).text);
      return { names: result.records.map(({ name }: { name: string }) => name).sort(), incomplete: result.incomplete };
    };
    test('_table_metadata lists what CKAN allows', async () => {
      expect((await names('ben')).names).toEqual(['budget', 'census', 'filtered']);
      expect((await names('')).names).toEqual(['census']);
    });

    let isComplete = true;
    const openApi = async (login: string) => {
      const { text } = await world.send('/api/openapi.json', { login });
      isComplete = JSON.parse(text)['x-incomplete'] === undefined;
      return ['budget', 'census', 'filtered', 'deleted'].filter((id) => text.includes(`"${id}"`));
    };
    test('the OpenAPI document lists what CKAN allows', async () => {
      expect(await openApi('ben')).toEqual(['budget', 'census', 'filtered']);
      expect(await openApi('')).toEqual(['census']);
    });

    test('leave out what CKAN does not decide, and say so', async () => {
      world.ckan.allow('dan', { read: ['budget', 'census', 'filtered'] });
      world.ckan.answer = ({ url }, response, usual) =>
        url.includes('budget') ? response.writeHead(500).end() : usual();
      expect(await list('dan')).toEqual({
        caller: 'ckan/dan',
        total: 2,
        rights: all('read').slice(1),
        incomplete: true,
      });
      expect((await names('dan')).names).toEqual(['census', 'filtered']);
      expect(await openApi('dan')).toEqual(['census', 'filtered']);
      expect(isComplete).toBe(false);
      world.ckan.answer = null;
      expect(await list('dan')).toEqual({ caller: 'ckan/dan', total: 3, rights: all('read') });
      expect(await openApi('dan')).toEqual(['budget', 'census', 'filtered']);
      expect(isComplete).toBe(true);
    });

    test('_table_metadata says so, too', async () => {
      world.ckan.answer = ({ action }, response, usual) =>
        action === 'resource_show' ? response.writeHead(500).end() : usual();
      expect(await names('erin')).toEqual({ names: [], incomplete: true });
      world.ckan.answer = null;
      expect(await names('erin')).toEqual({ names: ['census'] });
    });

    test('do not wait for a CKAN that hangs', async () => {
      const held: (() => void)[] = [];
      world.ckan.allow('fay', { read: ['budget', 'census', 'filtered'] });
      world.ckan.answer = ({ url }, _, usual) => (url.includes('budget') ? void held.push(usual) : usual());
      try {
        expect(await list('fay')).toEqual({
          caller: 'ckan/fay',
          total: 2,
          rights: all('read').slice(1),
          incomplete: true,
        });
      } finally {
        for (const answer of held) answer();
      }
    });
  });
});
