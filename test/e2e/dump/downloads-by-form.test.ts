import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { entry, startGateway, type TestGateway, token } from '../../support/gateway.ts';
import { anyEngine, type FreshDatabase, freshDatabase } from '../../support/servers/engines.ts';

let database: FreshDatabase;
let gateway: TestGateway;
beforeAll(async () => {
  const [engine] = anyEngine();
  if (engine === undefined) throw new Error('no engine');
  database = await freshDatabase(engine);
  await database.exec(
    "CREATE TABLE t (k int PRIMARY KEY, v varchar(9)); INSERT INTO t VALUES (1, 'a'), (2, 'ü'), (3, 'a')",
  );
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  gateway = await startGateway({
    databases: { db: entry(database) },
    resources: { t: { database: 'db', table: 't' }, open: { database: 'db', table: 't', access: { read: 'public' } } },
    limits: { questionBytes: '2kB', parameters: 20 },
    rateLimit: { perToken: 4, perAddress: 100, every: '1h' },
    tokens: [
      { name: 'tester', sha256: sha256(token), read: ['*'] },
      { name: 'busy', sha256: sha256('busy'), read: ['*'] },
      ...['one', 'two', 'three'].map((name) => ({ name, sha256: sha256(name), read: ['*'] })),
    ],
  });
});
afterAll(async () => {
  await gateway?.close();
  await database?.drop();
});

type Fields = Readonly<Record<string, string>>;
const send = (body: RequestInit['body'], path = 't', headers: Fields = {}) =>
  fetch(`${gateway.url}/datastore/dump/${path}`, { method: 'POST', headers, ...(body === undefined ? {} : { body }) });
const post = async (fields: Fields, path = 't', headers: Fields = {}) => {
  const answer = await send(new URLSearchParams(fields), path, headers);
  return [answer.status, await answer.text()];
};

test('the fields of a form are the parameters of a download, with the token of the caller', async () => {
  const { status, headers, text } = await send(
    new URLSearchParams({ token: ' one ', filters: '{"v": ["a"]}', sort: 'k desc', fields: 'k,v', format: 'tsv' }),
  ).then(async (answer) => ({ status: answer.status, headers: answer.headers, text: await answer.text() }));
  expect([status, text]).toEqual([200, 'k\tv\n3\ta\n1\ta\n']);
  expect(headers.get('content-disposition')).toContain('attachment');
  expect(headers.get('cache-control')).toBe('private, no-cache');
  const parts = new FormData();
  parts.append('token', 'one');
  parts.append('q', 'ü');
  parts.append('fields', 'k');
  expect(await (await send(parts)).text()).toBe('k\n2\n');
  expect(await post({ fields: 'k', limit: '1' }, 't', { Authorization: 'one' })).toEqual([200, 'k\n1\n']);
});

test('without a token that may read, there is no such resource', async () => {
  for (const fields of [{}, { token: 'unknown' }, { token: '' }]) expect((await post(fields))[0]).toBe(404);
  expect((await post({}, 't?token=two'))[0]).toBe(404);
  expect((await post({ token: 'unknown' }, 't', { Authorization: 'two' }))[0]).toBe(404);
  expect(await post({ fields: 'k', filters: '{"k": 3}' }, 'open')).toEqual([200, 'k\n3\n']);
  expect((await send(undefined, 'open')).status).toBe(200);
});

test('the parameters of the URL count after those of the form', async () => {
  expect(await post({ token: 'three', limit: '1' }, 't?limit=2&fields=k&sort=k%20desc')).toEqual([200, 'k\n3\n']);
});

test.each<[number, string, RequestInit['body'], Fields]>([
  [415, 'JSON', '{"token": "three"}', { 'Content-Type': 'application/json' }],
  [415, 'text', 'token=three', { 'Content-Type': 'text/plain' }],
  [413, 'a large form', new URLSearchParams({ token: 'three', q: 'x'.repeat(2000) }), {}],
  [400, 'many fields', 'a&'.repeat(20), { 'Content-Type': 'application/x-www-form-urlencoded' }],
  [
    400,
    'bytes that are no text',
    Buffer.from([0x71, 0x3d, 0xff]),
    { 'Content-Type': 'application/x-www-form-urlencoded' },
  ],
  [400, 'a bad parameter', new URLSearchParams({ token: 'three', limit: 'x' }), {}],
])('%i for %s', async (status, _, body, headers) => {
  expect((await send(body, 't', headers)).status).toBe(status);
});

test('a caller is limited by the rate of the token in the form, and the log has the name, never the token', async () => {
  const before = gateway.events.length;
  const all = [];
  for (let nth = 0; nth < 5; nth++) all.push((await post({ token: 'busy', fields: 'k' }))[0]);
  expect(all).toEqual([200, 200, 200, 200, 429]);
  const answeredEvents = gateway.events.slice(before).filter((event) => event.on === 'answered');
  expect(answeredEvents.map((event) => [event.caller, event.action])).toEqual(
    Array(5).fill(['busy', 'datastore_dump']),
  );
  await post({ token: 'a-secret-token', limit: 'x', format: 'a-secret-format' });
  const sent = JSON.stringify(gateway.events, (_, value) => (value instanceof Error ? String(value.stack) : value));
  expect(sent).not.toContain('a-secret-token');
});

test('a form that cannot be read counts for its address', async () => {
  const status = async () => (await send('token=three', 't', { 'Content-Type': 'text/plain' })).status;
  await expect.poll(status, { interval: 0 }).toBe(429);
});
