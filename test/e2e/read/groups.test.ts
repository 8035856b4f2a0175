import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { groupFaults } from '../../support/groups.ts';
import { byName, type FreshDatabase, freshDatabase, onePerDriver } from '../../support/servers/engines.ts';

/** More records than a sample has, even by InnoDB's estimates. In the view, each record after the sample takes a minute to read. */
const rows = 120_000;

describe.each(byName(onePerDriver()))('on %s', (_, engine) => {
  const isMysql = engine.client === 'mysql';
  let database: FreshDatabase;
  let gateway: TestGateway;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    const [text, digits] = isMysql
      ? [
          'varchar(2000) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci',
          'SELECT 0 AS d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9',
        ]
      : ['varchar(2000)', 'SELECT generate_series(0, 9) AS d'];
    const tens = [1, 10, 100, 1000, 10_000].map((_ten, nth) => `(${digits}) d${nth}`).join(', ');
    const number = '1 + d0.d + 10 * d1.d + 100 * d2.d + 1000 * d3.d + 10000 * d4.d';
    const slow = isMysql
      ? 'IF(id > 100000, SLEEP(60), kind)'
      : 'CASE WHEN id > 100000 THEN kind + length(pg_sleep(60)::text) ELSE kind END';
    await database.exec(`
      CREATE TABLE big (id int PRIMARY KEY, kind int NOT NULL);
      INSERT INTO big SELECT n, n % 4 FROM (SELECT ${number} AS n FROM ${tens}) all_of;
      INSERT INTO big SELECT id + 100000, 4 FROM big WHERE id <= ${rows - 100_000};
      CREATE VIEW stuck AS SELECT id, ${slow} AS kind FROM big;
      CREATE TABLE film (id int PRIMARY KEY, title ${text}, year int, note ${text});
      CREATE TABLE ratio (id int PRIMARY KEY, r double precision);
      INSERT INTO ratio VALUES (1, -2.2250738585072014e-308), (2, 0.1), (3, 0.1), (4, NULL);
      INSERT INTO film VALUES (1, 'Alien', 1979, '${'x'.repeat(1000)}'), (2, 'ALIEN', 1979, '${'x'.repeat(1001)}'), (3, 'alien ', 1985, '${'y'.repeat(1001)}'),
        (4, NULL, NULL, NULL);
      ${isMysql ? 'ANALYZE TABLE big' : 'ANALYZE big'};`);
    const open = (table: string, more = {}) => ({
      database: 'db',
      table,
      access: { read: 'public', write: 'token' },
      ...more,
    });
    gateway = await startGateway({
      databases: { db: entry(database) },
      cache: { ttl: '1h' },
      resources: {
        big: open('big'),
        stuck: open('stuck', { access: { read: 'public' } }),
        films: open('film'),
        ratios: open('ratio'),
      },
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });
  const groups = (resource_id: string, by: unknown, more = {}) =>
    gateway.result('datastore_aggregate', { resource_id, by, ...more });
  const kinds = (result: unknown): unknown => Object(result).records.map((one: { count: number }) => one.count);

  test('all records are counted, within the budget', async () => {
    const result = await groups('big', 'kind');
    expect(result).toMatchObject({ total: rows, nulls: 0, others: { values: 0, count: 0 }, sampled: null });
    expect(kinds(result)).toEqual([25_000, 25_000, 25_000, 25_000, 20_000]);
    expect(await groupFaults(gateway, { resource_id: 'big', by: { field: 'id', bins: 20 } })).toEqual([]);
  });

  test('a column of very many values is counted in a sample, by what the server knows of it', async () => {
    const result = await groups('big', 'id', { limit: 1 });
    expect(result).toMatchObject({ total: 100_000, others: { values: 99_999, count: 99_999 } });
    expect(result.sampled).toEqual({ records: 100_000 });
    // A small number of records is counted exactly, whatever the column.
    const ofFewRecords = await groups('big', 'id', { filters: { id: { lt: 11 } }, limit: 1 });
    expect(ofFewRecords).toMatchObject({ total: 10, others: { values: 9, count: 9 }, sampled: null });
  });

  test('after the budget the first records are counted, and then the first of the table', async () => {
    const first = await groups('stuck', 'kind');
    expect([first.total, first.sampled]).toEqual([100_000, { records: 100_000 }]);
    expect(kinds(first)).toEqual([25_000, 25_000, 25_000, 25_000]);
    // Records in the slow part match too, so they cannot all be counted in time.
    const ranges = await groups('stuck', { field: 'kind', bins: 2 }, { filters: { kind: [1, 2] } });
    expect([ranges.total, ranges.sampled]).toEqual([50_000, { records: 100_000 }]);
    expect(kinds(ranges)).toEqual([25_000, 25_000]);
    // Each attempt uses up its time budget.
  }, 30_000);

  test('measures after the budget are those of the first records, and are not scaled up', async () => {
    const measures = { n: 'count', kinds: { sum: 'kind' } };
    const first = await gateway.result('datastore_aggregate', { resource_id: 'stuck', measures });
    expect(first).toMatchObject({ records: [{ n: 100_000, kinds: 150_000 }], counted: 100_000 });
    expect(first.sampled).toEqual({ records: 100_000 });
    const params = { resource_id: 'stuck', groups: ['kind'], measures, filters: { kind: [1, 2] } };
    const ofTable = await gateway.result('datastore_aggregate', params);
    expect(ofTable.records).toEqual([1, 2].map((kind) => ({ kind, n: 25_000, kinds: 25_000 * kind })));
    expect([ofTable.counted, ofTable.sampled]).toEqual([50_000, { records: 100_000 }]);
  }, 30_000);

  test('a text is its own group whatever the collation, and a long one is among the others', async () => {
    expect(await groupFaults(gateway, { resource_id: 'films', by: 'title' })).toEqual([]);
    const titles = await groups('films', 'title', { sort: 'value' });
    expect([kinds(titles), titles.nulls]).toEqual([[1, 1, 1], 1]);
    const notes = await groups('films', 'note');
    expect([kinds(notes), notes.nulls, notes.others]).toEqual([[1], 1, { values: 0, count: 2 }]);
  });

  test('a value has all its digits', async () => {
    expect(await groupFaults(gateway, { resource_id: 'ratios', by: 'r' })).toEqual([]);
    const { text } = await gateway.call('datastore_aggregate', { resource_id: 'ratios', by: 'r', sort: 'value' });
    expect(text).toContain('[{"value":-2.2250738585072014e-308,"count":1,');
  });

  test('an answer is cached until a write', async () => {
    const ask = async () => {
      const answer = await fetch(`${gateway.url}/api/3/action/datastore_aggregate?resource_id=films&by=year`);
      return [answer.headers.get('x-cache'), Object(JSON.parse(await answer.text())).result.records.map(Object)];
    };
    const years = (nth: number) => [
      { value: 1979, count: nth, filters: { year: 1979 } },
      { value: 1985, count: 1, filters: { year: 1985 } },
    ];
    expect(await ask()).toEqual(['MISS', years(2)]);
    expect(await ask()).toEqual(['HIT', years(2)]);
    const written = await gateway.call('datastore_upsert', { resource_id: 'films', records: [{ id: 5, year: 1979 }] });
    expect(written.status).toBe(200);
    expect(await ask()).toEqual(['MISS', years(3)]);
  });
});
