/** Clients are notified of changes and never miss one. Only the gateway writes to this database. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { type EventStream, subscribe } from '../../support/event-stream.ts';
import { entry, startGateway, type TestGateway, token } from '../../support/gateway.ts';
import { freshDatabase, type PgliteDatabase } from '../../support/servers/engines.ts';

const engine = inject('pglite');
const reader = 'reader-token';

describe.runIf(engine !== null)('on PGlite', () => {
  let database: PgliteDatabase;
  let gateway: TestGateway;
  const streams: EventStream[] = [];
  let n = 0;

  const configuration = (more: Record<string, unknown> = {}, readable = ['private']) => ({
    databases: { db: entry(database) },
    resources: {
      a: { database: 'db', table: 'a', aliases: ['first', 'one,two'], access: { read: 'public', write: 'token' } },
      b: { database: 'db', table: 'b', access: { read: 'public', write: 'token' } },
      joined: { database: 'db', table: 'joined', access: { read: 'public' } },
      private: { database: 'db', table: 'b', access: { read: 'token' } },
    },
    tokens: [
      { name: 'tester', sha256: sha256(token), read: ['*'], write: ['*'] },
      { name: 'reader', sha256: sha256(reader), read: readable, write: [] },
    ],
    cache: { ttl: '1h' },
    server: { secret: 'a secret of the tests, which is the same after a restart' },
    ...more,
  });
  const open = async (...asked: Parameters<typeof subscribe> extends [string, ...infer Rest] ? Rest : never) => {
    const stream = await subscribe(gateway.url, ...asked);
    streams.push(stream);
    return stream;
  };
  const write = (resource: string) =>
    gateway.result('datastore_upsert', { resource_id: resource, records: [{ id: 1, n: ++n }] });
  const after = (stream: EventStream) => ({ 'Last-Event-ID': stream.changes.at(-1)?.id ?? '' });
  const ofView = () => gateway.events.filter((event) => event.on === 'answered' && event.resource === 'joined');

  beforeAll(async () => {
    if (engine === null) throw new Error('no PGlite');
    database = await freshDatabase(engine);
    await database.exec(`CREATE TABLE a (id integer PRIMARY KEY, n integer); CREATE TABLE b (id integer PRIMARY KEY, n integer);
      CREATE VIEW joined AS SELECT a.id, a.n AS x, b.n AS y FROM a JOIN b USING (id)`);
    gateway = await startGateway(configuration());
  });
  afterEach(() => {
    for (const stream of streams.splice(0)) stream.close();
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });

  test('the first event of each resource says where the client stands, and each write has its event', async () => {
    const stream = await open('resource_id=a&resource_id=joined');
    expect(stream.status).toBe(200);
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'access-control-allow-origin': '*',
      'transfer-encoding': 'chunked',
    });
    expect(stream.headers['content-encoding']).toBeUndefined();
    await stream.until(2);
    expect(stream.text()).toMatch(/^retry: [1-5]\d{3}\n\nid: /);
    await write('a');
    // The view is notified as well.
    const all = await stream.until(4);
    expect(all.map(({ resource, version }) => [resource, version])).toEqual([
      ['a', 1],
      ['joined', 2],
      ['a', 3],
      ['joined', 4],
    ]);
    // Nothing was written since, so there must be no further event.
    await sleep(500);
    expect(stream.changes.length).toBe(4);
  });

  test('an event has the name that the client used for the resource, and both where it used two', async () => {
    const stream = await open('resource_id=first&resource_id=a&id=one,two&id=b');
    // `id` takes precedence, as in other actions. A comma is part of the name.
    expect((await stream.until(2)).map(({ resource }) => resource)).toEqual(['one,two', 'b']);
    const two = await open('resource_id=first&resource_id=a');
    await two.until(2);
    await write('a');
    expect((await two.until(4)).map(({ resource }) => resource)).toEqual(['first', 'a', 'first', 'a']);
  });

  test('many writes become ten notices a second at most, and the last write has one', async () => {
    const stream = await open('a');
    await stream.until(1);
    const began = performance.now();
    for (let i = 0; i < 40; i++) await write('a');
    await stream.until(2);
    await sleep(400);
    const eventsBefore = stream.changes.length;
    const seconds = (performance.now() - began) / 1000;
    expect(eventsBefore - 1).toBeLessThanOrEqual(Math.ceil(seconds * 10) + 1);
    await write('a');
    await stream.until(eventsBefore + 1);
  });

  test('with Last-Event-ID only changes meanwhile have events, and the counter goes on', async () => {
    const before = await open('resource_id=a&resource_id=b');
    await before.until(2);
    before.close();
    await write('b');
    const stream = await open('resource_id=a&resource_id=b', after(before));
    const [only] = await stream.until(1);
    expect([only?.resource, only?.version]).toEqual(['b', 3]);
    await write('a');
    await stream.until(2);
    expect(stream.changes.map(({ resource }) => resource)).toEqual(['b', 'a']);
  });

  test('with the id of a stream of other resources every resource has an event: the client may never have read them', async () => {
    const before = await open('a');
    await before.until(1);
    const stream = await open('resource_id=a&resource_id=b', after(before));
    expect((await stream.until(2)).map(({ resource, version }) => [resource, version])).toEqual([
      ['a', 2],
      ['b', 3],
    ]);
  });

  test('after a restart everything counts as changed, and the counter goes on', async () => {
    const before = await open('resource_id=a&resource_id=b');
    await before.until(2);
    await gateway.close();
    expect(await before.ended).toBe(true);
    gateway = await startGateway(configuration());
    const stream = await open('resource_id=a&resource_id=b', after(before));
    expect((await stream.until(2)).map(({ version }) => version)).toEqual([3, 4]);
  });

  test('a reload sends an event for every resource again, and ends streams that are no longer permitted', async () => {
    const headers = { Authorization: reader };
    const [open1, open2] = [await open('a'), await open('resource_id=private&resource_id=a', headers)];
    await Promise.all([open1.until(1), open2.until(2)]);
    const resumed = after(open1);
    expect(await gateway.reload(configuration())).toEqual([]);
    await Promise.all([open1.until(2), open2.until(4)]);
    expect(await gateway.reload(configuration({}, []))).toEqual([]);
    const eventsBefore = open2.changes.length;
    await write('b');
    expect(await open2.ended).toBe(true);
    expect(open2.changes.length).toBe(eventsBefore);
    await open1.until(3);
    expect((await open('private', headers)).status).toBe(403);
    // A write between the reload and the next check is covered by the reload's own notice.
    await (await open('a', resumed)).until(1);
    expect(await gateway.reload(configuration())).toEqual([]);
  });

  test('a resource that is gone ends its streams', async () => {
    const stream = await open('b');
    await stream.until(1);
    const { b: _, ...resources } = configuration().resources;
    expect(await gateway.reload({ ...configuration(), resources })).toEqual([]);
    expect(await stream.ended).toBe(true);
    expect((await open('b')).status).toBe(404);
    expect(await gateway.reload(configuration())).toEqual([]);
  });

  test('refusals come before the stream, as for a search', async () => {
    expect((await open('nobody')).status).toBe(404);
    expect((await open('private')).status).toBe(403);
    expect((await open('resource_id=a&resource_id=private')).status).toBe(403);
    expect((await open('resource_id=')).status).toBe(409);
    expect((await open('x=1')).status).toBe(409);
    expect((await open('resource_id=a&callback=f')).status).toBe(400);
    const post = await gateway.call('datastore_changes', { resource_id: 'a' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    const head = await fetch(`${gateway.url}/api/3/action/datastore_changes?resource_id=a`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  });

  test('hostile parameters are refused, and a foreign Last-Event-ID is none', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => `resource_id=r${i}`).join('&');
    const statuses = [65, 900, 1001, 10_000].map(async (count) => (await open(many(count))).status);
    expect(await Promise.all(statuses)).toEqual([409, 409, 400, 431]);
    // Repeating a name does not add a subscription.
    expect(await (await open('resource_id=a&'.repeat(100).slice(0, -1))).until(1)).toHaveLength(1);
    const foreign = [
      'x',
      '1',
      '-1.',
      '9'.repeat(30),
      `1.${'A'.repeat(60_000)}`,
      '1.%0d%0aid: 2',
      '1.A\u00e9',
      '7.AAAA',
      '{}',
    ];
    for (const id of foreign) {
      const stream = await open('a', { 'Last-Event-ID': id });
      const [first] = await stream.until(1);
      expect([id.slice(0, 20), first?.version]).toEqual([id.slice(0, 20), id === '7.AAAA' ? 8 : 1]);
      stream.close();
    }
  });

  test('a client that has left is forgotten, and logged once', async () => {
    const stream = await open('joined');
    await stream.until(1);
    expect(ofView()).toEqual([]);
    stream.close();
    await expect.poll(ofView).toMatchObject([{ action: 'datastore_changes', status: 200, cause: undefined }]);
    expect(gateway.events.some(({ on }) => on === 'noticed')).toBe(true);
  });

  test('more than limits.subscribers is a 503; a client may have half', async () => {
    expect(await gateway.reload(configuration({ limits: { subscribers: 3 } }))).toEqual([]);
    const own = [await open('a'), await open('a')];
    const third = await open('a');
    expect([third.status, third.headers['retry-after']]).toEqual([503, '10']);
    const other = await open('private', { Authorization: reader });
    expect(other.status).toBe(200);
    expect((await open('private', { Authorization: reader })).status).toBe(503);
    own[0]?.close();
    await expect.poll(async () => (await open('private', { Authorization: reader })).status).toBe(200);
    for (const stream of streams.splice(0)) stream.close();
    expect(await gateway.reload(configuration())).toEqual([]);
  });
});

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
