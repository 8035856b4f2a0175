import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { type Engine, type FreshDatabase, fewEngines, freshDatabase } from '../../support/servers/engines.ts';

const access = { read: 'token', write: 'token', deleteAll: true };

/** Collations in which different texts are equal; PGlite has none. */
const folding: Partial<Record<Engine['name'], readonly string[]>> = {
  postgres: ['citext', 'varchar(40) COLLATE folds'],
  mariadb: ['general_ci', 'unicode_ci', 'bin', 'uca1400_ai_ci'].map(
    (name) => `varchar(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_${name}`,
  ),
  mysql: ['general_ci', '0900_ai_ci', '0900_as_cs'].map(
    (name) => `varchar(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_${name}`,
  ),
  mysql56: [
    'varchar(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci',
    'varchar(40) CHARACTER SET latin1',
    'char(20) CHARACTER SET utf8mb4',
  ],
};
const preparation: Partial<Record<Engine['name'], string>> = {
  postgres: `CREATE EXTENSION citext; CREATE COLLATION folds (provider = icu, locale = 'und-u-ks-level1', deterministic = false);`,
};

describe.each(fewEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  const types = folding[engine.name] ?? [];
  let database: FreshDatabase;
  let gateway: TestGateway;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    await database.exec(preparation[engine.name] ?? 'SELECT 1');
    const texts = types.map((type, nth) => `CREATE TABLE by_text${nth} (k ${type} PRIMARY KEY, n int)`);
    await database.exec(
      [
        ...texts,
        `CREATE TABLE by_equal (k ${engine.client === 'mysql' ? 'varchar(6) COLLATE utf8mb4_general_ci' : 'char(6)'} PRIMARY KEY, n int, m int)`,
        "CREATE TABLE plain (k int PRIMARY KEY, u varchar(20), a int, b varchar(20) DEFAULT 'usual', UNIQUE (u))",
      ].join(';\n'),
    );
    const others = engine.client === 'mysql' ? [] : ['array', 'document', 'range'];
    if (others.length > 0)
      await database.exec(`CREATE TABLE by_array (k int[] PRIMARY KEY, n int); CREATE TABLE by_document (k jsonb PRIMARY KEY, n int);
        CREATE TABLE by_range (k int4range PRIMARY KEY, n int)`);
    gateway = await startGateway({
      databases: { db: entry(database) },
      resources: Object.fromEntries(
        ['plain', 'by_equal', ...types.map((_type, nth) => `by_text${nth}`), ...others.map((name) => `by_${name}`)].map(
          (table) => [table, { database: 'db', table, access }],
        ),
      ),
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });
  const stored = async (resource_id = 'plain', fields = 'k,u,a,b') =>
    (await gateway.result('datastore_search', { resource_id, fields, sort: resource_id === 'plain' ? 'k' : 'n' }))
      .records;
  const write = async (method: string, records: readonly object[], resource_id = 'plain') => {
    const { status, text } = await gateway.call('datastore_upsert', { resource_id, method, records });
    return status === 200 ? 200 : { status, ...JSON.parse(text).error };
  };

  describe('one call acts as its records in sequence', () => {
    beforeEach(async () => {
      await gateway.result('datastore_records_delete', { resource_id: 'plain', filters: {} });
      expect(
        await write('insert', [
          { k: 1, u: 'a', a: 1 },
          { k: 2, u: 'b', a: 2, b: 'x' },
        ]),
      ).toBe(200);
    });
    const [one, two] = [
      { k: 1, u: 'a', a: 1, b: 'usual' },
      { k: 2, u: 'b', a: 2, b: 'x' },
    ];

    test('the same key twice in an upsert is an insert and its update', async () => {
      expect(
        await write('upsert', [
          { k: 9, a: 1 },
          { k: 9, b: 'later' },
          { k: 1, a: 7 },
          { k: 9, a: 3 },
          { k: 1, b: null },
        ]),
      ).toBe(200);
      expect(await stored()).toEqual([{ ...one, a: 7, b: null }, two, { k: 9, u: null, a: 3, b: 'later' }]);
    });

    test('the same key twice in an update is two updates; in an insert it is a duplicate', async () => {
      expect(
        await write('update', [
          { k: 1, a: 5 },
          { k: 2, a: 6 },
          { k: 1, a: 8, b: 'y' },
        ]),
      ).toBe(200);
      expect(await stored()).toEqual([
        { ...one, a: 8, b: 'y' },
        { ...two, a: 6 },
      ]);
      expect(await write('insert', [{ k: 9 }, { k: 8 }, { k: 9 }])).toMatchObject({ status: 409, records_row: 2 });
      expect(await stored()).toHaveLength(2);
    });

    test('records of different shapes keep what they do not name', async () => {
      expect(
        await write('upsert', [
          { k: 1, a: 10 },
          { k: 2 },
          { k: 3 },
          { k: 4, u: 'd' },
          { k: 5, b: null },
          { u: 'z', k: 1 },
        ]),
      ).toBe(200);
      expect(await stored()).toEqual([
        { ...one, a: 10, u: 'z' },
        two,
        { k: 3, u: null, a: null, b: 'usual' },
        { k: 4, u: 'd', a: null, b: 'usual' },
        { k: 5, u: null, a: null, b: null },
      ]);
      expect(await write('insert', [{ k: 6, a: 1 }, { a: 2, k: 7, b: 'q' }, { k: 8 }])).toBe(200);
      expect(await stored('plain', 'k,a,b')).toEqual(
        expect.arrayContaining([
          { k: 7, a: 2, b: 'q' },
          { k: 8, a: null, b: 'usual' },
        ]),
      );
    });

    test('another unique key never turns an insert into an update', async () => {
      const refused = { status: 409, records: ['duplicate key value violates unique constraint on "u"'] };
      for (const records of [
        [{ k: 3, u: 'a', a: 9 }],
        [
          { k: 4, u: 'd' },
          { k: 3, u: 'a', a: 9 },
        ],
        [{ k: 2, u: 'a' }],
        [
          { k: 1, u: 'c' },
          { k: 2, u: 'c' },
        ],
      ])
        for (const method of ['upsert', 'insert', 'update'])
          expect(await write(method, records)).toMatchObject(method === 'upsert' ? refused : { status: 409 });
      expect(await stored()).toEqual([one, two]);
    });

    test('a unique value that one record gives up is free for the next', async () => {
      expect(
        await write('upsert', [
          { k: 1, u: 'c' },
          { k: 2, u: 'a' },
          { k: 0, u: 'b' },
        ]),
      ).toBe(200);
      expect(await stored('plain', 'k,u')).toEqual([
        { k: 0, u: 'b' },
        { k: 1, u: 'c' },
        { k: 2, u: 'a' },
      ]);
      expect(
        await write('update', [
          { k: 1, u: 'a' },
          { k: 2, u: 'c' },
        ]),
      ).toMatchObject({ status: 409, records_row: 0 });
      expect(await stored('plain', 'k,u')).toEqual([
        { k: 0, u: 'b' },
        { k: 1, u: 'c' },
        { k: 2, u: 'a' },
      ]);
    });
  });

  test.runIf(engine.client !== 'mysql').each([
    ['array', [[1, 20]], [[1, 21]], 200, '{{1,20}}'],
    ['document', { b: [1.5, null], aa: '{' }, { b: [1.5], aa: '{' }, 409, { aa: '{', b: [1.5, null] }],
    ['range', '[1,5)', '[1,6)', 409, '[1,4]'],
  ] as const)('a key of type %s is that of its record', async (name, k, other, status, spelling) => {
    const resource_id = `by_${name}`;
    expect(await write('insert', [{ k, n: 1 }], resource_id)).toBe(200);
    for (const method of ['upsert', 'update']) expect(await write(method, [{ k, n: 2 }], resource_id)).toBe(200);
    const both = [
      { k: other, n: 4 },
      { k, n: 3 },
    ];
    const { records } = await gateway.result('datastore_upsert', { resource_id, records: both, include_records: true });
    expect(records).toEqual(both);
    expect(await stored(resource_id, 'k,n')).toEqual([...both].reverse());
    // The server considers both values equal. Only it can know that for a range, or for a document with members in another order.
    const answer = await write('upsert', [{ k: spelling, n: 5 }], resource_id);
    if (status === 200) expect(answer).toBe(200);
    else expect(answer).toMatchObject({ status, key: [expect.stringMatching(/in another spelling: send it as/)] });
  });

  test('two new keys of a call that are equal on the server are no conflict with another writer', async () => {
    const equal = engine.client === 'mysql' ? 'C' : 'c ';
    const records = [
      { k: 'b', n: 1 },
      { k: 'c', m: 1 },
      { k: 'd', n: 1 },
      { k: equal, n: 1 },
    ];
    expect(await write('upsert', records, 'by_equal')).toMatchObject({
      ...{ status: 409, records_row: 3 },
      key: [expect.stringMatching(/in another spelling/)],
    });
  });

  describe.each(types.map((type, nth) => [type, `by_text${nth}`] as const))(
    'a key of type %s',
    (_type, resource_id) => {
      // Inserted once: every test leaves the records as they were.
      beforeAll(async () => {
        expect(
          await write(
            'insert',
            [
              { k: 'Straße', n: 1 },
              { k: 'abc', n: 2 },
            ],
            resource_id,
          ),
        ).toBe(200);
      });
      const whole = [
        { k: 'Straße', n: 1 },
        { k: 'abc', n: 2 },
      ];

      test.each(['ABC', 'ábc', 'abc ', 'abc\t', 'ａｂｃ', 'STRASSE', 'straße'])(
        '%j is never the record it resembles',
        async (k) => {
          expect(await write('update', [{ k, n: 9 }], resource_id)).toMatchObject({ status: 409 });
          expect(
            await write(
              'update',
              [
                { k: 'abc', n: 9 },
                { k, n: 9 },
              ],
              resource_id,
            ),
          ).toMatchObject({ status: 409, records_row: 1 });
          for (const method of ['upsert', 'insert']) {
            for (const records of [
              [{ k, n: 3 }],
              [
                { k: 'other', n: 4 },
                { k, n: 3 },
              ],
            ]) {
              const answer = await write(method, records, resource_id);
              // If the collation distinguishes both spellings, this is a new record; if not, it is refused and named.
              if (answer === 200)
                expect(await stored(resource_id, 'k,n')).toEqual([...whole, { k, n: 3 }, ...records.slice(0, -1)]);
              else {
                expect(answer).toMatchObject({ status: 409, records_row: records.length - 1 });
                expect(await stored(resource_id, 'k,n')).toEqual(whole);
              }
              await gateway.result('datastore_records_delete', { resource_id, filters: { k: [k, 'other'] } });
              expect(await stored(resource_id, 'k,n')).toEqual(whole);
            }
          }
        },
      );

      test('two new keys that resemble each other are two records or none', async () => {
        for (const method of ['upsert', 'insert']) {
          const records = [
            { k: 'new', n: 3 },
            { k: 'more', n: 4 },
            { k: 'NEW', n: 5 },
          ];
          const answer = await write(method, records, resource_id);
          if (answer === 200) expect(await stored(resource_id, 'k,n')).toEqual([...whole, ...records]);
          else {
            expect(answer).toMatchObject({ status: 409, records_row: 2 });
            expect(await stored(resource_id, 'k,n')).toEqual(whole);
          }
          await gateway.result('datastore_records_delete', { resource_id, filters: { k: ['new', 'more', 'NEW'] } });
        }
      });
    },
  );
});
