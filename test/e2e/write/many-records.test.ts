import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { type FreshDatabase, fewEngines, freshDatabase } from '../../support/servers/engines.ts';

// More records than any one of our statements takes.
const all = Array.from({ length: 1200 }, (_, nth) => ({
  ...{ id: (nth * 7919) % 1_000_003, name: `name of ${nth}`, price: nth / 4, seen: '2024-02-29T12:00:00.000' },
  note: nth % 3 === 0 ? null : "it's \\ ünï ".repeat(3),
}));
const sorted = (list: readonly { id: number }[]) => [...list].sort((a, b) => a.id - b.id);

describe.each(fewEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  let database: FreshDatabase;
  let gateway: TestGateway;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    const [time, end] = engine.client === 'mysql' ? ['datetime(3)', ' CHARACTER SET utf8mb4'] : ['timestamp(3)', ''];
    const columns = `name varchar(60), price decimal(10,2), seen ${time}, note text`;
    await database.exec(
      `CREATE TABLE one (id int PRIMARY KEY, ${columns})${end}; CREATE TABLE two (id int PRIMARY KEY, ${columns}, UNIQUE (name))${end}`,
    );
    const access = { read: 'token', write: 'token' };
    gateway = await startGateway({
      databases: { db: entry(database) },
      resources: { one: { database: 'db', table: 'one', access }, two: { database: 'db', table: 'two', access } },
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });

  // With a second unique key, each update is a separate statement.
  test.each([
    ['one', 1200],
    ['two', 200],
  ] as const)(
    'into table %s go %i records in one call, and all are changed in the next',
    async (resource_id, count) => {
      const records = all.slice(0, count);
      const changed = records.map((record) => ({ ...record, name: `${record.name} now`, note: 'new' }));
      const upsert = (method: string, list: readonly object[]) =>
        gateway.result('datastore_upsert', { resource_id, method, records: list });
      const fields = ['id', 'name', 'price', 'seen', 'note'];
      const stored = async () =>
        (await gateway.result('datastore_search', { resource_id, limit: count + 1, fields })).records;
      await upsert('insert', records);
      expect(await stored()).toEqual(sorted(records));
      await upsert('upsert', changed);
      expect(await stored()).toEqual(sorted(changed));
      const half = records.filter((_, nth) => nth % 2 === 0).map(({ id }) => id);
      await gateway.result('datastore_records_delete', { resource_id, filters: { id: half } });
      await upsert('upsert', records);
      expect(await stored()).toEqual(sorted(records));
    },
  );
});
