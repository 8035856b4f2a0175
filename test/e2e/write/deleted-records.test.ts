import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Json } from '../../../src/model/value.ts';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { type FreshDatabase, fewEngines, freshDatabase } from '../../support/servers/engines.ts';

const access = { read: 'token', write: 'token', deleteAll: true };
const tables = ['keyed', 'two', 'keyless'];

describe.each(fewEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  let database: FreshDatabase;
  let gateway: TestGateway;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    const blob = engine.client === 'mysql' ? 'blob' : 'bytea';
    await database.exec(`
      CREATE TABLE keyed (id int PRIMARY KEY, kind varchar(10), data ${blob});
      CREATE TABLE two (a int, id int, kind varchar(10), PRIMARY KEY (a, id));
      CREATE TABLE keyless (id int, kind varchar(10))`);
    gateway = await startGateway({
      databases: {
        db: { ...entry(database), ...(engine.client === 'pglite' ? {} : { pool: { acquireTimeout: '60s' } }) },
      },
      limits: { rowsDefault: 1000, rowsMax: 1000, responseBytes: '50kB' },
      resources: Object.fromEntries(tables.map((table) => [table, { database: 'db', table, access }])),
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });
  const remove = async (resource_id: string, filters: Json) => {
    const { status, text } = await gateway.call('datastore_delete', {
      resource_id,
      filters,
      include_deleted_records: true,
    });
    const { result, error } = JSON.parse(text);
    return status === 200 ? result.deleted_records : error;
  };
  const insert = (resource_id: string, records: readonly Json[]) =>
    gateway.result('datastore_upsert', { resource_id, method: 'insert', records });
  const remaining = async (resource_id: string) =>
    (await gateway.result('datastore_search', { resource_id, limit: 1 })).total;
  beforeEach(async () => {
    for (const resource_id of tables) await gateway.result('datastore_records_delete', { resource_id, filters: {} });
  });

  test('they are shown whole, as they were, in the order of the key', async () => {
    await insert('keyed', [
      { id: 3, kind: 'a', data: '\\x00' },
      { id: 1, kind: 'a' },
      { id: 2, kind: 'b' },
    ]);
    expect(await remove('keyed', { kind: 'none' })).toEqual([]);
    expect(await remove('keyed', { kind: ['a', 'A'] })).toEqual([
      { _id: 1, id: 1, kind: 'a', data: null },
      { _id: 3, id: 3, kind: 'a', data: '\\x00' },
    ]);
    expect(await remaining('keyed')).toBe(1);
    await insert('keyless', [{ id: 1, kind: 'a' }, { id: 1, kind: 'a' }, { id: null }]);
    expect(await remove('keyless', { id: 1 })).toEqual([
      { id: 1, kind: 'a' },
      { id: 1, kind: 'a' },
    ]);
    expect(await remove('keyless', { id: null })).toEqual([{ id: null, kind: null }]);
  });

  test('more than rowsMax are all deleted, and the first of them shown', async () => {
    await insert(
      'two',
      Array.from({ length: 1203 }, (_unused, nth) => ({ a: nth % 2, id: nth, kind: nth < 1100 ? 'many' : 'few' })),
    );
    const shown = await remove('two', { kind: 'many' });
    expect([shown.length, shown[0], shown[999]]).toEqual([
      1000,
      { a: 0, id: 0, kind: 'many' },
      { a: 1, id: 899, kind: 'many' },
    ]);
    expect(await remaining('two')).toBe(103);
    expect(await remove('two', {})).toHaveLength(103);
    expect(await remaining('two')).toBe(0);
  });

  test('where they are too large to be shown, nothing is deleted', async () => {
    await insert(
      'keyed',
      Array.from({ length: 500 }, (_unused, id) => ({ id, data: `\\x${'ab'.repeat(60)}` })),
    );
    expect(await remove('keyed', {})).toMatchObject({
      include_deleted_records: [
        'must be false: the records are over 50000 bytes (limits.responseBytes), so nothing was done',
      ],
    });
    expect(await remaining('keyed')).toBe(500);
  });

  test.each(['keyed', 'two', 'keyless'])(
    '%s: many deletes at once, beside an insert, show each record once',
    async (table) => {
      const kinds = ['a', 'b', 'c', 'd'];
      const record = (id: number) => ({
        id,
        kind: kinds[id % 4] ?? '',
        ...(table === 'two' ? { a: id % 3 } : {}),
      });
      await insert(
        table,
        Array.from({ length: 120 }, (_unused, id) => record(id)),
      );
      const seen: string[] = [];
      const deleteAndNote = async (filters: Json) => {
        const shown: readonly { id: Json }[] = await remove(table, filters);
        expect(shown).toBeInstanceOf(Array);
        seen.push(...shown.map(({ id }) => String(id)));
      };
      const writing = (async () => {
        for (let id = 120; id < 150; id += 2) await insert(table, [record(id), record(id + 1)]);
      })();
      const deleting = Array.from({ length: 4 }, async (_unused, one) => {
        for (let round = 0; round < 3; round++)
          await deleteAndNote({ kind: [kinds[(one + round) % 4] ?? '', kinds[round] ?? ''] });
      });
      await Promise.all([writing, ...deleting]);
      expect(new Set(seen).size).toBe(seen.length);
      expect(await remaining(table)).toBe(150 - seen.length);
      await deleteAndNote({});
      expect([...seen].sort()).toEqual(Array.from({ length: 150 }, (_unused, id) => String(record(id).id)).sort());
    },
  );
});
