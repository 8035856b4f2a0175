import { parse, stringify } from 'lossless-json';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { byName, engines, type FreshDatabase, freshDatabase } from '../../support/servers/engines.ts';

describe.each(byName(engines()))('on %s', (_, engine) => {
  const isMysql = engine.client === 'mysql';
  let database: FreshDatabase;
  let gateway: TestGateway;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    const [text, stamp, any, odd] = isMysql
      ? [
          ...['varchar(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci', 'datetime(3)', 'float(7, 2)'],
          "('0000-00-00', 3.25, 18446744073709551615), ('2024-01-01', 3.25, 1)",
        ]
      : ['varchar(40)', 'timestamp(3)', 'numeric', "('infinity', 'NaN', 1), ('2024-01-01', 3.250, 1)"];
    await database.exec(`
      ${isMysql ? "SET SESSION sql_mode = '';" : ''}
      CREATE TABLE sale (id int PRIMARY KEY, region ${text}, sold ${stamp}, day date, qty int, big bigint, price decimal(20, 6), ratio double precision, secret int);
      INSERT INTO sale VALUES
        (1, 'north', '2024-01-31 23:59:59.999', '2024-01-31', 7, 9223372036854775807, 299.999999, 0.1, 1),
        (2, 'north', '2024-02-01 00:00:00', '2024-02-01', -7, 9223372036854775807, -0.000001, -2.2250738585072014e-308, 2),
        (3, 'North', '2024-02-29 12:00:00', '2024-02-29', 2147483647, -1, 300, 3, 3),
        (4, 'south', NULL, NULL, NULL, NULL, NULL, NULL, 4),
        (5, NULL, '2023-12-31 12:00:00', '2023-12-31', 1, 1, 99999999999999.999999, 1e20, 5);
      CREATE TABLE edge (id int PRIMARY KEY, low bigint, large double precision);
      INSERT INTO edge VALUES (1, -9223372036854775808, 1.7e308), (2, -9223372036854775807, 1.7e308);
      CREATE TABLE odd (day date, number ${any}, huge ${isMysql ? 'bigint unsigned' : 'numeric(20)'});
      INSERT INTO odd VALUES ${odd};`);
    const access = { read: 'public', write: 'token' };
    const open = (table: string, more = {}) => ({ database: 'db', table, access, ...more });
    gateway = await startGateway({
      databases: { db: entry(database) },
      cache: { ttl: '1h' },
      resources: {
        sales: open('sale', { columns: { secret: { hidden: true } } }),
        edges: open('edge'),
        odds: open('odd', { access: { read: 'public' } }),
      },
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });
  const ask = async (params: object, resource_id = 'sales') => {
    const { text } = await gateway.call('datastore_aggregate', { resource_id, ...params });
    const answer = Object(parse(text));
    return answer.success === true ? answer.result : answer.error;
  };
  const records = async (params: object, resource_id?: string): Promise<unknown> =>
    stringify((await ask(params, resource_id)).records);

  test('measures of all records have all their digits', async () => {
    const measures = {
      ...{ n: 'count', there: { count: 'qty' }, qty: { sum: 'qty' }, big: { sum: 'big' }, price: { sum: 'price' } },
      ...{ mean: { avg: 'price' }, least: { min: 'ratio' }, last: { max: 'sold' }, regions: { distinct: 'region' } },
      some: { sum: 'price', filters: { qty: { gt: 0 }, price: { lt: 1000 } } },
    };
    const result = await ask({ measures });
    expect(stringify(result.records)).toBe(
      '[{"n":5,"there":4,"qty":2147483648,"big":18446744073709551614,"price":100000000000599.999997,"mean":25000000000149.9999992500000000,' +
        '"least":-2.2250738585072014e-308,"last":"2024-02-29T12:00:00.000","regions":3,"some":599.999999}]',
    );
    expect(result.fields.map(({ type }: { type: string }) => type)).toEqual([
      'int8',
      'int8',
      'int8',
      'numeric',
      'numeric',
      'numeric',
      'float8',
      'timestamp',
      'int8',
      'numeric',
    ]);
    expect(stringify([result.records_truncated, result.counted, result.sampled])).toBe('[false,5,null]');
  });

  test('measures of no records are one record', async () => {
    const none = { filters: { id: 0 }, measures: { n: 'count', sum: { sum: 'qty' }, mean: { avg: 'big' } } };
    expect(await records(none)).toBe('[{"n":0,"sum":null,"mean":null}]');
    expect(await records({ ...none, groups: ['region'] })).toBe('[]');
  });

  test('texts are grouped to the letter, NULL is a group, and the least text is one by the collation', async () => {
    const params = { groups: ['region'], measures: { n: 'count', least: { min: 'region' } }, sort: 'n desc' };
    const result = await ask(params);
    const shown = result.records.map((one: { region: string; n: unknown }) => `${one.region} ${one.n}`);
    expect([...shown].sort()).toEqual(['North 1', 'north 2', 'null 1', 'south 1']);
    expect(shown[0]).toBe('north 2');
  });

  test('each record has filters that find the records of its group', async () => {
    const calls = [
      { groups: ['region', 'day', { field: 'ratio', as: 'r' }] },
      {
        groups: [
          ...[
            { field: 'sold', every: 'month', as: 'month' },
            { field: 'price', width: 100 },
          ],
          { field: 'qty', width: 2.5, as: 'w' },
        ],
        filters: [{ id: { lt: 9 } }, { price: 0 }],
      },
      // Of the 308 digits of the second record, 30 count.
      { groups: [{ field: 'ratio', width: 0.1, as: 'r' }], filters: { id: [1, 3, 4, 5] } },
      { groups: [{ field: 'sold', every: 'second' }], filters: { sold: { gt: '2024-01-01' } } },
    ];
    for (const call of calls) {
      const result = await ask({ ...call, measures: { n: 'count' }, include_filters: true });
      let all = 0;
      for (const { n, filters } of result.records) {
        const sent = stringify({ resource_id: 'sales', limit: 0, filters }) ?? '';
        const found = await gateway.call('datastore_search', sent);
        expect(String(Object(Object(JSON.parse(found.text)).result).total), sent).toBe(String(n));
        all += Number(n);
      }
      expect(String(result.counted)).toBe(String(all));
    }
  });

  test('groups that no condition leaves out come in pages, and all of their records are counted', async () => {
    const params = {
      groups: ['region'],
      measures: { n: 'count', price: { sum: 'price' } },
      sort: 'price desc nulls last',
    };
    const page = (more: object) =>
      ask({ ...params, ...more }).then((one) => [
        one.records.map((row: { price: unknown }) => String(row.price)),
        one.records_truncated,
        String(one.counted),
      ]);
    expect(await page({ limit: 2 })).toEqual([['99999999999999.999999', '300.000000'], true, '5']);
    expect(await page({ limit: 2, offset: 2 })).toEqual([['299.999998', 'null'], false, '5']);
    expect(await page({ limit: 2, offset: 4 })).toEqual([[], false, '5']);
    expect(await page({ having: { price: { gte: 299.999998, lt: '1e14' }, n: 1 } })).toEqual([
      ['99999999999999.999999', '300.000000'],
      false,
      '5',
    ]);
    expect(await page({ having: { n: { gt: 1.5 } } })).toEqual([['299.999998'], false, '5']);
    expect(await page({ having: { price: null } })).toEqual([['null'], false, '5']);
  });

  test('a number that is too large is refused without a text of the server', async () => {
    const refusal = { query: ['a number is out of range'], __type: 'Validation Error' };
    expect(await ask({ groups: [{ field: 'low', width: 100 }], measures: { n: 'count' } }, 'edges')).toEqual(refusal);
    expect(await ask({ measures: { all: { sum: 'large' } } }, 'edges')).toEqual(refusal);
  });

  test('the odd values of the engine', async () => {
    const measures = { days: { count: 'day' }, day: { max: 'day' }, number: { max: 'number' }, huge: { sum: 'huge' } };
    expect(await records({ measures }, 'odds')).toBe(
      isMysql
        ? '[{"days":1,"day":"2024-01-01","number":3.25,"huge":18446744073709551616}]'
        : '[{"days":2,"day":"infinity","number":"NaN","huge":2}]',
    );
    const by = {
      groups: [{ field: 'day', every: 'year' }],
      measures: { n: 'count', huge: { avg: 'huge' } },
      include_filters: true,
    };
    const year =
      '{"day":"2024-01-01","n":1,"huge":1.0000000000000000,"filters":{"day":{"gte":"2024-01-01","lt":"2025-01-01"}}}';
    expect(await records(by, 'odds')).toBe(
      isMysql
        ? `[${year},{"day":null,"n":1,"huge":18446744073709551615.0000000000000000,"filters":{"day":null}}]`
        : `[${year},{"day":"infinity","n":1,"huge":1.0000000000000000,"filters":{"day":"infinity"}}]`,
    );
  });

  test('a hidden column is a name that does not exist, in every place for a name', async () => {
    const naming = (name: string): readonly object[] => [
      ...[name, { field: name, every: 'day' }, { field: name, width: 1 }].map((group) => ({
        groups: [group],
        measures: { n: 'count' },
      })),
      ...['count', 'sum', 'avg', 'min', 'max', 'distinct'].map((fn) => ({ measures: { n: { [fn]: name } } })),
      { measures: { n: { count: null, filters: { [name]: 1 } } } },
      { measures: { n: 'count' }, filters: { [name]: 1 } },
      { measures: { n: 'count' }, having: { [name]: 1 } },
      { measures: { n: 'count' }, sort: name },
      { measures: { n: 'count' }, q: { [name]: 'x' } },
    ];
    const absent = naming('zebras');
    for (const [nth, params] of naming('secret').entries()) {
      const [hidden, unknown] = [await ask(params), await ask(absent[nth] ?? {})];
      expect(JSON.stringify(hidden)).toBe(JSON.stringify(unknown).replaceAll('zebras', 'secret'));
      expect(hidden.__type).toBe('Validation Error');
    }
  });

  test('an answer is cached until a write', async () => {
    const sum = async () => {
      const params = encodeURIComponent('{"ids":{"sum":"id"}}');
      const answer = await fetch(
        `${gateway.url}/api/3/action/datastore_aggregate?resource_id=sales&measures=${params}`,
      );
      return [answer.headers.get('x-cache'), Object(JSON.parse(await answer.text())).result.records];
    };
    expect(await sum()).toEqual(['MISS', [{ ids: 15 }]]);
    expect(await sum()).toEqual(['HIT', [{ ids: 15 }]]);
    await gateway.result('datastore_upsert', { resource_id: 'sales', records: [{ id: 6 }], method: 'insert' });
    expect(await sum()).toEqual(['MISS', [{ ids: 21 }]]);
  });
});
