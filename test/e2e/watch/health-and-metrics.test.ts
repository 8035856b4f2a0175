import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminOf, ask, metric } from '../../support/admin-port.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { anyServer, byName, freshDatabase, openSession, type ServerDatabase } from '../../support/servers/engines.ts';
import { openTap, type Tap } from '../../support/tap.ts';

/** Health and metrics do not depend on the engine. */
describe.each(byName(anyServer()))('on %s', (_, engine) => {
  let fresh: ServerDatabase;
  let tap: Tap;
  let upstream: Server;
  let gateway: TestGateway;
  let admin = '';

  beforeAll(async () => {
    fresh = await freshDatabase(engine);
    await fresh.exec('CREATE TABLE t (id int PRIMARY KEY, n int); INSERT INTO t VALUES (1, 0)');
    tap = await openTap(fresh.url);
    upstream = createServer((_, res) => res.writeHead(418).end()).listen(0, '127.0.0.1');
    await new Promise((listening) => upstream.on('listening', listening));
    const address = upstream.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const client = engine.client;
    gateway = await startGateway({
      admin: { port: 0 },
      cache: { ttl: '1h' },
      upstream: { url: `http://127.0.0.1:${port}` },
      databases: {
        db: { client, connection: tap.url, pool: { max: 3, acquireTimeout: '1s' } },
        away: { client, connection: fresh.url.replace(/:\d+\//, ':1/') },
      },
      resources: {
        t: { database: 'db', table: 't', access: { read: 'public', write: 'token' } },
        gone: { database: 'away', table: 't', access: { read: 'public' } },
      },
    });
    admin = adminOf(gateway);
  });
  afterAll(async () => {
    tap?.thaw();
    await gateway?.close();
    tap?.close();
    upstream?.close();
    await fresh?.drop();
  });

  const ready = async () => {
    const { status, text } = await ask(admin, '/ready');
    return { status, ...JSON.parse(text) };
  };
  const metrics = async () => (await ask(admin, '/metrics')).text;

  test('one of two databases is away: it says which, and goes on being ready for the other', async () => {
    expect(await ready()).toEqual({
      status: 200,
      ready: true,
      draining: false,
      workers: { serving: 1, configured: 1 },
      databases: {
        db: { up: true, why: null, absent: [] },
        away: { up: false, why: 'nothing listens on 127.0.0.1:1 (connection refused)', absent: [] },
      },
    });
    const text = await metrics();
    expect(metric(text, 'gateway_database_up', { database: 'db' })).toBe(1);
    expect(metric(text, 'gateway_database_up', { database: 'away' })).toBe(0);
  });

  test('all kinds of answers are counted, each once', async () => {
    const search = { resource_id: 't' };
    const before = await metrics();
    for (let i = 0; i < 4; i++) await gateway.call('datastore_search', search);
    await gateway.call('datastore_upsert', { resource_id: 't', records: [{ id: 2, n: 1 }] });
    await gateway.call('datastore_upsert', { resource_id: 't', records: [{ id: 3, n: 'many' }] });
    await gateway.call('datastore_search', { resource_id: 'gone' });
    await fetch(`${gateway.url}/page`);
    await (await fetch(`${gateway.url}/datastore/dump/t`)).text();
    const text = await metrics();
    const more = (name: string, labels: Readonly<Record<string, string>>) =>
      (metric(text, name, labels) ?? 0) - (metric(before, name, labels) ?? 0);
    const searched = { action: 'datastore_search', resource: 't', status: '200' };
    expect(more('gateway_requests_total', { ...searched, cache: 'miss' })).toBe(1);
    expect(more('gateway_requests_total', { ...searched, cache: 'hit' })).toBe(3);
    expect(more('gateway_requests_total', { action: 'datastore_upsert', status: '200', cache: '' })).toBe(1);
    expect(more('gateway_requests_total', { action: 'datastore_upsert', status: '409' })).toBe(1);
    expect(more('gateway_requests_total', { resource: 'gone', status: '503' })).toBe(1);
    expect(more('gateway_requests_total', { action: 'datastore_dump', status: '200' })).toBe(1);
    expect(more('gateway_forwarded_seconds_count', { status: '4xx' })).toBe(1);
    // Two calls were refused before a query was sent, so they are not counted.
    for (const effect of ['read', 'write', 'dump'])
      expect([effect, more('gateway_query_seconds_count', { resource: 't', effect })]).toEqual([effect, 1]);
    expect(more('gateway_query_seconds_sum', { resource: 't', effect: 'read' })).toBeGreaterThan(0);
    expect(more('gateway_request_seconds_count', { action: 'datastore_search', cache: 'miss' })).toBe(1);
    expect(metric(text, 'gateway_cache_entries')).toBeGreaterThan(0);
    expect(metric(text, 'gateway_cache_bytes')).toBeGreaterThan(500);
    expect(metric(text, 'gateway_cache_max_bytes')).toBeGreaterThan(1e8);
    expect(metric(text, 'gateway_pool_max', { database: 'db', pool: 'calls' })).toBe(3);
    expect(metric(text, 'gateway_pool_idle', { database: 'db', pool: 'calls' })).toBeGreaterThan(0);
    for (const name of [
      'nodejs_eventloop_lag_p99_seconds',
      'process_resident_memory_bytes',
      'process_cpu_seconds_total',
    ])
      expect(metric(text, name)).toBeGreaterThanOrEqual(0);
  });

  test('hundreds of unknown names make no new series', async () => {
    const t = { database: 'db', table: 't', access: { read: 'public' } };
    const db = { client: engine.client, connection: fresh.url };
    const alone = await startGateway({ admin: { port: 0 }, databases: { db }, resources: { t } });
    const series = async () =>
      (await ask(adminOf(alone), '/metrics')).text.split('\n').filter((it) => it.startsWith('gateway'));
    const guess = async (i: number) => {
      await alone.call(`nothing_${i}`, {});
      await alone.call('datastore_search', { resource_id: `nowhere ${i}` });
      await fetch(`${alone.url}/page/${i}`);
    };
    await guess(0);
    const { length } = await series();
    for (let i = 1; i < 100; i++) await guess(i);
    const after = await series();
    await alone.close();
    expect(after.length).toBe(length);
    expect(metric(after.join('\n'), 'gateway_requests_total', { action: 'unknown', status: '400' })).toBe(100);
    expect(metric(after.join('\n'), 'gateway_requests_total', { action: 'unknown', status: '404' })).toBe(100);
  });

  test('a full pool shows, and is no dead database', async () => {
    const search = (n: number) => gateway.call('datastore_search', { resource_id: 't', filters: { n } });
    await Promise.all([10, 11, 12].map(search));
    tap.watch(() => ({ holdFor: 800 }));
    const calls = Promise.all([20, 21, 22, 23, 24, 25].map(search));
    await expect
      .poll(async () => {
        const text = await metrics();
        const level = (name: string) => metric(text, name, { database: 'db', pool: 'calls' }) ?? 0;
        return level('gateway_pool_used') > 0 && level('gateway_pool_waiting') > 0;
      })
      .toBe(true);
    expect((await ready()).databases.db.up).toBe(true);
    tap.watch(() => 'pass');
    expect((await calls).map(({ status }) => status)).toContain(200);
  });

  test('nor is one whose connections are all in use for long', async () => {
    const lock = await openSession(fresh);
    const calls: Promise<unknown>[] = [];
    try {
      await lock.exec(fresh.client === 'mysql' ? 'LOCK TABLES t WRITE' : 'BEGIN; LOCK TABLE t');
      for (let n = 30; n < 33; n++) calls.push(gateway.call('datastore_search', { resource_id: 't', filters: { n } }));
      await sleep(2500);
      expect((await ready()).databases.db).toMatchObject({ up: true, why: null });
    } finally {
      await lock.close();
      await Promise.all(calls);
    }
  });

  test.runIf(engine.client === 'postgres')('nor where its user may have no more connections than those', async () => {
    await fresh.exec('CREATE ROLE limited LOGIN CONNECTION LIMIT 2; GRANT SELECT ON t TO limited');
    const connection = new URL(fresh.url);
    connection.username = 'limited';
    const alone = await startGateway({
      admin: { port: 0 },
      databases: { db: { client: engine.client, connection: connection.href, pool: { max: 2 } } },
      resources: { t: { database: 'db', table: 't', access: { read: 'public' } } },
    });
    const search = (n: number) => alone.call('datastore_search', { resource_id: 't', filters: { n } });
    const lock = await openSession(fresh);
    try {
      await Promise.all([40, 41].map(search));
      await lock.exec('BEGIN; LOCK TABLE t');
      const calls = [42, 43].map(search);
      await sleep(2300);
      expect((await ask(adminOf(alone), '/ready')).status).toBe(200);
      await lock.exec('COMMIT');
      expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200]);
    } finally {
      await lock.close();
      await alone.close();
      await fresh.exec('DROP OWNED BY limited; DROP ROLE limited');
    }
  });

  test('a database that hangs is found out by asking it, and the same when it is back', async () => {
    tap.freeze();
    // A database that has answered recently is not probed, so this can take a while.
    await expect.poll(async () => (await ready()).status, { timeout: 15_000, interval: 300 }).toBe(503);
    expect(await ready()).toMatchObject({ ready: false, databases: { db: { up: false } } });
    expect((await ask(admin, '/live')).status).toBe(200);
    tap.thaw();
    await expect.poll(async () => (await ready()).status, { timeout: 15_000, interval: 100 }).toBe(200);
  });

  test('it answers nothing else: no API, no page of the application behind, no method but GET and HEAD', async () => {
    for (const path of ['/', '/api/3/action/datastore_search?resource_id=t', '/page', '/live/', '//live'])
      expect([path, (await ask(admin, path)).status]).toEqual([path, 404]);
    expect((await ask(admin, '/live', 'POST')).status).toBe(405);
    expect(await ask(admin, '/metrics', 'HEAD')).toEqual({ status: 200, text: '' });
    expect(await ask(admin, '/live')).toEqual({ status: 200, text: '{"live":true}\n' });
    // The main port does not serve these pages; it forwards them to the application.
    expect((await fetch(`${gateway.url}/metrics`)).status).toBe(418);
    const raw = connect(Number(new URL(admin).port), '127.0.0.1').end('NONSENSE\r\n\r\n');
    await new Promise((closed) => raw.resume().on('close', closed));
    expect((await ask(admin, '/live')).status).toBe(200);
  });
});
