import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { type FreshDatabase, fewEngines, freshDatabase } from '../../support/servers/engines.ts';

describe.each(fewEngines().map((engine) => [engine.name, engine] as const))('on %s', (name, engine) => {
  let database: FreshDatabase;
  let gateway: TestGateway;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    await database.exec(`CREATE TABLE t (id int PRIMARY KEY, v ${engine.client === 'mysql' ? 'longtext' : 'text'});`);
    gateway = await startGateway({
      databases: { db: entry(database) },
      resources: { t: { database: 'db', table: 't', access: { read: 'token', write: 'token' } } },
      limits: { bodyBytes: '64MB', responseBytes: '64MB' },
    });
  });
  afterAll(() => database?.drop());

  // By default MySQL 5.6 accepts no statement above 4 MB.
  const megabytes = name === 'mysql56' ? 3 : 10;
  const line = `é😀 'quoted' "text" \\ line\n`;
  const value = line.repeat((megabytes * 2 ** 20) / Buffer.byteLength(line));

  test('a text of many megabytes goes in and comes out', async () => {
    try {
      const records = [{ id: 1, v: value }];
      const { status } = await gateway.call('datastore_upsert', { resource_id: 't', method: 'insert', records });
      expect(status).toBe(200);
      const found = await gateway.result('datastore_search', { resource_id: 't', fields: ['v'] });
      const [record] = Array.isArray(found.records) ? found.records : [];
      // Without `expect`, which would print both texts on failure.
      expect(Object(record).v === value).toBe(true);
    } finally {
      await gateway.close();
    }
    const digest = engine.client === 'mysql' ? 'sha2(v, 256)' : `encode(sha256(convert_to(v, 'UTF8')), 'hex')`;
    expect(await database.query(`SELECT ${digest} FROM t`)).toEqual([
      [createHash('sha256').update(value).digest('hex')],
    ]);
  });
});
