import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { engines, type FreshDatabase, freshDatabase } from '../../support/servers/engines.ts';

const ddl = {
  postgres: `CREATE TABLE film (film_id serial PRIMARY KEY, title varchar(40) NOT NULL, "Rück gabe" numeric(6,2), seen timestamp(3), n bigint, UNIQUE (title));`,
  mysql: `CREATE TABLE film (film_id int NOT NULL AUTO_INCREMENT PRIMARY KEY, title varchar(40) NOT NULL, \`Rück gabe\` decimal(6,2), seen datetime(3), n bigint, UNIQUE (title)) CHARACTER SET utf8mb4;`,
};

describe.each(engines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  let database: FreshDatabase;
  let gateway: TestGateway;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    await database.exec(ddl[engine.client === 'mysql' ? 'mysql' : 'postgres']);
    gateway = await startGateway({
      databases: { db: entry(database) },
      resources: { films: { database: 'db', table: 'film', access: { read: 'token', write: 'token' } } },
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });

  test('a record goes in, is found, changed and deleted', async () => {
    const record = { title: 'Alien', 'Rück gabe': 12.5, seen: '2024-02-29T12:00', n: 42 };
    expect(
      await gateway.result('datastore_upsert', { resource_id: 'films', method: 'insert', records: [record] }),
    ).toEqual({
      calculate_record_count: 'background',
      method: 'insert',
      resource_id: 'films',
    });
    const found = await gateway.result('datastore_search', {
      resource_id: 'films',
      q: 'LIE',
      filters: { 'Rück gabe': '12.50' },
    });
    expect(found.records).toEqual([
      { _id: 1, film_id: 1, title: 'Alien', 'Rück gabe': 12.5, seen: '2024-02-29T12:00:00.000', n: 42, rank: 0.5 },
    ]);
    expect(found.total).toBe(1);
    await gateway.result('datastore_upsert', {
      resource_id: 'films',
      records: [
        { film_id: 1, n: null },
        { film_id: 2, title: 'Heat' },
      ],
    });
    await gateway.result('datastore_upsert', {
      resource_id: 'films',
      method: 'update',
      records: [{ _id: '2', title: 'Heat 2' }],
    });
    const all = await gateway.result('datastore_search', {
      resource_id: 'films',
      fields: 'title, n',
      sort: 'title desc',
    });
    expect(all.records).toEqual([
      { title: 'Heat 2', n: null },
      { title: 'Alien', n: null },
    ]);
    await gateway.result('datastore_records_delete', { resource_id: 'films', filters: { title: ['Alien', 'heat 2'] } });
    expect((await gateway.result('datastore_search', { resource_id: 'films' })).total).toBe(1);
  });

  test('a failing record leaves nothing behind and is named', async () => {
    const before = (await gateway.result('datastore_search', { resource_id: 'films' })).total;
    const records = [{ title: 'a' }, { title: 'b' }, { title: 'a' }, { title: 'c' }];
    const answer = await gateway.call('datastore_upsert', { resource_id: 'films', method: 'insert', records });
    expect([answer.status, JSON.parse(answer.text).error]).toEqual([
      409,
      {
        records: ['duplicate key value violates unique constraint on "title"'],
        records_row: 2,
        records_field: 'title',
        __type: 'Validation Error',
      },
    ]);
    expect((await gateway.result('datastore_search', { resource_id: 'films' })).total).toBe(before);
  });
});
