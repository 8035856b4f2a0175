import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { type FreshDatabase, freshDatabase } from '../../support/servers/engines.ts';

const storage = { mariadb: ['MyISAM', 'Aria', 'MEMORY'], mysql: ['MyISAM', 'MEMORY'], mysql56: ['MyISAM', 'MEMORY'] };
const subjects = inject('engines').flatMap((engine) =>
  engine.name === 'postgres' ? [] : storage[engine.name].map((kind) => [engine.name, kind, engine] as const),
);

describe.runIf(subjects.length > 0).each(subjects)('on %s, %s', (_, kind, engine) => {
  let database: FreshDatabase;
  let gateway: TestGateway;
  const access = { read: 'token', write: 'token', deleteAll: true };
  beforeAll(async () => {
    database = await freshDatabase(engine);
    await database.exec(`CREATE TABLE t (k int PRIMARY KEY, u varchar(20), UNIQUE (u)) ENGINE=${kind}`);
    gateway = await startGateway({
      databases: { db: entry(database) },
      resources: {
        careful: { database: 'db', table: 't', access },
        partial: { database: 'db', table: 't', access, allowPartial: true },
      },
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });
  beforeEach(() => database.exec(`DELETE FROM t; INSERT INTO t VALUES (1, 'a'), (2, 'b')`));
  const stored = () => database.query('SELECT * FROM t ORDER BY k');
  const upsert = (resource_id: string, method: string, records: readonly object[], more = {}) =>
    gateway.call('datastore_upsert', { resource_id, method, records, ...more });

  test('one record is written, by every method', async () => {
    for (const [method, record] of [
      ['insert', { k: 3, u: 'c' }],
      ['update', { k: 1, u: 'x' }],
      ['upsert', { k: 2, u: 'y' }],
      ['upsert', { k: 4 }],
    ] as const)
      expect((await upsert('careful', method, [record])).status).toBe(200);
    expect(await stored()).toEqual([
      ['1', 'x'],
      ['2', 'y'],
      ['3', 'c'],
      ['4', null],
    ]);
    const refused = await upsert('careful', 'upsert', [{ k: 5, u: 'x' }]);
    expect([refused.status, JSON.parse(refused.text).error.records_row]).toEqual([409, 0]);
    expect(await stored()).toHaveLength(4);
  });

  test('more than one record is refused before anything is written, and the reason is said', async () => {
    for (const method of ['insert', 'update', 'upsert']) {
      const { status, text } = await upsert('careful', method, [
        { k: 1, u: 'z' },
        { k: 9, u: 'b' },
      ]);
      expect([status, JSON.parse(text).error]).toEqual([
        409,
        { records: [expect.stringMatching(/transactions/)], __type: 'Validation Error' },
      ]);
    }
    const one = [{ k: 1, u: 'z' }];
    expect((await upsert('careful', 'upsert', one, { include_records: true })).status).toBe(409);
    for (const resource_id of ['careful', 'partial'])
      expect((await upsert(resource_id, 'upsert', one, { dry_run: true })).status).toBe(409);
    expect(await stored()).toEqual([
      ['1', 'a'],
      ['2', 'b'],
    ]);
  });

  test('allowPartial writes them one after the other, and names the one at which it stopped', async () => {
    expect(
      (
        await upsert('partial', 'upsert', [
          { k: 3, u: 'c' },
          { k: 1, u: 'q' },
          { k: 3, u: 'd' },
        ])
      ).status,
    ).toBe(200);
    expect(await stored()).toEqual([
      ['1', 'q'],
      ['2', 'b'],
      ['3', 'd'],
    ]);
    const { status, text } = await upsert('partial', 'insert', [{ k: 7 }, { k: 6 }, { k: 8, u: 'b' }, { k: 9 }]);
    expect([status, JSON.parse(text).error.records_row]).toEqual([409, 2]);
    expect(await stored()).toEqual([
      ['1', 'q'],
      ['2', 'b'],
      ['3', 'd'],
      ['6', null],
      ['7', null],
    ]);
  });

  test('a delete is one statement, and is made, but cannot be tried', async () => {
    for (const resource_id of ['careful', 'partial']) {
      const tried = await gateway.call('datastore_delete', { resource_id, filters: { k: 1 }, dry_run: true });
      expect([tried.status, Object.keys(JSON.parse(tried.text).error)]).toEqual([409, ['dry_run', '__type']]);
    }
    expect(await stored()).toHaveLength(2);
    await gateway.result('datastore_records_delete', { resource_id: 'careful', filters: { u: ['a', 'b'] } });
    expect(await stored()).toEqual([]);
  });

  test('deleted records are shown only where allowPartial is set', async () => {
    const remove = (resource_id: string) =>
      gateway.call('datastore_delete', { resource_id, filters: { k: [1, 2] }, include_deleted_records: true });
    const { status, text } = await remove('careful');
    expect([status, Object.keys(JSON.parse(text).error)]).toEqual([409, ['include_deleted_records', '__type']]);
    expect(await stored()).toHaveLength(2);
    expect(JSON.parse((await remove('partial')).text).result.deleted_records).toEqual([
      { _id: 1, k: 1, u: 'a' },
      { _id: 2, k: 2, u: 'b' },
    ]);
    expect(await stored()).toEqual([]);
  });
});

test.runIf(subjects.length === 0)('there is no engine of this run that has such tables', () => {
  expect(inject('engines').every(({ client }) => client === 'postgres')).toBe(true);
});
