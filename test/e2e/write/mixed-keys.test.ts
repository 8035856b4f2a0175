import { expect, test } from 'vitest';
import { entry, startGateway } from '../../support/gateway.ts';
import { fewEngines, freshDatabase } from '../../support/servers/engines.ts';

test.each(fewEngines().map((engine) => [engine.name, engine] as const))(
  'on %s one call may find a record by _id and again by the key',
  async (_, engine) => {
    const database = await freshDatabase(engine);
    await database.exec('CREATE TABLE t (id int PRIMARY KEY, code int NOT NULL UNIQUE, n int)');
    await database.exec('INSERT INTO t VALUES (1, 2, 0), (2, 1, 0)');
    const gateway = await startGateway({
      databases: { db: entry(database) },
      resources: { t: { database: 'db', table: 't', key: ['code'], access: { read: 'public', write: 'token' } } },
    });
    // 1 is the id of one record and the code of another. The third record is created by its id, then found by its code.
    const records = [
      { _id: 1, n: 10 },
      { code: 1, n: 20 },
      { _id: 3, code: 3, n: 30 },
      { code: 3, n: 33 },
    ];
    await gateway.result('datastore_upsert', { resource_id: 't', records });
    const { records: found } = await gateway.result('datastore_search', {
      resource_id: 't',
      fields: 'id,code,n',
      sort: 'id',
    });
    expect(found).toEqual([
      { id: 1, code: 2, n: 10 },
      { id: 2, code: 1, n: 20 },
      { id: 3, code: 3, n: 33 },
    ]);
    await gateway.close();
    await database.drop();
  },
);
