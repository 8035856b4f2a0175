import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { entry, startGateway, type TestGateway, token } from '../../support/gateway.ts';
import { engines, type FreshDatabase, freshDatabase, onePerDriver } from '../../support/servers/engines.ts';

const tables = `
  CREATE TABLE owner (id integer PRIMARY KEY, name varchar(40));
  CREATE TABLE pet (id integer PRIMARY KEY, owner integer, name varchar(40),
    CONSTRAINT f FOREIGN KEY (owner) REFERENCES owner (id) ON DELETE CASCADE);
  CREATE VIEW shown AS SELECT p.id, p.name, o.name AS belongs FROM pet p JOIN owner o ON o.id = p.owner;
  CREATE TABLE lone (id integer PRIMARY KEY, name varchar(40));`;

// One engine per driver: these tests are about our own code. What a write invalidates is tested on all engines elsewhere.
const some = [...engines().filter(({ client }) => client === 'pglite'), ...onePerDriver()];

describe.each(some.map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  let fresh: FreshDatabase;
  let gateway: TestGateway;
  const isMysql = engine.client === 'mysql';
  const resource = (table: string, more = {}) => ({
    ...{ database: 'db', table, access: { read: 'token', write: 'token', deleteAll: true } },
    ...(table === 'shown' ? { key: ['id'] } : {}),
    ...more,
  });
  const configuration = (more: Record<string, unknown> = {}) => ({
    databases: { db: entry(fresh), ...(engine.client === 'pglite' ? {} : { again: entry(fresh) }) },
    resources: {
      ...{ owner: resource('owner'), pet: resource('pet'), shown: resource('shown'), lone: resource('lone') },
      ...(engine.client === 'pglite' ? {} : { 'same pet': resource('pet', { database: 'again' }) }),
      unkept: resource('lone', { cache: { ttl: 0, maxAge: '30s' } }),
      aged: resource('lone', { cache: { maxAge: '30s' } }),
    },
    cache: { ttl: '1h' },
    ...more,
  });

  beforeAll(async () => {
    fresh = await freshDatabase(engine);
    await fresh.exec(isMysql ? tables.replaceAll(/integer/g, 'int') : tables);
    gateway = await startGateway(configuration());
  });
  afterAll(async () => {
    await gateway?.close();
    await fresh?.drop();
  });
  beforeEach(async () => {
    for (const id of ['owner', 'lone'])
      await gateway.result('datastore_records_delete', { resource_id: id, filters: {} });
    await upsert('owner', { id: 1, name: 'Ann' });
    await upsert('pet', { id: 1, owner: 1, name: 'Rex' });
    await upsert('lone', { id: 1, name: 'x' });
  });

  const upsert = (id: string, record: object) =>
    gateway.result('datastore_upsert', { resource_id: id, records: [record] });
  const search = (id: string, more: object = {}, as: string | null = token) =>
    gateway.call('datastore_search', { resource_id: id, ...more }, as);
  const names = async (id: string) => {
    const answer = await search(id);
    const { result }: { result: { records: { name: string }[] } } = JSON.parse(answer.text);
    return { verdict: answer.headers.get('x-cache'), names: result.records.map(({ name }) => name) };
  };

  test('browsers keep an answer only where the operator says how long, and never that of a write', async () => {
    const cacheControl = (answer: { headers: Headers }) => answer.headers.get('cache-control');
    expect([cacheControl(await search('aged')), cacheControl(await search('aged'))]).toEqual(
      Array(2).fill('private, max-age=30'),
    );
    expect(cacheControl(await search('lone'))).toBe('private, no-cache');
    const write = { resource_id: 'aged', records: [{ id: 1, name: 'y' }] };
    expect(cacheControl(await gateway.call('datastore_upsert', write))).toBe('private, no-cache');
    expect(cacheControl(await search('aged', { limit: 'x' }))).toBe('no-cache');
  });

  test('a body that begins like a header is not taken for a request that has it', async () => {
    const body = JSON.stringify({ resource_id: 'lone' });
    const post = (body: string, more: Record<string, string> = {}) =>
      fetch(`${gateway.url}/api/3/action/datastore_search`, {
        method: 'POST',
        headers: { Authorization: token, 'Content-Type': 'application/json', ...more },
        body,
      });
    for (const more of [{}, {}, { Origin: 'http://a' }, { Origin: 'http://a' }])
      expect(await (await post(body, more)).json()).toMatchObject({ success: true });
    expect((await post(body, { Origin: 'http://a' })).headers.get('x-cache')).toBe('HIT');
    for (const line of ['origin http://a\n', 'accept-encoding gzip, deflate\norigin http://a\n'])
      expect((await post(line + body)).status).toBe(400);
  });

  test('every header that decides an answer is looked at, however often the same call came without it', async () => {
    const records = Array.from({ length: 30 }, (_, n) => ({ id: n + 10, name: 'a name of some length' }));
    await gateway.result('datastore_upsert', { resource_id: 'lone', records });
    const ask = async (more: Record<string, string>, other = false) => {
      const headers = { 'content-type': 'application/json', 'accept-encoding': 'identity', ...more };
      if (!other) Object.assign(headers, { authorization: more.authorization ?? token });
      const url = `${gateway.url}/api/3/action/datastore_search`;
      const answer = await fetch(url, { method: 'POST', body: JSON.stringify({ resource_id: 'lone' }), headers });
      await answer.arrayBuffer();
      return answer;
    };
    const often = async (more: Record<string, string>, other: boolean) => {
      let answer = await ask(more, other);
      for (let nth = 0; nth < 8; nth++) answer = await ask(more, other);
      expect(answer.headers.get('x-cache')).toBe('HIT');
      return answer;
    };
    const etag = (await often({}, false)).headers.get('etag') ?? '';
    expect((await ask({ authorization: 'of nobody' })).status).toBe(403);
    expect((await ask({ 'if-none-match': etag })).status).toBe(304);
    expect((await ask({ 'content-encoding': 'gzip' })).status).toBe(400);
    expect((await ask({ 'content-type': 'multipart/form-data' })).status).toBe(409);
    expect((await ask({ 'cache-control': 'no-cache' })).headers.get('x-cache')).toBe('BYPASS');
    expect((await ask({ 'accept-encoding': 'gzip' })).headers.get('content-encoding')).toBe('gzip');
    // With and without an Origin header: a cache in between may serve the same response to both kinds of client.
    for (const more of [{ origin: 'https://a.example' }, {}])
      expect((await ask(more)).headers.get('access-control-allow-origin')).toBe('*');
    await often({ 'x-ckan-api-key': token }, true);
    expect((await ask({ 'x-ckan-api-key': 'of nobody' }, true)).status).toBe(403);
    const remaining = await ask({});
    expect([remaining.status, remaining.headers.get('content-encoding')]).toEqual([200, null]);
  });

  test('the second of two equal calls sends no statement, on the fast path and off it', async () => {
    expect((await names('lone')).verdict).toBe('MISS');
    for (let nth = 0; nth < 3; nth++) expect((await names('lone')).verdict).toBe('HIT');
    const other = await search('lone', { limit: 100, include_total: true });
    expect(other.headers.get('x-cache')).toBe('MISS');
    const get = () =>
      fetch(`${gateway.url}/api/3/action/datastore_search?resource_id=lone`, { headers: { Authorization: token } });
    expect((await get()).headers.get('x-cache')).toBe('HIT');
    expect(await (await get()).text()).toBe((await search('lone')).text);
  });

  test('after a write no caller sees the old records: in the table, in views, in tables it cascades to', async () => {
    const all = async () => [await names('owner'), await names('pet'), await names('shown')].map((one) => one.names);
    for (const name of ['Bob', 'Cy', 'Di']) {
      await all();
      await upsert('owner', { id: 1, name });
      await upsert('pet', { id: 1, name: `of ${name}` });
      expect(await all()).toEqual([[name], [`of ${name}`], [`of ${name}`]]);
    }
    await gateway.result('datastore_records_delete', { resource_id: 'owner', filters: { id: 1 } });
    expect(await all()).toEqual([[], [], []]);
  });

  test('a write touches no more than it must', async () => {
    await names('lone');
    await upsert('owner', { id: 1, name: 'Eve' });
    expect((await names('lone')).verdict).toBe('HIT');
  });

  test.skipIf(engine.client === 'pglite')('two databases of the configuration may be one', async () => {
    await names('same pet');
    await upsert('pet', { id: 1, name: 'Max' });
    expect((await names('same pet')).names).toEqual(['Max']);
  });

  test('a caller does not get from the cache what it may not read, on the fast path and off it', async () => {
    for (let nth = 0; nth < 3; nth++) await search('lone');
    for (let nth = 0; nth < 3; nth++) {
      expect((await search('lone', {}, null)).status).toBe(403);
      expect((await search('lone', {}, 'another-token')).status).toBe(403);
    }
  });

  test('a reload that hides a column, or takes the right away, holds from the first call', async () => {
    for (let nth = 0; nth < 3; nth++) expect((await search('lone')).text).toContain('"name":"x"');
    const hidden = configuration();
    const resources = { ...hidden.resources, lone: resource('lone', { columns: { name: { hidden: true } } }) };
    expect(await gateway.reload({ ...hidden, resources })).toEqual([]);
    expect((await search('lone')).text).not.toContain('"name"');
    expect(await gateway.reload({ ...configuration(), tokens: [] })).toEqual([]);
    expect((await search('lone')).status).toBe(403);
    expect(await gateway.reload(configuration())).toEqual([]);
  });

  test('a client that has the answer gets a 304, in either encoding', async () => {
    await gateway.result('datastore_upsert', {
      resource_id: 'lone',
      records: Array.from({ length: 100 }, (_, id) => ({ id, name: 'a long and boring name' })),
    });
    const url = `${gateway.url}/api/3/action/datastore_search?resource_id=lone`;
    const ask = (headers: Record<string, string>) => fetch(url, { headers: { Authorization: token, ...headers } });
    const plain = await ask({ 'Accept-Encoding': 'identity' });
    const zipped = await ask({ 'Accept-Encoding': 'gzip' });
    expect([plain, zipped].map(({ headers }) => headers.get('content-encoding'))).toEqual([null, 'gzip']);
    expect(Number(zipped.headers.get('content-length'))).toBeLessThan(Number(plain.headers.get('content-length')) / 3);
    expect(await zipped.text()).toBe(await plain.text());
    // After a reload the cached answer has no gzip copy yet, and its age starts over.
    const hit = async () => {
      const answer = await ask({ 'Accept-Encoding': 'gzip' });
      return [answer.headers.get('x-cache'), Number(answer.headers.get('age')), (await answer.text()).length > 1000];
    };
    const fine = ['HIT', expect.any(Number), true];
    expect([await hit(), await hit()]).toEqual([fine, fine]);
    await (await ask({ 'Accept-Encoding': 'identity', 'Cache-Control': 'no-cache' })).text();
    expect([await hit(), await hit()]).toEqual([fine, fine]);
    await expect.poll(hit, { timeout: 5000 }).toEqual(['HIT', 1, true]);
    for (const etag of [plain.headers.get('etag') ?? '', zipped.headers.get('etag') ?? '']) {
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await ask({ 'If-None-Match': known });
        expect([again.status, await again.text()]).toEqual([304, '']);
      }
    }
    expect((await ask({ 'If-None-Match': '"other"' })).status).toBe(200);
    await upsert('lone', { id: 1, name: 'changed' });
    expect((await ask({ 'If-None-Match': plain.headers.get('etag') ?? '' })).status).toBe(200);
  });

  // Only the gateway can write to an embedded database.
  test.skipIf(engine.client === 'pglite')(
    'a client that requests a fresh answer gets it, and the others get it from the cache',
    async () => {
      await names('lone');
      await fresh.exec(`UPDATE lone SET name = 'behind our back'`);
      expect((await names('lone')).names).toEqual(['x']);
      const answer = await fetch(`${gateway.url}/api/3/action/datastore_search?resource_id=lone`, {
        headers: { Authorization: token, 'Cache-Control': 'no-cache' },
      });
      expect(answer.headers.get('x-cache')).toBe('BYPASS');
      expect(await answer.text()).toContain('behind our back');
      expect(
        (
          await fetch(`${gateway.url}/api/3/action/datastore_search?resource_id=lone`, {
            headers: { Authorization: token },
          })
        ).headers.get('x-cache'),
      ).toBe('HIT');
    },
  );

  // Only the gateway can write to an embedded database.
  test.skipIf(engine.client === 'pglite')(
    'pages and orders of one search count once, and a write counts again',
    async () => {
      const total = async (more: object, headers: Record<string, string> = {}) => {
        const answer = await fetch(`${gateway.url}/api/3/action/datastore_search`, {
          method: 'POST',
          headers: { Authorization: token, ...headers },
          body: JSON.stringify({ resource_id: 'lone', limit: 1, ...more }),
        });
        const { result }: { result: { total: number } } = JSON.parse(await answer.text());
        return result.total;
      };
      for (const id of [2, 3]) await upsert('lone', { id, name: 'x' });
      expect(await total({})).toBe(3);
      await fresh.exec('DELETE FROM lone WHERE id = 3');
      for (const more of [{ offset: 1 }, { sort: 'name' }, { fields: 'name' }]) expect(await total(more)).toBe(3);
      expect(await total({ filters: { name: 'x' } })).toBe(2);
      expect(await total({ sort: 'id' }, { 'Cache-Control': 'no-cache' })).toBe(2);
      await upsert('lone', { id: 4, name: 'x' });
      expect(await total({ sort: 'id desc' })).toBe(3);
    },
  );

  test('an answer that is not cacheable has no headers of a cache', async () => {
    for (let nth = 0; nth < 2; nth++) {
      const answer = await search('unkept');
      expect(answer.headers.get('x-cache')).toBeNull();
      // A browser may keep it for 30 s, but not for another caller.
      expect(answer.headers.get('vary')).toBe((await search('aged')).headers.get('vary'));
    }
  });

  test('a refusal is not kept', async () => {
    for (let nth = 0; nth < 2; nth++) {
      const answer = await search('lone', { filters: { nope: 1 } });
      expect([answer.status, answer.headers.get('x-cache')]).toEqual([409, null]);
    }
  });
});
