/** The total of a search may come with its page, in one statement; and a column that is shown twice is selected once. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { type FreshDatabase, fewEngines, freshDatabase } from '../../support/servers/engines.ts';

describe.each(fewEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  let database: FreshDatabase;
  let gateway: TestGateway;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    const rows = Array.from(
      { length: 300 },
      (_, nth) => `(${nth + 1}, ${nth % 3 === 0 ? 'NULL' : nth % 3}, 'n ${nth}')`,
    );
    await database.exec(
      `CREATE TABLE t (id int PRIMARY KEY, kind int, name varchar(20)); INSERT INTO t VALUES ${rows.join(', ')};`,
    );
    if (engine.client !== 'mysql')
      await database.exec(`CREATE SEQUENCE scans; CREATE VIEW scans_so_far AS SELECT 1 AS id, last_value FROM scans;
        CREATE VIEW scanned AS SELECT id FROM t WHERE (SELECT nextval('scans')) > 0`);
    const access = { read: 'public', write: 'token' };
    const view = { database: 'db', key: ['id'], access: { read: 'public' }, cache: { ttl: '0s' } };
    gateway = await startGateway({
      databases: { db: entry(database) },
      resources: {
        t: { database: 'db', table: 't', access, cache: { ttl: '0s' } },
        ...(engine.client === 'mysql'
          ? {}
          : { scanned: { ...view, table: 'scanned' }, so_far: { ...view, table: 'scans_so_far' } }),
      },
      // Counting is always quick.
      limits: { totalBudget: '1h' },
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });

  const search = async (asked: object) => {
    const { status, text } = await gateway.call('datastore_search', { resource_id: 't', ...asked });
    return { status, ...JSON.parse(text).result };
  };

  test('the first search counts, those after it get the total with the page', async () => {
    for (const [asked, total] of [
      [{}, 300],
      [{ filters: { kind: 2 } }, 100],
      [{ filters: { kind: null }, fields: 'name' }, 100],
    ] as const)
      for (const more of [
        { limit: 7 },
        { limit: 7, sort: 'kind desc, name' },
        { limit: 5, offset: 90 },
        { limit: 5, offset: 100_000 },
        { limit: 5, records_format: 'lists' },
        { limit: 5, records_format: 'csv' },
        { limit: 5, include_next_page: true },
        { limit: 0 },
        { limit: 1000 },
      ])
        expect([asked, more, (await search({ ...asked, ...more })).total]).toEqual([asked, more, total]);
  });

  test.skipIf(engine.client === 'mysql')('nothing is counted again where the total came along', async () => {
    const scans = async () =>
      Number(Object((await gateway.result('datastore_search', { resource_id: 'so_far' })).records)[0].last_value);
    await search({ resource_id: 'scanned', limit: 7 });
    for (const records_format of ['objects', 'lists']) {
      const before = await scans();
      expect((await search({ resource_id: 'scanned', limit: 7, records_format })).total).toBe(300);
      // One for the page, and one for the total.
      expect((await scans()) - before).toBe(2);
    }
  });

  test('a column shown twice has its value in both places, in every format', async () => {
    const [asked] = [{ limit: 2, offset: 3, sort: 'id' }];
    for (let nth = 0; nth < 2; nth++) {
      expect((await search(asked)).records).toEqual([
        { _id: 4, id: 4, kind: null, name: 'n 3' },
        { _id: 5, id: 5, kind: 1, name: 'n 4' },
      ]);
      const fields = 'kind,id,kind,name,_id';
      expect((await search({ ...asked, fields, records_format: 'lists' })).records).toEqual([
        [null, 4, null, 'n 3', 4],
        [1, 5, 1, 'n 4', 5],
      ]);
      expect((await search({ ...asked, fields, records_format: 'csv' })).records).toBe(',4,,n 3,4\n1,5,1,n 4,5\n');
      const { records, next_page } = await search({ ...asked, fields: 'name,id,_id', include_next_page: true });
      expect(records[1]).toEqual({ name: 'n 4', id: 5, _id: 5 });
      expect(next_page).toEqual({ _id: { gt: 5 } });
    }
  });

  test.runIf(engine.name === 'postgres')(
    'a total of before is not taken for one that took too long with its page',
    async () => {
      await database.exec(`CREATE TABLE pause (id int PRIMARY KEY, seconds real); INSERT INTO pause VALUES (1, 0);
      CREATE VIEW slow AS SELECT id FROM t WHERE (SELECT pg_sleep(seconds) FROM pause) IS NOT NULL`);
      const access = { read: 'public', write: 'token' };
      const others = await startGateway({
        databases: { db: { ...entry(database), statementTimeout: '300ms' } },
        resources: {
          t: { database: 'db', table: 't', access },
          slow: { database: 'db', table: 'slow', key: ['id'], access: { read: 'public' }, cache: { ttl: '1h' } },
        },
        limits: { totalBudget: '10s' },
      });
      const slow = (limit: number) => others.call('datastore_search', { resource_id: 'slow', limit });
      try {
        expect(JSON.parse((await slow(5)).text).result.total).toBe(300);
        await others.result('datastore_upsert', { resource_id: 't', records: [{ id: 301 }] });
        await database.exec('UPDATE pause SET seconds = 2');
        expect((await slow(5)).status).toBe(409);
        await database.exec('UPDATE pause SET seconds = 0');
        expect(JSON.parse((await slow(6)).text).result.total).toBe(301);
      } finally {
        await others.close();
        await database.exec('DELETE FROM t WHERE id = 301');
      }
    },
  );
});
