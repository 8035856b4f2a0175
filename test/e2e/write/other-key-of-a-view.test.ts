/** The catalogue does not say which columns of a view are unique: a duplicate may concern any key of the tables below it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { byName, type FreshDatabase, fewEngines, freshDatabase } from '../../support/servers/engines.ts';

describe.each(byName(fewEngines()))('on %s', (_, engine) => {
  let fresh: FreshDatabase;
  let gateway: TestGateway;
  beforeAll(async () => {
    fresh = await freshDatabase(engine);
    const serial = engine.client === 'mysql' ? 'int AUTO_INCREMENT UNIQUE' : 'serial';
    await fresh.exec(`CREATE TABLE mails (nth ${serial}, id int PRIMARY KEY, email varchar(40) UNIQUE)`);
    await fresh.exec("INSERT INTO mails (id, email) VALUES (1, 'taken')");
    await fresh.exec('CREATE VIEW mails_view AS SELECT id, email FROM mails');
    gateway = await startGateway({
      databases: { db: entry(fresh) },
      resources: {
        mails: { database: 'db', table: 'mails_view', key: ['id'], access: { read: 'public', write: 'token' } },
      },
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await fresh?.drop();
  });

  test('a duplicate of another key is refused after few attempts', async () => {
    const records = [{ id: 2, email: 'taken' }];
    const refused = await gateway.call('datastore_upsert', { resource_id: 'mails', method: 'upsert', records });
    expect([refused.status, JSON.parse(refused.text)]).toMatchObject([
      409,
      { error: { records: [expect.stringContaining('duplicate')] } },
    ]);
    // Each attempt uses up a sequence number, even if it fails.
    const sent = { resource_id: 'mails', method: 'upsert', records: [{ id: 2, email: 'free' }] };
    expect((await gateway.call('datastore_upsert', sent)).status).toBe(200);
    const [row = []] = await fresh.query('SELECT nth FROM mails WHERE id = 2');
    expect(Number(row[0])).toBeLessThanOrEqual(5);
  });
});
