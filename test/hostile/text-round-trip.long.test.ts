import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { type FreshDatabase, fewEngines, freshDatabase } from '../support/servers/engines.ts';
import { texts } from './payloads.ts';
import { configuration, furnish, shareOf, snapshot } from './world.ts';

/** What a text column can store: PostgreSQL no NUL, and no engine a lone surrogate. */
const holds = (client: string, text: string) => text.isWellFormed() && (client === 'mysql' || !text.includes('\0'));

describe.each(fewEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  const legal = texts.filter((text) => holds(engine.client, text));
  const illegal = texts.filter((text) => !holds(engine.client, text));
  const records = legal.map((t, id) => ({ id, t }));
  let database: FreshDatabase;
  let gateway: TestGateway;
  let others: string;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    await furnish(database, engine);
    others = await snapshot(database, ['zq_film', 'zq_canary']);
    gateway = await startGateway(configuration(database, engine));
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });
  const stored = async (params: Record<string, unknown> = {}) =>
    (
      await gateway.result('datastore_search', {
        resource_id: 'sink',
        limit: 1000,
        fields: 'id,t',
        sort: 'id',
        ...params,
      })
    ).records;

  test('every text is stored and read byte for byte, alone and among others', async () => {
    await gateway.result('datastore_upsert', { resource_id: 'sink', method: 'insert', records });
    expect(await stored()).toEqual(records);
    const alone = shareOf(engine, records);
    await each(alone, ({ id, t }) =>
      gateway.result('datastore_upsert', { resource_id: 'sink', method: 'update', records: [{ id, t: `${t}.` }] }),
    );
    expect(await stored({ filters: { id: alone.map(({ id }) => id) } })).toEqual(
      alone.map(({ id, t }) => ({ id, t: `${t}.` })),
    );
    await gateway.result('datastore_upsert', { resource_id: 'sink', records });
    expect(await stored()).toEqual(records);
  });

  test('every text finds itself and nothing else', async () => {
    await each(shareOf(engine, records), async (record) =>
      expect(await stored({ filters: { t: record.t } })).toEqual([record]),
    );
    expect(await stored({ filters: { t: legal } })).toEqual(records);
  });

  test('every short text is a key of its own, for update and delete', async () => {
    const keys = legal.filter((text) => [...text].length <= 180);
    await gateway.close();
    gateway = await startGateway(keyedBy(configuration(database, engine), 'v'));
    await each(shareOf(engine, [...keys.entries()]), async ([nth, v]) => {
      const answer = await gateway.call('datastore_upsert', { resource_id: 'sink', records: [{ id: 1000 + nth, v }] });
      // A key that the collation considers equal to an existing one may be refused, but must never change that record.
      if (answer.status !== 200)
        expect([v, answer.status, answer.text]).toEqual([v, 409, expect.stringMatching(/spelling|duplicate key/)]);
    });
    const found: readonly { id: number; v: string }[] = Object(await stored({ fields: 'id,v', filters: { v: keys } }));
    expect(found.map(({ id, v }) => [id, v])).toEqual(found.map(({ id }) => [id, keys[id - 1000]]));
    if (engine.client === 'mysql') expect(found.length).toBeGreaterThan(shareOf(engine, keys).length / 2);
    else expect(found).toHaveLength(shareOf(engine, keys).length);
    const now = found.map(({ id, v }) => ({ id, v, t: `now ${v}` }));
    await gateway.result('datastore_upsert', {
      resource_id: 'sink',
      method: 'update',
      records: now.map(({ v, t }) => ({ v, t })),
    });
    expect(await stored({ fields: 'id,v,t', filters: { v: keys } })).toEqual(now);
    // An update of a single record binds its key in another way.
    await each(
      found.filter((_, nth) => nth % 5 === 0),
      async ({ id, v }) => {
        await gateway.result('datastore_upsert', {
          resource_id: 'sink',
          method: 'update',
          records: [{ v, t: `alone ${v}` }],
        });
        expect(await stored({ filters: { v } })).toEqual([{ id, t: `alone ${v}` }]);
        await gateway.result('datastore_records_delete', { resource_id: 'sink', filters: { v } });
      },
    );
    await gateway.result('datastore_records_delete', { resource_id: 'sink', filters: { v: keys } });
    expect(await stored({ filters: { v: keys } })).toEqual([]);
    expect(await stored()).toEqual(records);
  });

  test('a text that cannot be held is refused as a value, and equals nothing', async () => {
    expect(illegal.length).toBeGreaterThan(2);
    for (const t of illegal) {
      for (const method of ['insert', 'upsert', 'update']) {
        const answer = await gateway.call('datastore_upsert', {
          resource_id: 'sink',
          method,
          records: [{ id: 1, v: 'x', t }],
        });
        expect([answer.status, answer.text]).toEqual([409, expect.stringContaining('invalid byte sequence')]);
      }
      expect(await stored({ filters: { t } })).toEqual([]);
    }
    expect(await stored()).toEqual(records);
  });

  test('no other table has changed', async () => {
    await gateway.close();
    expect(await snapshot(database, ['zq_film', 'zq_canary'])).toBe(others);
  });
});

/** Runs the work on all items, six at a time. */
async function each<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const rest = items.values();
  const worker = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: 6 }, worker));
}

function keyedBy({ resources, ...rest }: ReturnType<typeof configuration>, column: string): Record<string, unknown> {
  return { ...rest, resources: { ...resources, sink: { ...resources.sink, key: [column] } } };
}
