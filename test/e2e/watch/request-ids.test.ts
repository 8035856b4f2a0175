/** Request ids in the log, in responses, and in forwarded requests; and secrets that no log line may contain. */
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Event } from '../../../src/model/events.ts';
import { log } from '../../../src/watch/log.ts';
import { startGateway, type TestGateway, token } from '../../support/gateway.ts';
import { anyEngine, type Engine, type FreshDatabase, freshDatabase } from '../../support/servers/engines.ts';

const [engine]: readonly Engine[] = anyEngine();
const ours = /^[\da-f]{8}-[\da-f-]{27}$/;
const seen: (string | undefined)[] = [];
let fresh: FreshDatabase;
let upstream: Server;
let gateway: TestGateway;

beforeAll(async () => {
  if (engine === undefined) throw new Error('no engine');
  fresh = await freshDatabase(engine);
  await fresh.exec("CREATE TABLE t (id int PRIMARY KEY, n int, name varchar(20)); INSERT INTO t VALUES (1, 7, 'x')");
  const note = (id: string | string[] | undefined) => seen.push(typeof id === 'string' ? id : undefined);
  upstream = createServer((req, res) => {
    note(req.headers['x-request-id']);
    res.end('page');
  });
  upstream.on('upgrade', (req, socket) => {
    note(req.headers['x-request-id']);
    socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
  });
  await new Promise<void>((listening) => upstream.listen(0, '127.0.0.1', listening));
  const address = upstream.address();
  const db =
    fresh.client === 'pglite'
      ? { client: fresh.client, directory: fresh.directory }
      : { client: fresh.client, connection: fresh.url };
  gateway = await startGateway({
    cache: { ttl: '1h' },
    upstream: { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` },
    databases: { db },
    resources: { t: { database: 'db', table: 't', access: { read: 'public', write: 'token' } } },
  });
});
afterAll(async () => {
  await gateway?.close();
  upstream?.close();
  await fresh?.drop();
});

const search = '/api/3/action/datastore_search?resource_id=t';
const get = async (path: string, id?: string) => {
  const answer = await fetch(`${gateway.url}${path}`, { headers: id === undefined ? {} : { 'X-Request-Id': id } });
  await answer.text();
  return { id: answer.headers.get('x-request-id'), verdict: answer.headers.get('x-cache') };
};
const answered = () => gateway.events.filter((event) => event.on === 'answered');

test('the request id of a client is kept everywhere, also by a cache hit', async () => {
  expect(await get(search, 'one.1')).toEqual({ id: 'one.1', verdict: 'MISS' });
  expect(answered().at(-1)).toMatchObject({ id: 'one.1', address: '127.0.0.1', action: 'datastore_search' });
  for (const id of ['two_2', 'three-3']) expect(await get(search, id)).toEqual({ id, verdict: 'HIT' });
  expect(gateway.events.filter(({ on }) => on === 'hit')).toHaveLength(2);
  expect((await get('/page', 'four')).id).toBe('four');
  expect(seen.at(-1)).toBe('four');
  expect(gateway.events.findLast(({ on }) => on === 'forwarded')).toMatchObject({ id: 'four', status: 200 });
});

test.each(['', 'a b', 'a\tb', 'é', 'a'.repeat(65), '{"level":60}', 'x, y', '<b>', '../../x', "' OR 1=1"])(
  'an invalid id is not repeated: %j',
  async (id) => {
    const sent = Buffer.from(id).toString('latin1');
    const { id: made } = await get('/api/3', sent);
    expect(made).toMatch(ours);
    await get('/page', sent);
    expect(seen.at(-1)).toMatch(ours);
    expect(seen.at(-1)).not.toBe(made);
  },
);

test('two ids in one request are none', async () => {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  socket.write('GET /api/3 HTTP/1.1\r\nHost: x\r\nX-Request-Id: a\r\nX-Request-Id: b\r\nConnection: close\r\n\r\n');
  let answer = '';
  for await (const bytes of socket) answer += bytes;
  expect(/X-Request-Id: (\S+)/i.exec(answer)?.[1]).toMatch(ours);
});

test('a connection that becomes another protocol has one, too', async () => {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  socket.write(
    'GET /ws HTTP/1.1\r\nHost: x\r\nX-Request-Id: ws.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  );
  for await (const _ of socket);
  expect(seen.at(-1)).toBe('ws.1');
});

test('refusals of every kind have an id', async () => {
  const refused = await gateway.call('datastore_search', { resource_id: 't', limit: 'x' });
  expect([refused.status, refused.headers.get('x-request-id')]).toEqual([409, expect.stringMatching(ours)]);
  const large = await fetch(`${gateway.url}/api/3/action/datastore_search`, {
    method: 'POST',
    body: ' '.repeat(10_000_001),
  });
  expect([large.status, large.headers.get('x-request-id')]).toEqual([413, expect.stringMatching(ours)]);
});

test('the time of the database is logged apart from the whole', async () => {
  await gateway.call('datastore_search', { resource_id: 't', filters: { n: 7 } });
  const last = answered().at(-1);
  if (last?.on !== 'answered') throw new Error('nothing answered');
  expect(last.queried).toBeGreaterThan(0);
  expect(last.milliseconds).toBeGreaterThanOrEqual(last.queried);
  await gateway.call('datastore_search', { resource_id: 't', limit: 'x' });
  expect(answered().at(-1)).toMatchObject({ queried: 0, waited: 0, status: 409 });
});

test('no token and no value of a client or a record comes into the log, whatever the database says of them', async () => {
  const lines: string[] = [];
  const emit = log({ level: 'trace', requests: 'all', format: 'auto' }, null, { write: (line) => lines.push(line) });
  const before = gateway.events.length;
  const secret = 'Zebra "quoted" it\'s 42';
  await gateway.call('datastore_search', { resource_id: 't', q: secret, filters: { name: secret } });
  for (const records of [
    [{ id: 1, n: secret }],
    [{ id: 5, name: `${secret} that is much too long` }],
    [{ id: secret }],
  ])
    await gateway.call('datastore_upsert', { resource_id: 't', records });
  await gateway.call('datastore_search', { resource_id: 't' }, 'a-token-nobody-knows');
  for (const event of gateway.events.slice(before)) emit(event);
  const words = [
    `invalid input syntax for type integer: "${secret}"`,
    `Duplicate entry '${secret}' for key 'PRIMARY'`,
    `You have an error in your SQL syntax; near '${secret}`,
    `Incorrect integer value: '${secret}' for column \`n\` at row 1`,
  ];
  const about = { id: 'x', address: '::1', action: 'a', resource: 't', caller: null, cache: null } as const;
  for (const text of words) {
    const cause = Object.assign(new Error(text), { code: '22P02' });
    const event: Event = { on: 'answered', ...about, status: 500, milliseconds: 1, waited: 0, queried: 1, cause };
    emit(event);
  }
  const text = lines.join('');
  expect(lines.length).toBeGreaterThan(8);
  expect(text).toContain('22P02: invalid input syntax for type integer: …');
  expect(text).toContain('"stack":["at ');
  for (const hidden of ['Zebra', 'quoted', "it's", token, 'a-token-nobody-knows']) expect(text).not.toContain(hidden);
});
