import { describe, expect, test } from 'vitest';
import { entry, startGateway } from '../../support/gateway.ts';
import { byName, freshDatabase, servers } from '../../support/servers/engines.ts';
import { openSessionPooler } from '../../support/session-pooler.ts';

const postgres = servers().filter(({ client }) => client === 'postgres');

describe.runIf(postgres.length > 0).each(byName(postgres))('on %s', (_, engine) => {
  test('behind a pooler in session mode all of pool.max can be used, and no session is kept for questions', async () => {
    const database = await freshDatabase(engine);
    await database.exec('CREATE VIEW slow AS SELECT 1 AS n, pg_sleep(1)::text AS t');
    const pooler = await openSessionPooler(database.url, 3);
    const gateway = await startGateway({
      databases: { db: { ...entry(database), connection: pooler.url, pool: { max: 3, acquireTimeout: '3s' } } },
      resources: { slow: { database: 'db', table: 'slow', key: ['n'], access: { read: 'public' } } },
    });
    try {
      const search = () => gateway.call('datastore_search', { resource_id: 'slow', include_total: false });
      const answers = await Promise.all([search(), search(), search()]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    } finally {
      await gateway.close();
      pooler.close();
      await database.drop();
    }
  });
});

test.runIf(postgres.length === 0)('no engine of this run has such poolers', () => {
  expect(servers().every(({ client }) => client === 'mysql')).toBe(true);
});
