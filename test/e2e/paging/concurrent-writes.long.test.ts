import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { randomFrom } from '../../support/random-from.ts';
import { type Engine, type FreshDatabase, fewEngines, freshDatabase } from '../../support/servers/engines.ts';

const size = 10_000;
/** Whether this record may be deleted during the walk. */
const leaves = (id: number): boolean => id % 10 === 0;
/** Names with a collation that ignores case and accents. PGlite has no such collation. */
function table({ name, client }: Engine): string {
  if (client === 'mysql') return 'id int PRIMARY KEY, name varchar(20) COLLATE utf8mb4_unicode_ci, KEY (name)';
  return `id int PRIMARY KEY, name text ${name === 'pglite' ? '' : 'COLLATE folding'}`;
}
const folding = "CREATE COLLATION folding (provider = icu, locale = 'und-u-ks-level1', deterministic = false);";

describe.each(fewEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  const random = randomFrom(10_000);
  /** One of about 200 names, many of which differ only in case and accents; sometimes NULL. */
  const someName = (): string | null => {
    const letters = ['a', 'A', 'á', 'b', 'B', 'z'];
    const letter = () => letters[Math.floor(random() * letters.length)] ?? '';
    return random() < 0.1 ? null : letter() + letter() + letter();
  };
  let database: FreshDatabase;
  let gateway: TestGateway;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    const literal = (name: string | null) => (name === null ? 'NULL' : `'${name}'`);
    const rows = Array.from({ length: size }, (_, at) => `(${at + 1}, ${literal(someName())})`);
    const before = engine.client === 'mysql' ? 'SET NAMES utf8mb4;' : engine.client === 'postgres' ? folding : '';
    await database.exec(
      `${before} CREATE TABLE person (${table(engine)})${engine.client === 'mysql' ? ' CHARACTER SET utf8mb4' : ''};
       INSERT INTO person VALUES ${rows.join(', ')};`,
    );
    gateway = await startGateway({
      databases: { db: entry(database) },
      resources: { person: { database: 'db', table: 'person', access: { read: 'token', write: 'token' } } },
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });

  test('every record that is there from start to end of a walk comes once', async () => {
    const before = await gateway.result('datastore_search', {
      ...{ resource_id: 'person', fields: ['id'], records_format: 'csv', limit: 32_000 },
    });
    const stay = String(before.records)
      .split('\n')
      .filter((id) => id !== '' && !leaves(Number(id)));
    const seen: string[] = [];
    let after: unknown;
    for (let page = 0; page < 100; page++) {
      const found = await gateway.result('datastore_search', {
        ...{ resource_id: 'person', fields: ['id'], records_format: 'csv', include_total: false },
        ...{ sort: 'name', limit: 900, include_next_page: true, after },
      });
      seen.push(...String(found.records).split('\n').slice(0, -1));
      if (found.next_page === undefined) break;
      ({ after } = Object(found.next_page));
      // Meanwhile records are deleted and added before and after the current position, including the last one seen.
      const leaving = Array.from({ length: 50 }, () => Math.floor(random() * (size / 10)) * 10);
      const last = Number(seen.at(-1));
      const ids = leaves(last) ? [...leaving, last] : leaving;
      await gateway.result('datastore_records_delete', { resource_id: 'person', filters: { id: ids } });
      const records = Array.from({ length: 50 }, (_, at) => ({ id: 2 * size + page * 100 + at, name: someName() }));
      await gateway.result('datastore_upsert', { resource_id: 'person', method: 'insert', records });
    }
    expect(after).toBeTypeOf('string');
    const once = new Set(seen);
    expect(once.size).toBe(seen.length);
    expect(stay.filter((id) => !once.has(id))).toEqual([]);
    expect(stay.length).toBeGreaterThan(size * 0.8);
  });
});
