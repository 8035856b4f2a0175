import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answered, entry, startGateway, type TestGateway } from '../support/gateway.ts';
import { type FreshDatabase, fewEngines, freshDatabase } from '../support/servers/engines.ts';
import { standsForItsKind } from './world.ts';

const times = <T>(count: number, item: T): readonly T[] => Array.from({ length: count }, () => item);
const long = (bytes: number) => 'x'.repeat(bytes);

describe.each(fewEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  const stands = standsForItsKind(engine);
  // MySQL limits the size of a packet. Among the servers of a run, the last one has the lowest limit.
  const isNarrow = stands && engine.client === 'mysql';
  let database: FreshDatabase;
  let gateway: TestGateway;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    const type = engine.client === 'mysql' ? 'longtext' : 'text';
    await database.exec(
      `CREATE TABLE t (id int PRIMARY KEY, a ${type}, b ${type}); INSERT INTO t VALUES (1, 'one', 'two')`,
    );
    gateway = await startGateway({
      databases: { db: entry(database) },
      resources: { t: { database: 'db', table: 't', access: { read: 'token', write: 'token' } } },
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });

  /** Either a result, or a refusal that names the parameter that is too large. */
  const isAnswer = ({ status, text }: Answered) =>
    expect([status, text.slice(0, 300)]).toEqual([
      expect.toBeOneOf([200, 409, 413]),
      expect.not.stringMatching(/packet|target lists|SQL/),
    ]);
  const search = (params: object) => gateway.call('datastore_search', { resource_id: 't', ...params });
  const intact = async () =>
    expect(await gateway.result('datastore_search', { resource_id: 't' })).toMatchObject({
      total: 1,
      records: [{ id: 1, a: 'one', b: 'two' }],
    });

  test.each(stands ? [1600, 1700, 90_000] : [1700])('a field named %i times', async (count) => {
    isAnswer(await search({ fields: times(count, 'a') }));
    isAnswer(await search({ fields: times(count, 'a').join(',') }));
    await intact();
  });

  test.each([1600, 1601, 90_000])('a sort of %i clauses', async (count) => {
    const answer = await search({ sort: times(count, 'a desc nulls last'), fields: ['id'] });
    const isFew = count <= 1600;
    expect([answer.status, JSON.parse(answer.text).result?.records]).toEqual(
      isFew ? [200, [{ id: 1 }]] : [count === 1601 ? 409 : 413, undefined],
    );
    isAnswer(await search({ sort: [...times(count - 1, 'b'), 'a desc'], filters: { id: times(16, 1) } }));
    await intact();
  });

  test.each(isNarrow ? [100_000, 1_000_000, 9_000_000] : [100_000, 1_000_000])(
    'a text of %i bytes as q, filter, record and key',
    { timeout: 60_000 },
    async (bytes) => {
      isAnswer(await search({ q: long(bytes) }));
      isAnswer(await search({ filters: { a: long(bytes) } }));
      isAnswer(await search({ filters: { a: [long(bytes / 2), `${long(bytes / 2)}'`] } }));
      isAnswer(await gateway.call('datastore_records_delete', { resource_id: 't', filters: { b: long(bytes) } }));
      await intact();
      for (const method of ['insert', 'upsert', 'update']) {
        const records = [{ id: method === 'update' ? 1 : 2, a: 'one', b: long(bytes) }];
        const answer = await gateway.call('datastore_upsert', { resource_id: 't', method, records });
        isAnswer(answer);
        if (answer.status !== 200) await intact();
        else {
          const { records: found } = await gateway.result('datastore_search', {
            resource_id: 't',
            filters: { id: records[0]?.id ?? 0 },
          });
          expect(Object(found)[0].b).toHaveLength(bytes);
          const undo = { id: 1, a: 'one', b: 'two' };
          await gateway.result('datastore_upsert', { resource_id: 't', method: 'update', records: [undo] });
          await gateway.result('datastore_records_delete', { resource_id: 't', filters: { id: 2 } });
        }
      }
      await intact();
    },
  );

  test('many long texts in one call are cut into statements that the server takes', { timeout: 60_000 }, async () => {
    const records = Array.from({ length: isNarrow ? 30 : 3 }, (_, nth) => ({
      id: 100 + nth,
      a: `${nth}${"'\\".repeat(100_000)}`,
      b: null,
    }));
    for (const method of ['insert', 'upsert', 'update'])
      await gateway.result('datastore_upsert', { resource_id: 't', method, records });
    const found = await gateway.result('datastore_search', {
      resource_id: 't',
      filters: { id: records.map(({ id }) => id) },
    });
    expect(Object(found.records).map(({ id, a, b }: { id: number; a: string; b: null }) => ({ id, a, b }))).toEqual(
      records,
    );
    await gateway.result('datastore_records_delete', {
      resource_id: 't',
      filters: { id: records.map(({ id }) => id) },
    });
    await intact();
  });
});
