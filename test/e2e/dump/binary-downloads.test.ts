import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fetched } from '../../support/fetched.ts';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { type FreshDatabase, fewEngines, freshDatabase } from '../../support/servers/engines.ts';
import { cellsOf, unzip } from '../../support/unzip.ts';

describe.each(fewEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  let database: FreshDatabase;
  let gateway: TestGateway;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    const isMysql = engine.client === 'mysql';
    await database.exec(`CREATE TABLE t (id int PRIMARY KEY, tenant int, big bigint, price decimal(12,3), day date, name varchar(40), bin ${isMysql ? 'blob' : 'bytea'});
      INSERT INTO t VALUES (1, 7, 9007199254740993, 12.345, '2024-02-29', '00001', NULL), (2, 7, 5, NULL, NULL, '=SUM(A1)', ${isMysql ? "x'00ff'" : "'\\x00ff'"}),
        (3, 8, 1, 1, '2024-01-01', 'other tenant', NULL)`);
    const common = { database: 'db', table: 't', columns: { tenant: { hidden: true } } };
    gateway = await startGateway({
      databases: { db: entry(database) },
      resources: {
        'a/b': { ...common, title: 'Prices', where: { tenant: 7 } },
        open: { ...common, access: { read: 'public' } },
      },
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });
  const dump = (query: string, headers = {}, method = 'GET') =>
    fetched(`${gateway.url}/datastore/dump/a%2Fb?${query}`, headers, method);

  test('a workbook has the rows that the caller may see, as typed cells', async () => {
    const { status, headers, body, isWhole } = await dump('format=xlsx&bom=true&token=secret', {
      'Accept-Encoding': 'gzip',
    });
    expect([status, isWhole]).toEqual([200, true]);
    expect(headers).toMatchObject({
      'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'content-disposition': 'attachment; filename="a_b.xlsx"',
      'cache-control': 'private, no-cache',
    });
    expect(headers).not.toHaveProperty('content-encoding');
    const parts = unzip(body);
    expect(cellsOf(parts.get('xl/worksheets/sheet1.xml') ?? '')).toEqual([
      ['_id', 'id', 'big', 'price', 'day', 'name'],
      ['1', '1', '9007199254740993', '12.345', '45351', '00001'],
      ['2', '2', '5', null, null, '=SUM(A1)'],
    ]);
    const about = Object.fromEntries(cellsOf(parts.get('xl/worksheets/sheet2.xml') ?? ''));
    expect(about).toMatchObject({
      ...{ Title: 'Prices', Resource: 'a/b', Records: '2' },
      'Numbers that Excel would round, NaN and infinities: written as text': '1',
    });
    expect(about.Address).toBe(`http://gateway.test/datastore/dump/a%2Fb?format=xlsx&amp;bom=true`);
    expect(Date.now() - Date.parse(about.Time ?? '')).toBeLessThan(60_000);
  });

  test('the parameters of a search choose its records and columns', async () => {
    const sheet = async (query: string) => {
      const { body } = await dump(`format=xlsx&${query}`);
      return cellsOf(unzip(body).get('xl/worksheets/sheet1.xml') ?? '');
    };
    expect(await sheet('fields=name,bin,name&sort=id desc&limit=1')).toEqual([
      ['name', 'bin', 'name'],
      ['=SUM(A1)', '\\x00ff', '=SUM(A1)'],
    ]);
    expect(await sheet('fields=id&filters={"id":3}')).toEqual([['id']]);
    expect(await sheet('q=00001&fields=id')).toEqual([['id'], ['1']]);
  });

  test('a Parquet file is whole, of its type, and names what it holds', async () => {
    const { status, headers, body, isWhole } = await dump('format=parquet', { 'Accept-Encoding': 'gzip' });
    expect([status, isWhole, body.toString('latin1', 0, 4), body.toString('latin1', body.length - 4)]).toEqual([
      ...[200, true],
      ...['PAR1', 'PAR1'],
    ]);
    expect(headers).toMatchObject({
      'content-type': 'application/vnd.apache.parquet',
      'content-disposition': 'attachment; filename="a_b.parquet"',
    });
    expect(headers).not.toHaveProperty('content-encoding');
    expect(body.includes('http://gateway.test/datastore/dump/a%2Fb?format=parquet')).toBe(true);
    expect(body.includes('=SUM(A1)')).toBe(true);
    expect(body.includes('other tenant')).toBe(false);
  });

  test('HEAD has the headers; without the right to read it is a 404, and a bad parameter a 400', async () => {
    const head = await dump('format=xlsx', {}, 'HEAD');
    expect([head.status, head.headers['content-type']]).toEqual([
      200,
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ]);
    expect((await dump('format=xlsx', { Authorization: 'wrong' })).status).toBe(404);
    const bad = await dump('format=xlsx&fields=tenant');
    expect([bad.status, bad.headers['content-type']]).toEqual([400, 'application/json;charset=utf-8']);
  });
});
