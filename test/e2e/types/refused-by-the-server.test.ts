import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { type FreshDatabase, fewEngines, freshDatabase } from '../../support/servers/engines.ts';

/** Values that only the server can check. The answer must still name the field. */
const tested = fewEngines().filter((engine) => engine.client !== 'mysql');
describe.each(tested.map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  let database: FreshDatabase;
  let gateway: TestGateway;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    await database.exec(`CREATE DOMAIN positive AS int CHECK (VALUE > 0);
      CREATE TABLE t (id int PRIMARY KEY, span interval, address inet, spans interval[], doc jsonb, p positive);
      CREATE TABLE hosts (address inet PRIMARY KEY, n int);
      CREATE FUNCTION refuse() RETURNS int LANGUAGE plpgsql AS 'BEGIN RAISE $x$never$x$; END';
      CREATE VIEW refusing AS SELECT id, refuse() AS n FROM t;
      CREATE VIEW numbers AS SELECT id, (address::text || 'x')::int AS n FROM t;`);
    const access = { read: 'token', write: 'token' };
    gateway = await startGateway({
      databases: { db: entry(database) },
      resources: {
        t: { database: 'db', table: 't', access },
        hosts: { database: 'db', table: 'hosts', access },
        numbers: { database: 'db', table: 'numbers' },
        refusing: { database: 'db', table: 'refusing' },
      },
    });
    await gateway.result('datastore_upsert', {
      resource_id: 't',
      method: 'insert',
      records: [1, 2, 3].map((id) => ({ id, span: `${id} days`, address: '10.0.0.1' })),
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });
  const upsert = async (resource_id: string, method: string, records: readonly unknown[]) => {
    const { status, text } = await gateway.call('datastore_upsert', { resource_id, method, records });
    const { records_row, records_field } = JSON.parse(text).error ?? {};
    return [status, records_row, records_field];
  };
  const good = { span: '1 day', address: '10.0.0.1', spans: ['1 day'], doc: {} };
  const bad = {
    span: 'soon',
    address: '10.0.0.999',
    spans: ['1 day', 'soon'],
    doc: { a: '\0' },
  };

  test.each(Object.entries(bad))('in a record: %s', async (field, value) => {
    const record = { ...good, [field]: value };
    expect(await upsert('t', 'insert', [{ id: 10, ...record }])).toEqual([409, 0, field]);
    expect(await upsert('t', 'upsert', [{ id: 1, ...record }])).toEqual([409, 0, field]);
    const records = [
      { id: 1, ...good },
      { id: 2, ...good },
      { id: 3, ...record },
    ];
    expect(await upsert('t', 'update', records)).toEqual([409, 2, field]);
    const fresh = [11, 12, 13].map((id) => ({ id, ...(id === 12 ? record : good) }));
    expect(await upsert('t', 'insert', fresh)).toEqual([409, 1, field]);
  });

  test('in a view, which no filter is to blame for', async () => {
    const { status, text } = await gateway.call('datastore_search', { resource_id: 'numbers' });
    expect([status, JSON.parse(text).error.query]).toEqual([
      409,
      ['the database cannot compute a value of these records'],
    ]);
  });

  test('by a function in a view, which no trigger is to blame for', async () => {
    const { status, text } = await gateway.call('datastore_search', { resource_id: 'refusing' });
    expect([status, JSON.parse(text).error.query]).toEqual([409, ['refused by a function of the database']]);
    expect(text).not.toContain('never');
  });

  test('in a key', async () => {
    expect(
      (await upsert('hosts', 'upsert', [{ address: 'nowhere', n: 1 }])).filter((part) => part !== undefined),
    ).toEqual([409, 'address']);
  });

  test.each(['datastore_search', 'datastore_records_delete'])('in the filters of %s', async (action) => {
    for (const [field, value] of Object.entries({ span: 'soon', address: '10.0.0.999', spans: [['soon']] })) {
      const answer = await gateway.call(action, { resource_id: 't', filters: { [field]: value } });
      expect([answer.status, JSON.parse(answer.text).error.filters?.[0]]).toEqual([
        409,
        expect.stringContaining(`"${field}"`),
      ]);
    }
  });

  test('a check of a domain is a 409 in a record and matches nothing in a filter', async () => {
    const { status, text } = await gateway.call('datastore_upsert', {
      resource_id: 't',
      method: 'insert',
      records: [{ id: 20, p: -1 }],
    });
    expect([status, JSON.parse(text).error]).toEqual([
      409,
      { records: ['new row violates check constraint'], records_row: 0, __type: 'Validation Error' },
    ]);
    const found = await gateway.result('datastore_search', { resource_id: 't', filters: { p: -1 } });
    expect(found.total).toBe(0);
  });
});
