import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { type FreshDatabase, fewEngines, freshDatabase, openSession } from '../../support/servers/engines.ts';

const calls = 50;
const keys = 40;
const access = { read: 'token', write: 'token', deleteAll: true };

/** Shuffles a list: the same order for the same seed. */
function shuffled<T>(list: readonly T[], seed: number): readonly T[] {
  const keyed = list.map((item, nth) => ({ item, at: Math.imul((nth + 1) * (seed + 7), 0x9e3779b1) >>> 0 }));
  return keyed.sort((a, b) => a.at - b.at).map(({ item }) => item);
}

/** The keys that a call writes: about twenty of the forty, in random order. */
const keysOf = (call: number): readonly number[] =>
  shuffled(
    Array.from({ length: keys }, (_, nth) => nth),
    call,
  ).slice(0, 15 + (call % 10));

describe.each(fewEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  let database: FreshDatabase;
  let gateway: TestGateway;
  // For a duplicate key PostgreSQL names the index of the partition, not of the table.
  const hasPartitions = engine.name === 'postgres';
  beforeAll(async () => {
    database = await freshDatabase(engine);
    const rest = 'writer int, again varchar(20), once varchar(20)';
    await database.exec(`
      CREATE TABLE by_number (k int PRIMARY KEY, ${rest});
      CREATE TABLE by_text (k varchar(40) PRIMARY KEY, ${rest});
      CREATE TABLE by_two (k int, k2 varchar(20), ${rest}, PRIMARY KEY (k, k2));
      CREATE TABLE with_second_key (k int PRIMARY KEY, u varchar(40) UNIQUE, ${rest});`);
    if (hasPartitions)
      await database.exec(`CREATE TABLE in_partitions (k int PRIMARY KEY, ${rest}) PARTITION BY HASH (k);
        CREATE TABLE even PARTITION OF in_partitions FOR VALUES WITH (MODULUS 2, REMAINDER 0);
        CREATE TABLE odd PARTITION OF in_partitions FOR VALUES WITH (MODULUS 2, REMAINDER 1);`);
    const tables = ['by_number', 'by_text', 'by_two', 'with_second_key', ...(hasPartitions ? ['in_partitions'] : [])];
    gateway = await startGateway({
      // Connection timeouts are not tested here.
      databases: {
        db: { ...entry(database), ...(engine.client === 'pglite' ? {} : { pool: { acquireTimeout: '60s' } }) },
      },
      resources: Object.fromEntries(tables.map((table) => [table, { database: 'db', table, access }])),
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });

  test.each([
    ['by_number', (k: number) => ({ k })],
    ['by_text', (k: number) => ({ k: `key ${k}` })],
    ['by_two', (k: number) => ({ k, k2: `part ${k % 3}` })],
    ['with_second_key', (k: number) => ({ k, u: `unique ${k}` })],
    ...(hasPartitions ? [['in_partitions', (k: number) => ({ k })] as const] : []),
  ] as const)(
    '%s: 50 upserts of overlapping keys in any order all succeed, each record whole',
    { timeout: 120_000 },
    async (resource_id, key) => {
      // Every third record exists, so that both inserts and updates collide.
      const before = Array.from({ length: keys }, (_, k) => k).filter((k) => k % 3 === 0);
      await gateway.result('datastore_upsert', {
        ...{ resource_id, method: 'insert' },
        records: before.map((k) => ({ ...key(k), writer: -1, again: '-1', once: `first ${k}` })),
      });
      const answers = await Promise.all(
        Array.from({ length: calls }, (_, writer) =>
          gateway.call('datastore_upsert', {
            resource_id,
            records: keysOf(writer).map((k) => ({ ...key(k), writer, again: String(writer) })),
          }),
        ),
      );
      expect(answers.filter(({ status }) => status !== 200).map(({ status, text }) => `${status} ${text}`)).toEqual([]);

      const { records, total } = await gateway.result('datastore_search', { resource_id, limit: 1000 });
      const written = new Set([...before, ...Array.from({ length: calls }, (_, call) => keysOf(call)).flat()]);
      expect(total).toBe(written.size);
      for (const record of Object(records)) {
        const k = Number(/\d+$/.exec(String(record.k))?.[0]);
        expect(record).toMatchObject({
          ...key(k),
          again: String(record.writer),
          once: before.includes(k) ? `first ${k}` : null,
        });
        // The final state of a record comes from a call that wrote it.
        expect(record.writer === -1 ? [] : keysOf(record.writer)).toEqual(
          record.writer === -1 ? [] : expect.arrayContaining([k]),
        );
      }
      // Each call holds its locks to the end. If two calls could interleave, each might be the last writer of a record that the other wrote later.
      expect(contradictions(Object(records))).toEqual([]);
      await gateway.result('datastore_records_delete', { resource_id, filters: {} });
    },
  );

  test('deletes and upserts of the same records at once leave each whole or gone', { timeout: 120_000 }, async () => {
    const resource_id = 'by_number';
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, writer) =>
        writer % 2 === 0
          ? gateway.call('datastore_upsert', {
              resource_id,
              records: keysOf(writer).map((k) => ({ k, writer, again: String(writer) })),
            })
          : gateway.call('datastore_records_delete', { resource_id, filters: { k: keysOf(writer) } }),
      ),
    );
    expect(answers.filter(({ status }) => status !== 200).map(({ status, text }) => `${status} ${text}`)).toEqual([]);
    const { records } = await gateway.result('datastore_search', { resource_id, limit: 1000 });
    for (const record of Object(records)) expect(record.again).toBe(String(record.writer));
    await gateway.result('datastore_records_delete', { resource_id, filters: {} });
  });

  // PostgreSQL checks for deadlocks only after waiting for a second.
  test.runIf(engine.name === 'postgres').each([
    ['upsert', 'by_number', { k: 9 }, { k: 10 }],
    ['update', 'by_number', { k: 9 }, { k: 10 }],
    ['upsert', 'by_text', { k: 'B' }, { k: 'a' }],
    ['update', 'by_text', { k: 'B' }, { k: 'a' }],
    // In UTF-16 order the first of these would come last.
    ['upsert', 'by_text', { k: '！' }, { k: '😀' }],
    ['update', 'by_text', { k: '！' }, { k: '😀' }],
    ['upsert', 'by_two', { k: 9, k2: 'a' }, { k: 10, k2: 'B' }],
    ['update', 'by_two', { k: 9, k2: 'a' }, { k: 10, k2: 'B' }],
  ] as const)('%s in %s locks records in the order of their keys', async (method, resource_id, first, last) => {
    if (engine.client !== 'postgres' || database.client === 'pglite') return;
    for (const one of [last, first])
      await gateway.result('datastore_upsert', { resource_id, method: 'insert', records: [{ ...one, writer: 1 }] });
    const other = await openSession(database);
    const lock = ({ k }: { readonly k: unknown }) => `SELECT 1 FROM ${resource_id} WHERE k = '${k}' FOR UPDATE NOWAIT`;
    await other.exec('BEGIN');
    await other.exec(lock(first));
    const records = [last, first].map((one) => ({ ...one, writer: 2 }));
    const writing = gateway.call('datastore_upsert', { resource_id, method, records });
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
    await expect.poll(() => database.query(waiting)).toHaveLength(1);
    await other.exec(lock(last));
    await other.close();
    expect((await writing).status).toBe(200);
    await gateway.result('datastore_records_delete', { resource_id, filters: {} });
  });

  test.runIf(engine.name === 'postgres')(
    'a delete that met a deadlock locks in the order of the keys, too',
    async () => {
      if (engine.client !== 'postgres' || database.client === 'pglite') return;
      const resource_id = 'by_number';
      for (const k of [10, 9]) await database.exec(`INSERT INTO by_number (k, writer) VALUES (${k}, 1)`);
      const [other, third] = [await openSession(database), await openSession(database)];
      const lock = (k: number) => `SELECT 1 FROM by_number WHERE k = ${k} FOR UPDATE`;
      const untilItWaits = () => {
        const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
        return expect.poll(() => database.query(waiting)).toHaveLength(1);
      };
      await other.exec('BEGIN');
      await other.exec(lock(9));
      const deleting = gateway.call('datastore_records_delete', { resource_id, filters: { writer: 1 } });
      await untilItWaits();
      // The delete has locked 10. PostgreSQL ends the session that has waited longer, which is the delete.
      await other.exec('SAVEPOINT before');
      await other.exec(lock(10));
      await untilItWaits();
      await other.exec('ROLLBACK TO SAVEPOINT before');
      await untilItWaits();
      await third.exec('BEGIN');
      await third.exec(`${lock(10)} NOWAIT`);
      await third.close();
      await other.close();
      expect((await deleting).status).toBe(200);
      expect(await database.query('SELECT k FROM by_number')).toEqual([]);
    },
  );
});

/** Pairs of calls that each overwrote the other: no serial order could leave such a table. */
function contradictions(records: readonly { k: unknown; writer: number }[]): readonly string[] {
  const last = new Map(records.map(({ k, writer }) => [Number(/\d+$/.exec(String(k))?.[0]), writer]));
  const beats = new Map<number, Set<number>>();
  for (const [k, winner] of last)
    for (let call = 0; call < calls; call++)
      if (winner >= 0 && call !== winner && keysOf(call).includes(k))
        beats.set(winner, (beats.get(winner) ?? new Set()).add(call));
  const found: string[] = [];
  for (const [a, losers] of beats)
    for (const b of losers) if (a < b && beats.get(b)?.has(a)) found.push(`${a} and ${b}`);
  return found;
}
