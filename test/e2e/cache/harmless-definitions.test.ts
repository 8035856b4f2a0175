/** An operator changes a table's definition in ways that do not affect its answers. The next catalogue reading must not invalidate the cache. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { byName, freshDatabase, type ServerDatabase, servers } from '../../support/servers/engines.ts';

describe.each(byName(servers().filter(({ client }) => client === 'postgres')))('on %s', (_, engine) => {
  let database: ServerDatabase;
  let gateway: TestGateway;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    await database.exec('CREATE TABLE t (k int PRIMARY KEY, v int); INSERT INTO t VALUES (1, 1), (2, 1)');
    gateway = await startGateway({
      cache: { ttl: '10m' },
      databases: { db: { ...entry(database), refresh: '200ms' } },
      resources: { t: { database: 'db', table: 't', access: { read: 'token', write: 'token' } } },
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });
  const verdict = async () => (await gateway.call('datastore_search', { resource_id: 't' })).headers.get('x-cache');

  test.each([
    'REINDEX TABLE CONCURRENTLY t',
    'CREATE TABLE staging (k int REFERENCES t)',
    'ALTER TABLE t ALTER v SET STATISTICS 500',
    'CREATE INDEX ON t (v) WHERE v > 5',
  ])('%s', async (sql) => {
    await expect.poll(verdict).toBe('HIT');
    await database.exec(sql);
    await sleep(700);
    expect(await verdict()).toBe('HIT');
  });
});
