import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entry, startGateway, type TestGateway, token } from '../../support/gateway.ts';
import { type FreshDatabase, fewEngines, freshDatabase } from '../../support/servers/engines.ts';

/** Adjacent numbers that round to the same double. */
const big = ['9007199254740992', '9007199254740993', '-9223372036854775808', '9223372036854775807'];
const exact = ['0.10000000000000000001', '0.1', '12345678901234567890.12345678901234567890', '1.50'];

describe.each(fewEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  let database: FreshDatabase;
  let gateway: TestGateway;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    await database.exec('CREATE TABLE t (id int PRIMARY KEY, b bigint, d decimal(40,20));');
    gateway = await startGateway({
      databases: { db: entry(database) },
      resources: { t: { database: 'db', table: 't', access: { read: 'token', write: 'token' } } },
    });
    const records = big.map((b, nth) => `{"id":${nth},"b":${b},"d":${exact[nth]}}`);
    await gateway.call('datastore_upsert', `{"resource_id":"t","method":"insert","records":[${records.join(',')}]}`);
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });

  const filters = [
    ...big.map((b) => `{"b":${b}}`),
    ...exact.map((d) => `{"d":${d}}`),
    ...exact.map((d) => `{"d":"${d}"}`),
  ];
  const ids = (text: string) => JSON.parse(text).result.records.map((record: { id: number }) => record.id);
  const expected = filters.map((_filter, nth) => [nth % big.length]);
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${gateway.url}/api/3/action/datastore_search${path}`, {
      ...init,
      headers: { Authorization: token, ...init.headers },
    });

  test('filters in a query string', async () => {
    const found: unknown[] = [];
    for (const json of filters) {
      const query = new URLSearchParams({ resource_id: 't', filters: json });
      found.push(ids(await (await ask(`?${query}`)).text()));
    }
    expect(found).toEqual(expected);
  });

  test('filters in a form', async () => {
    const found: unknown[] = [];
    for (const json of filters) {
      const body = new URLSearchParams({ resource_id: 't', filters: json });
      found.push(ids(await (await ask('', { method: 'POST', body })).text()));
    }
    expect(found).toEqual(expected);
  });

  test('filters as a string inside JSON', async () => {
    const found: unknown[] = [];
    for (const json of filters) {
      const answer = await gateway.call('datastore_search', { resource_id: 't', filters: json });
      found.push(ids(answer.text));
    }
    expect(found).toEqual(expected);
  });

  test('the echo and the records', async () => {
    const { text } = await gateway.call(
      'datastore_search',
      '{"resource_id":"t","filters":{"b":9007199254740993},"fields":["b","d"]}',
    );
    expect(text).toContain('"filters":{"b":9007199254740993}');
    expect(text).toContain('"records":[{"b":9007199254740993,"d":0.10000000000000000000}]');
  });
});
