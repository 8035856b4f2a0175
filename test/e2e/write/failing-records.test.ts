import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { type FreshDatabase, fewEngines, freshDatabase } from '../../support/servers/engines.ts';

interface Failure {
  readonly name: string;
  /** Members that make a valid record fail. */
  readonly with: object;
  readonly methods: readonly string[];
  readonly says: Readonly<Record<string, unknown>>;
}
const all = ['insert', 'update', 'upsert'];
const text = (says: string) => ({ records: [expect.stringContaining(says)] });

/** Every way in which a record can be refused, by us or by the server. */
const failures: readonly Failure[] = [
  {
    name: 'a duplicate of another unique key',
    with: { u: 'taken' },
    methods: all,
    says: { ...text('duplicate key value violates unique constraint on "u"'), records_field: 'u' },
  },
  {
    name: 'a null where none may be',
    with: { must: null },
    methods: all,
    says: { ...text('null value in column "must"'), records_field: 'must' },
  },
  {
    name: 'a reference to nothing',
    with: { parent: 99 },
    methods: all,
    says: { ...text('violates foreign key constraint on "parent": '), records_field: 'parent' },
  },
  {
    name: 'a duplicate of a unique key of two columns',
    with: { x: 1, y: 1 },
    methods: all,
    says: { ...text('violates unique constraint on "x, y"'), records_field: ['x', 'y'] },
  },
  {
    name: 'a reference of two columns to nothing',
    with: { x: 8, y: 9 },
    methods: all,
    says: { ...text('violates foreign key constraint on "x, y": '), records_field: ['x', 'y'] },
  },
  { name: 'a failed check', with: { positive: -1 }, methods: all, says: text('new row violates check constraint') },
  {
    name: 'a text too long',
    with: { must: 'x'.repeat(21) },
    methods: all,
    says: { ...text('value too long for type character varying(20)'), records_field: 'must' },
  },
  {
    name: 'a value of another type',
    with: { positive: 'many' },
    methods: all,
    says: { ...text('invalid input syntax for type integer: "many"'), records_field: 'positive' },
  },
  {
    name: 'a number out of range',
    with: { positive: 2 ** 31 },
    methods: all,
    says: { ...text('out of range for type integer'), records_field: 'positive' },
  },
  {
    name: 'an unknown column',
    with: { nope: 1 },
    methods: ['update', 'upsert'],
    says: { fields: ['fields "nope" do not exist, did you mean "note"?'] },
  },
  {
    name: 'a key that is not there',
    with: { id: 7777 },
    methods: ['update'],
    says: { key: [`key "{'id': '7777'}" not found`] },
  },
  {
    name: 'a key that is there',
    with: { id: 1 },
    methods: ['insert'],
    says: { ...text('duplicate key value violates unique constraint on "id"'), records_field: 'id' },
  },
];

const ddl = (product: 'postgres' | 'mysql') => {
  const end = product === 'mysql' ? ' CHARACTER SET utf8mb4' : '';
  return `
  CREATE TABLE parents (id int PRIMARY KEY)${end};
  INSERT INTO parents VALUES (1);
  CREATE TABLE pairs (x int, y int, PRIMARY KEY (x, y))${end};
  INSERT INTO pairs VALUES (1, 1);
  CREATE TABLE records (id int PRIMARY KEY, u varchar(20), must varchar(20) NOT NULL, parent int, positive int, note text,
    x int, y int, CONSTRAINT one_x_y UNIQUE (x, y), CONSTRAINT of_pair FOREIGN KEY (x, y) REFERENCES pairs (x, y),
    CONSTRAINT one_u UNIQUE (u), CONSTRAINT of_parent FOREIGN KEY (parent) REFERENCES parents (id), CONSTRAINT is_positive CHECK (positive > 0))${end};`;
};
/** MySQL 5.6 parses CHECK constraints but ignores them. */
const checks = (engine: string, failure: Failure) => engine !== 'mysql56' || failure.name !== 'a failed check';

describe.each(fewEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  let database: FreshDatabase;
  let gateway: TestGateway;
  const access = { read: 'token', write: 'token', deleteAll: true };
  const hasLanguages = engine.name === 'mariadb' || engine.name === 'mysql56';
  beforeAll(async () => {
    database = await freshDatabase(engine);
    // This affects all later sessions, so not on the server of `TEST_MYSQL_URL`, which may have other users.
    if (hasLanguages) await database.exec("SET GLOBAL lc_messages = 'de_DE'");
    await database.exec(ddl(engine.client === 'mysql' ? 'mysql' : 'postgres'));
    gateway = await startGateway({
      databases: { db: entry(database) },
      resources: { r: { database: 'db', table: 'records', access }, p: { database: 'db', table: 'parents', access } },
    });
    // Inserted once, because each test checks that nothing has changed.
    const records = [
      { ...good(1), u: 'taken', x: 1, y: 1 },
      ...Array.from({ length: 20 }, (_, nth) => good(100 + nth)),
    ];
    await gateway.result('datastore_upsert', { resource_id: 'r', method: 'insert', records });
  });
  afterAll(async () => {
    await gateway?.close();
    if (hasLanguages) await database?.exec("SET GLOBAL lc_messages = 'en_US'");
    await database?.drop();
  });
  const all = async () =>
    (await gateway.result('datastore_search', { resource_id: 'r', limit: 100, fields: ['id', 'u', 'must', 'note'] }))
      .records;
  const good = (id: number) => ({ id, u: `u${id}`, must: 'good', parent: 1, positive: 1 });

  for (const failure of failures.filter((one) => checks(engine.name, one))) {
    test.each(failure.methods)(`${failure.name} undoes the whole call and is named (%s)`, async (method) => {
      const before = await all();
      // For an upsert, existing and new records alternate.
      const ids = Array.from(
        { length: 20 },
        (_, nth) => (method === 'insert' || (method === 'upsert' && nth % 2 === 1) ? 2000 : 100) + nth,
      );
      for (const row of [0, 11, 19]) {
        const records = ids.map((id, nth) => ({ ...good(id), note: 'written', ...(nth === row ? failure.with : {}) }));
        const answer = await gateway.call('datastore_upsert', { resource_id: 'r', method, records });
        expect([row, answer.status, JSON.parse(answer.text).error]).toEqual([
          row,
          409,
          { ...failure.says, records_row: row, __type: 'Validation Error' },
        ]);
        expect(await all()).toEqual(before);
      }
      // In a call of its own the record fails with the same error.
      const [id = 0] = ids;
      const alone = await gateway.call('datastore_upsert', {
        resource_id: 'r',
        method,
        records: [{ ...good(id), ...failure.with }],
      });
      expect([alone.status, JSON.parse(alone.text).error]).toEqual([
        409,
        { ...failure.says, records_row: 0, __type: 'Validation Error' },
      ]);
      expect(await all()).toEqual(before);
    });
  }

  test('of two failing records the first is named, wherever their keys stand', async () => {
    const before = await all();
    for (const method of ['insert', 'upsert']) {
      for (const [first, second] of [
        [3000, 2000],
        [2000, 3000],
      ] as const) {
        const records = [
          good(2500),
          { ...good(first), parent: 99 },
          good(2600),
          { ...good(second), u: 'taken' },
          good(1999),
        ];
        const answer = await gateway.call('datastore_upsert', { resource_id: 'r', method, records });
        expect([answer.status, JSON.parse(answer.text).error]).toEqual([
          409,
          { ...text('foreign key'), records_row: 1, records_field: 'parent', __type: 'Validation Error' },
        ]);
        expect(await all()).toEqual(before);
      }
    }
  });

  test('a record that fails in the second statement undoes the first, and is named by its place in the call', async () => {
    const before = await all();
    const records = Array.from({ length: 1500 }, (_, nth) => ({
      ...good(10_000 + nth),
      ...(nth === 1200 ? { u: 'taken' } : {}),
    }));
    for (const method of ['insert', 'upsert']) {
      const answer = await gateway.call('datastore_upsert', { resource_id: 'r', method, records });
      expect([answer.status, JSON.parse(answer.text).error.records_row]).toEqual([409, 1200]);
      expect(await all()).toEqual(before);
    }
  });

  test('an insert names all keys that a record has too many, counted from one', async () => {
    const records = [good(5000), { ...good(5001), bad: 1, worse: 2 }];
    const answer = await gateway.call('datastore_upsert', { resource_id: 'r', method: 'insert', records });
    expect([answer.status, JSON.parse(answer.text).error]).toEqual([
      409,
      { records: ['row "2" has extra keys "bad, worse"'], records_row: 1, __type: 'Validation Error' },
    ]);
  });

  test('a delete that a reference forbids deletes nothing', async () => {
    const answer = await gateway.call('datastore_records_delete', { resource_id: 'p', filters: { id: 1 } });
    expect([answer.status, JSON.parse(answer.text).error]).toMatchObject([409, text('still refers to this one')]);
    expect((await gateway.result('datastore_search', { resource_id: 'p' })).total).toBe(1);
  });
});
