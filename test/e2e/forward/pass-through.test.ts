import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { entry, startGateway, type TestGateway, token } from '../../support/gateway.ts';
import { anyEngine, type FreshDatabase, freshDatabase } from '../../support/servers/engines.ts';

let application: Server;
let database: FreshDatabase;
let gateway: TestGateway;
let seen: IncomingMessage[];
let metadata: readonly [number, string] | null = null;

/**
 * Echoes the body. `/dies` sends half a response and dies; upgrades are accepted and echoed. It does not know the resource `also-ours`, refuses
 * `forbidden`, and sends an endless 404 for `endless`. It lists its tables as CKAN does, or answers `metadata`.
 */
function legacyApplication(): Server {
  const server = createServer(async (req, res) => {
    seen.push(req);
    if (req.url === '/dies') {
      res.writeHead(200, { 'Content-Length': '1000' });
      res.write('half');
      setTimeout(() => res.destroy(), 50);
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    if (req.url?.includes('_table_metadata')) {
      const names = [
        ['theirs', null],
        ['their-alias', 'theirs'],
        ['ours', null],
      ];
      const records = names.map(([name, alias_of]) => ({ _id: `${name}-id`, name, oid: 17804, alias_of }));
      const [status, body] = metadata ?? [200, JSON.stringify({ success: true, result: { records, total: 3 } })];
      return res.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
    }
    const shown = req.url?.includes('resource_show') ? `${req.url} ${Buffer.concat(chunks).toString()}` : '';
    if (shown.includes('forbidden')) return res.writeHead(403).end('no');
    if (shown.includes('also-ours')) return res.writeHead(404).end('x'.repeat(1_000_000));
    if (shown.includes('endless')) return res.writeHead(404).write('x');
    res.writeHead(203, { 'Set-Cookie': ['a=1', 'b=2'], Location: 'http://elsewhere/' });
    res.end(`${req.method} ${req.url} ${Buffer.concat(chunks).toString()}`);
  });
  server.on('upgrade', (_, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
    socket.pipe(socket);
  });
  return server;
}

beforeAll(async () => {
  const [engine] = anyEngine();
  if (engine === undefined) throw new Error('no engine');
  database = await freshDatabase(engine);
  await database.exec('CREATE TABLE t (id int PRIMARY KEY)');
  application = legacyApplication().listen(0, '127.0.0.1');
  await once(application, 'listening');
  const { port } = Object(application.address());
  gateway = await startGateway({
    upstream: { url: `http://127.0.0.1:${port}` },
    auth: {
      jwt: [
        { name: 'staff', issuer: 'https://staff.example', audience: 'data' },
        { name: 'portal', issuer: 'https://portal.example', audience: 'data', forward: true },
      ],
    },
    databases: { db: entry(database) },
    resources: {
      ours: {
        database: 'db',
        table: 't',
        aliases: ['also-ours', '7', 'forbidden', 'endless'],
        access: { read: 'public' },
      },
    },
  });
});
afterAll(async () => {
  await gateway?.close();
  application?.closeAllConnections();
  application?.close();
  await database?.drop();
});

const ask = async (path: string, init: RequestInit = {}) => {
  seen = [];
  const answer = await fetch(gateway.url + path, init);
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
};

test('pages, other actions and other resources are answered by the application', async () => {
  const page = await ask('/dataset/x?y=1', { method: 'PUT', body: 'z'.repeat(100_000) });
  expect([page.status, page.text]).toEqual([203, `PUT /dataset/x?y=1 ${'z'.repeat(100_000)}`]);
  expect(page.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect((await ask('/api/3/action/package_list')).text).toBe('GET /api/3/action/package_list ');
  const body = '{"resource_id": "theirs",  "limit": 1}';
  const theirs = await ask('/api/3/action/datastore_search', {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json' },
  });
  expect(theirs.text).toBe(`POST /api/3/action/datastore_search ${body}`);
  expect(JSON.parse((await ask('/api/3/action/datastore_search?resource_id=also-ours')).text).success).toBe(true);
});

test('the sitemap of the site is that of the application, ours is below the explorer', async () => {
  expect((await ask('/sitemap.xml')).text).toBe('GET /sitemap.xml ');
  const ours = await ask('/datastore/explore/sitemap.xml');
  expect([ours.status, ours.text.match(/<loc>/g)?.length]).toEqual([200, 2]);
});

test('calls about the whole site are answered by the application, calls about our resources are not', async () => {
  const path = (name: string) => `/api/3/action/${name}`;
  const theirs = [
    ...['status_show', 'help_show?name=package_list', 'help_show?name=group_show', 'resource_show?id=theirs'],
    ...['package_list', 'package_show?id=ours', 'package_search', 'organization_list', 'group_list', 'license_list'],
  ];
  for (const name of theirs) expect((await ask(path(name))).text).toBe(`GET ${path(name)} `);
  for (const catalogue of ['/catalog.jsonld?page=2', '/data.json', '/dataset/ours', '/%64ata.json'])
    expect((await ask(catalogue)).text).toBe(`GET ${catalogue} `);
  const ours = [
    'help_show?name=datastore_search',
    'help_show?name=help_show',
    'resource_show?id=also-ours',
    'resource_list',
  ];
  for (const name of ours) expect(JSON.parse((await ask(path(name))).text).success).toBe(true);
});

test('the application shows the resources that it has itself, ours only where it says 404', async () => {
  const path = '/api/3/action/resource_show';
  const post = (sent: RequestInit, query = '') => ask(path + query, { method: 'POST', ...sent });
  expect((await ask(`${path}?id=ours`)).text).toBe(`GET ${path}?id=ours `);
  expect((await ask(`${path}?callback=f&id=ours`)).text).toBe(`GET ${path}?callback=f&id=ours `);
  expect((await post(json({ id: 'ours' }))).text).toBe(`POST ${path} {"id":"ours"}`);
  expect((await post(form({ id: 'ours', x: 'y' }))).text).toBe(`POST ${path} id=ours&x=y`);
  expect((await ask(`${path}?id=ours`, { method: 'HEAD', headers: { Authorization: token } })).status).toBe(203);
  expect(seen.map(({ method, headers }) => [method, headers.authorization])).toEqual([['HEAD', undefined]]);
  expect(await ask(`${path}?id=forbidden`)).toMatchObject({ status: 403, text: 'no' });

  for (const id of ['also-ours', 'endless']) {
    const ownAddresses = [
      await ask(`${path}?id=${id}`),
      await post(json({ id })),
      await post(form({ id })),
      await post({}, `?id=${id}`),
    ];
    for (const { status, text } of ownAddresses)
      expect([status, JSON.parse(text).result]).toMatchObject([200, { id: 'ours', datastore_active: true }]);
    expect((await ask(`${path}?callback=f&id=${id}`)).text).toMatch(/^\/\*\*\/f\(\{.*"id": ?"ours"/);
  }
  expect(await ask(`${path}?id=also-ours`, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
});

test('_table_metadata lists the tables of both', async () => {
  const path = '/api/3/action/datastore_search';
  const names = (text: string) => JSON.parse(text).result.records.map(({ name }: { name: string }) => name);
  const all = ['7', 'also-ours', 'endless', 'forbidden', 'ours', 'their-alias', 'theirs'];
  const target = `${path}?resource_id=_table_metadata`;
  const { text } = await ask(target, { headers: { Authorization: token, 'Accept-Encoding': 'gzip' } });
  expect(names(text)).toEqual(all);
  expect(JSON.parse(text).result).toMatchObject({
    total: 7,
    records: expect.arrayContaining([{ _id: 'their-alias-id', name: 'their-alias', oid: '17804', alias_of: 'theirs' }]),
  });
  expect(
    seen.map(({ method, url, headers }) => [method, url, headers.authorization, headers['accept-encoding']]),
  ).toEqual([['GET', `${target}&sort=name&limit=10000`, undefined, 'identity']]);
  const post = (sent: RequestInit) => ask(path, { method: 'POST', ...sent });
  const params = { resource_id: '_table_metadata' };
  expect(names((await post(json({ ...params, filters: { alias_of: 'theirs' } }))).text)).toEqual(['their-alias']);
  expect(names((await post(json({ ...params, sort: 'name desc', offset: 1, limit: 2 }))).text)).toEqual([
    'their-alias',
    'ours',
  ]);
  expect(names((await post(form({ ...params, q: 'THEIR' }))).text)).toEqual(['their-alias', 'theirs']);
  expect((await ask(`${target}&callback=f&limit=1`)).text).toMatch(/^\/\*\*\/f\(/);
  expect(await ask(target, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
  expect((await ask(`${target}&limit=x`)).status).toBe(409);
  const answers: readonly (readonly [typeof metadata, number])[] = [
    [[404, 'no DataStore'], 200],
    [[403, 'no'], 403],
    [[200, '<html>'], 502],
    [[200, '{"success": true, "result": {}}'], 502],
    [[200, JSON.stringify({ result: { records: 'x'.repeat(50_000_000) } })], 502],
  ];
  for (const [answer, status] of answers) {
    metadata = answer;
    expect((await ask(target)).status).toBe(status);
  }
  metadata = null;
  expect(names((await ask(target)).text)).toEqual(all);
});

const json = (value: object) => ({ body: JSON.stringify(value), headers: { 'Content-Type': 'application/json' } });
const form = (fields: Record<string, string>) => ({ body: new URLSearchParams(fields) });
const multipart = (fields: Record<string, string>) => {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return { body };
};

test.each([
  ['datastore_create', 'resource_id', json({ resource_id: 'ours', records: [{ a: 1 }], force: true })],
  ['datastore_create', 'id', json({ id: 'also-ours', resource_id: 'theirs' })],
  ['datastore_create', 'resource_id', json({ id: 'theirs', resource_id: 'ours' })],
  ['datastore_create', 'resource', json({ resource: { id: 'ours', package_id: 'x' }, fields: [] })],
  ['datastore_create', 'aliases', json({ resource_id: 'theirs', aliases: ['x', 'also-ours'] })],
  ['datastore_create', 'aliases', json({ resource_id: 'theirs', aliases: 'x, "ours"' })],
  ['datastore_create', 'resource_id', form({ resource_id: 'ours', force: 'true' })],
  ['datastore_create', 'resource_id', multipart({ resource_id: 'ours', force: 'true' })],
  ['datastore_create', 'resource_id', { body: new URLSearchParams('{"resource_id": "ours"}') }],
  ['datastore_run_triggers', 'resource_id', json({ resource_id: 'ours' })],
  ['datastore_function_create', 'name', json({ name: 'ours', definition: 'x' })],
  ['datastore_function_delete', 'name', form({ name: 'ours', if_exists: 'true' })],
  ['xloader_submit', 'resource_id', json({ resource_id: 'also-ours' })],
  ['datapusher_submit', 'resource_id', json({ resource_id: '7' })],
  ['datapusher_submit', 'resource_id', json({ resource_id: 7 })],
])('%s is refused for a resource of ours, named by %s', async (action, parameter, init) => {
  const answer = await ask(`/api/3/action/${action}`, { method: 'POST', ...init });
  expect([answer.status, Object.keys(JSON.parse(answer.text).error)]).toEqual([409, [parameter, '__type']]);
  expect(seen).toEqual([]);
});

test.each([
  json({ sql: 'SELECT * FROM "ours"' }),
  form({ sql: 'select count(*) from OURS' }),
  multipart({ sql: 'SELECT * FROM "theirs" t JOIN public."Also-Ours" o USING (id)' }),
])('SQL over a resource of ours is not for the application', async (init) => {
  const answer = await ask('/api/3/action/datastore_search_sql', { method: 'POST', ...init });
  expect(answer).toMatchObject({ status: 403, text: expect.stringContaining('no resource of the gateway takes SQL') });
  expect(seen).toEqual([]);
});

test('the same actions are answered by the application for its own resources, and for no resource', async () => {
  const path = (name: string) => `/api/3/action/${name}`;
  const sql = `${path('datastore_search_sql')}?${new URLSearchParams({ sql: 'SELECT \'ours\' FROM "theirs" -- ours' })}`;
  expect((await ask(sql)).text).toBe(`GET ${sql} `);
  const refused = await ask(`${path('datastore_search_sql')}?callback=f&sql=TABLE+ours`);
  expect(refused.status).toBe(403);
  for (const body of [
    { resource_id: 'theirs', records: [{ id: 'ours', resource_id: 'ours' }] },
    { resource: { package_id: 'ours' }, aliases: ['theirs'], primary_key: 'ours' },
    {},
  ]) {
    const sent = json(body);
    const answer = await ask(path('datastore_create'), { method: 'POST', ...sent });
    expect(answer.text).toBe(`POST ${path('datastore_create')} ${sent.body}`);
  }
  expect((await ask(path('datastore_create'))).status).toBe(400);
});

test('a token of ours goes no further, one of the application does', async () => {
  await ask('/', { headers: { Authorization: token, 'X-CKAN-API-Key': token } });
  expect([seen[0]?.headers.authorization, seen[0]?.headers['x-ckan-api-key']]).toEqual([undefined, undefined]);
  await ask('/', { headers: { 'X-CKAN_API-Key': token, 'x_ckan-api-key': token, X_CKAN_API_KEY: `Bearer ${token}` } });
  expect(Object.values(seen[0]?.headers ?? {}).filter((value) => String(value).includes(token))).toEqual([]);
  await ask('/', { headers: { Authorization: 'Basic theirs', 'X-CKAN-API-Key': 'theirs' } });
  expect([seen[0]?.headers.authorization, seen[0]?.headers['x-ckan-api-key']]).toEqual(['Basic theirs', 'theirs']);
});

test('a JWT goes no further if its issuer is one of ours, valid or not, unless the issuer says so', async () => {
  const jwt = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;
  const passed = async (token: string) => {
    await ask('/', { headers: { Authorization: `Bearer ${token}`, 'X-CKAN-API-Key': token } });
    return [seen[0]?.headers.authorization, seen[0]?.headers['x-ckan-api-key']];
  };
  expect(await passed(jwt({ iss: 'https://staff.example' }))).toEqual([undefined, undefined]);
  for (const claims of [{ iss: 'https://portal.example' }, { iss: 'https://other.example' }, { jti: 'of CKAN' }])
    expect(await passed(jwt(claims))).toEqual([`Bearer ${jwt(claims)}`, jwt(claims)]);
});

test('a download by a form is never passed on: its body may have a token of ours', async () => {
  const form = { method: 'POST', body: new URLSearchParams({ token }) };
  expect((await ask('/datastore/dump/theirs', form)).status).toBe(404);
  expect(seen).toEqual([]);
  expect((await ask('/datastore/dump/theirs')).text).toBe('GET /datastore/dump/theirs ');
  expect((await ask('/datastore/dump/ours', form)).text).toBe('_id,id\n');
});

test.each([
  '/datastore/dump/ours/',
  '/datastore/dump/theirs/',
  '/datastore/dump/theirs.csv',
  '/datastore/dump',
  '/datastore/dump/',
  '//datastore/dump/theirs',
  '/datastore//dump/theirs',
  '/datastore/./dump/theirs',
  '/datastore/x/../dump/theirs',
  '/datastore%2Fdump/theirs',
  '/%64atastore/dump/theirs/',
  '/datastore/dump/%zz',
  '/Datastore/Dump/theirs',
  '/datastore\\dump/theirs',
  '/en/datastore/dump/theirs',
  '/english/datastore/dump/theirs',
  '/elsewhere/datastore/dump/ours',
])('a form with a token is not forwarded from %s', async (path) => {
  const port = Number(new URL(gateway.url).port);
  const body = `token=${token}`;
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const length = { ...type, 'Content-Length': body.length };
  const forms = [
    ...['POST', 'PUT', 'GET', 'DELETE'].map((method) => ({ method, path, headers: length, body })),
    { method: 'POST', path, headers: { ...type, 'Transfer-Encoding': 'chunked' }, body },
    ...['GET', 'HEAD'].map((method) => ({ method, path: `${path}?format=csv&${body}`, headers: {}, body: '' })),
    { method: 'GET', path: `${path}?%74oken=${token}`, headers: {}, body: '' },
  ];
  seen = [];
  for (const { body, ...form } of forms) {
    const req = request({ port, ...form }).end(body);
    const [res] = await once(req, 'response');
    res.resume();
    await once(res, 'end');
    expect([form.method, res.statusCode < 500]).toEqual([form.method, true]);
  }
  expect(seen).toEqual([]);
  expect((await ask('/datastore/dumps/theirs', { method: 'POST', body: 'x' })).text).toMatch(/^POST .* x$/);
});

test('forwarding headers of an untrusted client are not believed', async () => {
  seen = [];
  const req = request(`${gateway.url}/`, {
    headers: { 'X-Forwarded-For': '9.9.9.9', Forwarded: 'for=9.9.9.9', Connection: 'x-secret', 'X-Secret': '1' },
  });
  req.end();
  const [res] = await once(req, 'response');
  res.resume();
  await once(res, 'end');
  const { headers } = seen[0] ?? {};
  expect([headers?.['x-forwarded-for'], headers?.forwarded, headers?.['x-secret']]).toEqual([
    '127.0.0.1',
    undefined,
    undefined,
  ]);
  expect(headers?.['x-forwarded-host']).toBe(new URL(gateway.url).host);
});

test('an application that dies within an answer ends it for the client, too', async () => {
  await expect(ask('/dies')).rejects.toThrow();
});

test('an upgrade is handed on both ways', async () => {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  socket.write('GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  await expect.poll(() => text).toContain('101 Switching Protocols');
  socket.write('ping');
  await expect.poll(() => text).toMatch(/ping$/);
  socket.destroy();
});

test('an application that is down is a clear 502, and ours is served on', async () => {
  const dead = await startGateway({
    upstream: { url: 'http://127.0.0.1:9' },
    databases: { db: entry(database) },
    resources: { ours: { database: 'db', table: 't' } },
  });
  const answer = await fetch(`${dead.url}/page`);
  expect([answer.status, await answer.json()]).toEqual([
    502,
    'Bad Gateway: the application behind the gateway cannot be reached',
  ]);
  // CORS headers, so that a page of another site can read the reason.
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  // We must not answer with our own record instead: a client that changes one member and sends it back would overwrite CKAN's record.
  expect((await fetch(`${dead.url}/api/3/action/resource_show?id=ours`)).status).toBe(502);
  expect((await fetch(`${dead.url}/api/3/action/resource_list`)).status).toBe(200);
  await dead.close();
});
