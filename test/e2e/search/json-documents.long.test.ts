/** Filters on JSON columns find the record whose document equals the value, however it is formatted. */

import { LosslessNumber } from 'lossless-json';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../../src/model/value.ts';
import { isObject, toJson } from '../../../src/values/json.ts';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import {
  byName,
  type Engine,
  engines,
  type FreshDatabase,
  fewEngines,
  freshDatabase,
} from '../../support/servers/engines.ts';

const number = (text: string) => new LosslessNumber(text);

/** Documents as legacy programs wrote them, and the equivalent value. Ids start at 1; the last record is NULL. */
const documents: readonly (readonly [string, Json])[] = [
  ['[1, "two", null, {"three": [true]}]', [1, 'two', null, { three: [true] }]],
  ['{"b": 1, "a": {"d": 2, "c": [ ]}}', { a: { c: [], d: 2 }, b: 1 }],
  ['"a text"', 'a text'],
  ['"A text"', 'A text'],
  ['"a text "', 'a text '],
  ['""', ''],
  ['"null"', 'null'],
  ['1', 1],
  ['"1"', '1'],
  ['true', true],
  ['false', false],
  ['[]', []],
  ['[[]]', [[]]],
  ['{}', {}],
  ['[1, 2]', [1, 2]],
  ['[2, 1]', [2, 1]],
  ['9007199254740993', number('9007199254740993')],
  ['9007199254740992', number('9007199254740992')],
  ['{"price": 12.50}', { price: number('12.5') }],
  ['{"\\u00e9t\\u00e9": "\\ud83d\\ude00 \\u00fc"}', { été: '😀 ü' }],
  ['{"z": "étés 😀"}', { z: 'étés 😀' }],
  ['"http:\\/\\/a.example\\/b"', 'http://a.example/b'],
  [`"quote ' \\" backslash \\\\ {x}, tab \\t"`, `quote ' " backslash \\ {x}, tab \t`],
  ['"%_|"', '%_|'],
];
const absent: readonly Json[] = [
  ...['two', '[1, 2]', '{}', 'TRUE', 'a\0b', '\ud800', { b: 1 }, [1, 2, 3], [2], 0, -1, { été: '' }],
  ...[number('1e400'), number('-1e200000'), [number('1e131072')], { 'a\0': 1 }, number('9007199254740994')],
];
const ids = documents.map((_, nth) => nth + 1);
const nullDocument = documents.length + 1;
const noDocument = documents.length + 2;

function schema(engine: Engine, type: string): string {
  const text = (document: string) =>
    `'${(engine.client === 'mysql' ? document.replaceAll('\\', '\\\\') : document).replaceAll("'", "''")}'`;
  const rows = [...documents.map(([document]) => text(document)), "'null'", 'NULL'];
  return `CREATE TABLE t (id int PRIMARY KEY, doc ${type});
    INSERT INTO t VALUES ${rows.map((row, nth) => `(${nth + 1}, ${row})`).join(', ')};`;
}

const cases = engines().flatMap((engine): readonly (readonly [string, string, Engine])[] => {
  if (engine.name === 'mysql56') return [];
  const types = engine.client === 'mysql' ? ['json'] : ['jsonb', 'json'];
  // For jsonb the SQL does not depend on the server's version, unlike for json, so PGlite would only repeat PostgreSQL.
  if (!fewEngines().includes(engine)) types.shift();
  // MariaDB recognizes JSON by its CHECK. A case-insensitive collation must not make other documents match.
  if (engine.name === 'mariadb')
    types.push('longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci CHECK (json_valid(`doc`))');
  return types.map((type) => [engine.name, type, engine] as const);
});

describe.each(cases)('on %s, %s', (_, type, engine) => {
  let database: FreshDatabase;
  let gateway: TestGateway;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    await database.exec(schema(engine, type));
    gateway = await startGateway({
      databases: { db: entry(database) },
      resources: { t: { database: 'db', table: 't', key: ['id'] } },
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });

  const found = async (doc: Json): Promise<readonly unknown[]> => {
    const params = { resource_id: 't', filters: { doc }, fields: ['id'], records_format: 'lists' };
    const { records } = await gateway.result('datastore_search', toJson(params));
    return [records].flat(2);
  };

  test.each(documents.map(([document, value], nth) => [document, value, nth + 1] as const))(
    '%s is found by its value, and by none of the other operators',
    async (_document, value, id) => {
      const [equal, listed, others] = await Promise.all(
        [{ eq: value }, { in: [value, 'no such text'] }, { ne: value }].map(found),
      );
      expect([equal, listed]).toEqual([[id], [id]]);
      expect(others).toEqual([...ids, nullDocument, noDocument].filter((other) => other !== id));
    },
  );

  test('a list of many values finds each of them; what no document can be is found nowhere', async () => {
    const values = documents.map(([, value]) => value);
    expect(await found({ in: [...values, ...absent] })).toEqual(ids);
    expect(await found({ nin: [...values, ...absent, null] })).toEqual([]);
    for (const value of absent) expect([value, await found({ eq: value })]).toEqual([value, []]);
    expect((await found({ ne: number('1e400') })).length).toBe(noDocument);
  });

  test('plain values stand for themselves, a plain list for any of its items', async () => {
    expect(await found('a text')).toEqual([3]);
    expect(await found(1)).toEqual([8]);
    expect(await found([1, '1', true])).toEqual([8, 9, 10]);
  });

  test('a document that is null is shown as NULL is, and found as it', async () => {
    for (const nullFilter of [null, { eq: null }, { null: true }, { in: [null] }])
      expect(await found(nullFilter)).toEqual([nullDocument, noDocument]);
    expect(await found({ null: false })).toEqual(ids);
    expect(await found({ ne: null })).toEqual(ids);
    expect(await found([null, 1])).toEqual([8, nullDocument, noDocument]);
  });

  test.runIf(engine.name === 'mysql')(
    'values that SQL has put into a document are found as they are shown',
    async () => {
      await database.exec(`INSERT INTO t VALUES (1000,
      JSON_OBJECT('day', DATE '2026-11-23', 'at', TIMESTAMP '2026-11-23 10:00:00', 'price', CAST('1234567.5' AS DECIMAL(20, 4))))`);
      try {
        const { records } = await gateway.result('datastore_search', { resource_id: 't', filters: { id: 1000 } });
        const [{ doc = null } = {}] = [records].flat(1).filter(isObject);
        expect(doc).toMatchObject({ day: '2026-11-23' });
        expect(await found({ eq: doc })).toEqual([1000]);
        expect(await found({ ne: doc })).not.toContain(1000);
      } finally {
        await database.exec('DELETE FROM t WHERE id = 1000');
      }
    },
  );

  test('a call compares with a hundred documents at most', async () => {
    const ask = async (count: number) => {
      const filters = { $or: [{ doc: Array.from({ length: count - 1 }, (_, nth) => `no ${nth}`) }, { doc: 'a text' }] };
      const { status, text } = await gateway.call('datastore_search', { resource_id: 't', filters });
      return [status, JSON.parse(text).result?.total ?? JSON.parse(text).error.filters];
    };
    expect(await ask(100)).toEqual([200, 1]);
    expect(await ask(101)).toEqual([409, ['must have at most 100 JSON documents, got: 101']]);
  });

  test('documents have no order', async () => {
    const { status, text } = await gateway.call('datastore_search', { resource_id: 't', filters: { doc: { gt: 1 } } });
    expect([status, text]).toEqual([409, expect.stringContaining('has no order for \\"gt\\" (field \\"doc\\")')]);
  });
});

describe.each(byName(engines().filter(({ client }) => client !== 'mysql')))('on %s', (_, engine) => {
  test('a document that jsonb cannot hold: PostgreSQL 16 passes over it, an older one says so', async () => {
    const database = await freshDatabase(engine);
    await database.exec(`CREATE TABLE t (id int PRIMARY KEY, doc json);
      INSERT INTO t VALUES (1, '"a\\u0000b"'), (2, '"\\ud800"'), (3, '1e200000'), (4, '1');`);
    const gateway = await startGateway({
      databases: { db: entry(database) },
      resources: { t: { database: 'db', table: 't', key: ['id'] } },
    });
    try {
      const [[version] = []] = await database.query('SHOW server_version_num');
      const { status, text } = await gateway.call('datastore_search', { resource_id: 't', filters: { doc: 1 } });
      const { result, error } = JSON.parse(text);
      expect([status, result?.total ?? error.filters]).toEqual(
        Number(version) >= 160_000 ? [200, 1] : [409, ['a value is no valid input for the type of "doc"']],
      );
    } finally {
      await gateway.close();
      await database.drop();
    }
  });
});
