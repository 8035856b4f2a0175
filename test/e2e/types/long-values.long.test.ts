/** Values that are too long to be escaped into the statement are sent in another way. They must be stored and shown in the same way. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { type FreshDatabase, fewEngines, freshDatabase } from '../../support/servers/engines.ts';

const keys: readonly (readonly [name: string, mysql: string, postgres: string, value: unknown])[] = [
  ['int', 'int', 'int', -7],
  ['bigint', 'bigint', 'bigint', 7_000_000_001],
  ['decimal', 'decimal(20,3)', 'numeric(20,3)', 1.5],
  ['varchar', 'varchar(40)', 'varchar(40)', `it's "ü" \\`],
  ['latin', 'varchar(40) CHARACTER SET latin1', 'varchar(40)', 'Zoë'],
  ['date', 'date', 'date', '2024-02-29'],
  ['datetime', 'datetime(6)', 'timestamp(6)', '2024-02-29T12:00:00.123456'],
  ['time', 'time(3)', 'time(3)', '03:04:05.6'],
  ['bytes', 'varbinary(20)', 'bytea', '\\x00ff27'],
  ['bits', 'bit(9)', 'bit(9)', '000000101'],
];

describe.each(fewEngines().map((engine) => [engine.name, engine] as const))('on %s', (name, engine) => {
  let database: FreshDatabase;
  let gateway: TestGateway;
  const isMysql = engine.client === 'mysql';
  // By default MySQL 5.6 accepts no statement above 4 MB.
  const length = name === 'mysql56' ? 3_500_000 : 9_000_000;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    const [text, bytes, end] = isMysql ? ['longtext', 'longblob', ' CHARACTER SET utf8mb4'] : ['text', 'bytea', ''];
    const tables = keys.map(
      ([key, mysql, postgres]) =>
        `CREATE TABLE by_${key} (k ${isMysql ? mysql : postgres} PRIMARY KEY, t ${text}, b ${bytes}, n int)${end};`,
    );
    await database.exec(tables.join('\n'));
    const access = { read: 'token', write: 'token' };
    gateway = await startGateway({
      databases: { db: entry(database) },
      resources: Object.fromEntries(keys.map(([key]) => [key, { database: 'db', table: `by_${key}`, access }])),
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });

  test.each(keys)('a long text beside a key of type %s', async (resource_id, _mysql, _postgres, k) => {
    for (const t of [`it's "long" \\ 😀\n`.repeat(40_000), 'x'.repeat(300_000)]) {
      const records = [{ k, t, b: '\\x2700', n: 1 }];
      const { records: shown } = await gateway.result('datastore_upsert', {
        resource_id,
        records,
        include_records: true,
      });
      const fields = ['k', 't', 'b', 'n'];
      const found = await gateway.result('datastore_search', { resource_id, fields });
      // Without `expect`, which would print both on failure.
      expect(JSON.stringify(found.records) === JSON.stringify(records)).toBe(true);
      const [first] = Array.isArray(shown) ? shown : [];
      expect(fields.every((field) => Object(first)[field] === Object(records[0])[field])).toBe(true);
    }
  });

  // The texts are shared out among engines of the same family. In `npm run fuzz` each engine gets all of them.
  const alike = fewEngines().filter(({ client }) => (client === 'mysql') === isMysql);
  const isItsShare = (nth: number) => process.env.FUZZ_CASES !== undefined || alike[nth % alike.length] === engine;
  test.each(["'", '"', '\\', '\n', isMysql ? '\0' : '\u0001'].filter((_, nth) => isItsShare(nth)))(
    'a text of nothing but %j is not larger than others',
    async (unit) => {
      // In a JSON body some of these characters take six bytes.
      const t = unit.repeat(Math.min(length, 9_900_000 / (JSON.stringify(unit).length - 2)));
      await gateway.result('datastore_upsert', { resource_id: 'int', records: [{ k: 1, t, b: null }] });
      const { records } = await gateway.result('datastore_search', { resource_id: 'int', filters: { k: 1 } });
      expect(Object(Array.isArray(records) ? records[0] : {}).t === t).toBe(true);
    },
  );

  test('bytes and texts of every length come back, short of that of a long one and beyond', async () => {
    const lengths = [1, 99, 100, 101, 249_999, 250_000, 250_001];
    const records = lengths.map((size, nth) => ({
      ...{ k: 100 + nth, t: `'\\`.repeat(size / 2), b: `\\x${'27'.repeat(size)}`, n: nth },
    }));
    await gateway.result('datastore_upsert', { resource_id: 'int', records });
    const fields = ['k', 't', 'b', 'n'];
    const found = await gateway.result('datastore_search', {
      resource_id: 'int',
      fields,
      filters: { k: { gte: 100 } },
    });
    expect(JSON.stringify(found.records) === JSON.stringify(records)).toBe(true);
  });
});
