import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { engines, type FreshDatabase, freshDatabase } from '../../support/servers/engines.ts';

/** The texts of rows 1 to 7: some are equal in a loose collation, others would be matched after a lossy conversion. */
const words = ['a', 'A', 'á', 'a ', '?', 'b', '中'];
const mysql = { mb4: 'utf8mb4', mb3: 'utf8', latin: 'latin1' };
const postgres = { loose: 'text COLLATE loose', cit: 'citext' };

const columnsOf = (client: string): Readonly<Record<string, string>> =>
  client === 'mysql'
    ? Object.fromEntries(Object.entries(mysql).map(([name, set]) => [name, `varchar(20) CHARACTER SET ${set}`]))
    : postgres;

/** Engines that have collations looser than a comparison of bytes. */
const loose = engines().filter((engine) => engine.name !== 'pglite');

describe.each(loose.map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  let database: FreshDatabase;
  let gateway: TestGateway;
  const columns = Object.keys(columnsOf(engine.client));
  beforeAll(async () => {
    database = await freshDatabase(engine);
    if (engine.client === 'postgres')
      await database.exec(
        `CREATE EXTENSION citext; CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false)`,
      );
    const definitions = Object.entries(columnsOf(engine.client)).map(([name, type]) => `${name} ${type}`);
    await database.exec(`CREATE TABLE t (id int PRIMARY KEY, ${definitions.join(', ')})`);
    for (const [nth, word] of words.entries()) {
      // latin1 cannot store 中, so that row is NULL there.
      const values = columns.map((name) => (name === 'latin' && word === '中' ? 'NULL' : `'${word}'`));
      await database.exec(`INSERT INTO t VALUES (${nth + 1}, ${values.join(', ')})`);
    }
    const match = Object.fromEntries(columns.map((name) => [name, { match: 'collation' }]));
    const access = { read: 'token', write: 'token' };
    gateway = await startGateway({
      databases: { db: entry(database) },
      resources: {
        exact: { database: 'db', table: 't', access },
        engine: { database: 'db', table: 't', access, columns: match },
      },
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });

  const ids = async (resource: string, filters: Record<string, unknown>) =>
    Object(
      await gateway.result('datastore_search', { resource_id: resource, fields: ['id'], sort: 'id', filters }),
    ).records.map((record: { id: number }) => record.id);

  test.each(columns)('%s: every text finds itself alone', async (column) => {
    const found = await Promise.all(words.map((word) => ids('exact', { [column]: word })));
    expect(found).toEqual(words.map((word, nth) => (column === 'latin' && word === '中' ? [] : [nth + 1])));
    expect(await ids('exact', { [column]: ['A', 'a ', 'á '] })).toEqual([2, 4]);
  });

  test.each(columns)('%s: of a list, only what the character set cannot hold drops out', async (column) => {
    expect(await ids('exact', { [column]: '😀' })).toEqual([]);
    expect(await ids('exact', { [column]: ['😀', '𝒳', 'b'] })).toEqual([6]);
    expect(await ids('exact', { [column]: ['😀', null] })).toEqual(column === 'latin' ? [7] : []);
  });

  test.each(columns)('%s: match collation asks for the equality of the engine', async (column) => {
    const [row] = await database.query(`SELECT count(*) FROM t WHERE ${column} = 'a'`);
    const found = await ids('engine', { [column]: 'a' });
    expect(found.length).toBe(Number(row?.[0]));
    expect(found).toEqual(expect.arrayContaining([1, 2]));
    expect(await ids('engine', { [column]: ['A', 'b'] })).toEqual([...found, 6].sort());
    expect(await ids('engine', { [column]: '😀' })).toEqual([]);
    expect(await ids('engine', { [column]: ['😀', 'b'] })).toEqual([6]);
  });

  test.each(columns)(
    '%s: each row is on one side of every text, also of one the character set cannot hold',
    async (column) => {
      const all = [1, 2, 3, 4, 5, 6, 7];
      const together = async (resource: string, one: object, other: object) =>
        [...(await ids(resource, { [column]: one })), ...(await ids(resource, { [column]: other }))].sort();
      for (const resource of ['exact', 'engine']) {
        for (const text of [...words, '😀', 'b'.repeat(30)]) {
          expect(await together(resource, { eq: text }, { ne: text })).toEqual(all);
          expect(await together(resource, { in: [text, 'b', null] }, { nin: [text, 'b', null] })).toEqual(all);
          const valued = column === 'latin' ? all.slice(0, 6) : all;
          expect(await together(resource, { gt: text }, { lte: text })).toEqual(valued);
          expect(await together(resource, { gte: text }, { lt: text })).toEqual(valued);
        }
      }
    },
  );

  test.each(columns)('%s: like is exact whatever the collation, ilike folds the case alone', async (column) => {
    for (const resource of ['exact', 'engine']) {
      const found = await Promise.all(words.map((word) => ids(resource, { [column]: { like: word } })));
      expect(found).toEqual(words.map((word, nth) => (column === 'latin' && word === '中' ? [] : [nth + 1])));
      expect(await ids(resource, { [column]: { like: 'a%' } })).toEqual([1, 4]);
      expect(await ids(resource, { [column]: { ilike: 'A' } })).toEqual([1, 2]);
      expect(await ids(resource, { [column]: { ilike: 'Á' } })).toEqual([3]);
      expect(await ids(resource, { [column]: { ilike: '😀%' } })).toEqual([]);
    }
  });

  test.each(columns)('%s: deletes take the same rows as searches', async (column) => {
    const remove = (resource: string, value: unknown) =>
      gateway.result('datastore_records_delete', { resource_id: resource, filters: { [column]: value } });
    const remainingIds = async () => (await database.query('SELECT id FROM t ORDER BY id')).map(([id]) => Number(id));
    const before = await database.query('SELECT * FROM t ORDER BY id');
    await remove('exact', '😀');
    await remove('engine', '😀');
    expect(await remainingIds()).toEqual([1, 2, 3, 4, 5, 6, 7]);
    await remove('exact', ['😀', 'A', 'á ']);
    expect(await remainingIds()).toEqual([1, 3, 4, 5, 6, 7]);
    await remove('engine', ['😀', 'b']);
    expect(await remainingIds()).toEqual([1, 3, 4, 5, 7]);
    await remove('engine', 'a');
    expect((await remainingIds()).includes(1)).toBe(false);
    await database.exec('DELETE FROM t');
    for (const row of before) {
      const values = row.map((value) => (value === null ? 'NULL' : `'${value}'`));
      await database.exec(`INSERT INTO t VALUES (${values.join(', ')})`);
    }
  });
});
