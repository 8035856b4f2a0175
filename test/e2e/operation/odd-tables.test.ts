import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { type FreshDatabase, fewEngines, freshDatabase, servers } from '../../support/servers/engines.ts';

const access = { read: 'public', write: 'token' };
const wide = Array.from({ length: 500 }, (_, at) => `c${at}`);

const common = `
  CREATE TABLE base (id int PRIMARY KEY, name varchar(20) NOT NULL, secret varchar(20) DEFAULT 's');
  CREATE VIEW plain AS SELECT id, name FROM base WHERE id < 100;
  CREATE VIEW counted AS SELECT name, count(*) AS n FROM base GROUP BY name;
  CREATE TABLE wide (id int PRIMARY KEY, ${wide.map((name) => `${name} int`).join(', ')});
  CREATE TABLE nothing (id int PRIMARY KEY);
  CREATE TABLE "own id" (_id varchar(5) PRIMARY KEY, n int);
  CREATE TABLE keyless (a int, b varchar(5));
  CREATE TABLE named ("constructor" varchar(5) PRIMARY KEY, "toString" int, "$z" int, "a.b[0]" int, "x\\y" int);
  CREATE TABLE proto ("__proto__" int PRIMARY KEY, n int);
`;
const scripts = {
  mysql:
    common.replaceAll('"', '`') +
    'CREATE TABLE flags (a boolean, n int, b bit(1), PRIMARY KEY (a, n));' +
    'CREATE TABLE parted (id int PRIMARY KEY, n int) PARTITION BY RANGE (id) (PARTITION p1 VALUES LESS THAN (10), PARTITION p2 VALUES LESS THAN (100));',
  postgres: `${common}
    CREATE TABLE parted (id int PRIMARY KEY, n int) PARTITION BY RANGE (id);
    CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (0) TO (10);
    CREATE TABLE parted_2 PARTITION OF parted FOR VALUES FROM (10) TO (100);
    CREATE TABLE parent (id int PRIMARY KEY, n int);
    CREATE TABLE child (extra int) INHERITS (parent);
    INSERT INTO child VALUES (7, 70, 700);
    CREATE SCHEMA other;
    CREATE TABLE other.base (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text);
    INSERT INTO other.base (name) VALUES ('of the other schema');`,
};

describe.each(fewEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  const isMysql = engine.client === 'mysql';
  const hasInvisible = engine.name === 'mysql' || engine.name === 'mariadb';
  let database: FreshDatabase;
  let gateway: TestGateway;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    await database.exec(scripts[isMysql ? 'mysql' : 'postgres']);
    if (hasInvisible)
      await database.exec(`CREATE TABLE concealed (id int PRIMARY KEY, n int, secret varchar(9) INVISIBLE DEFAULT 's', more int INVISIBLE);
        CREATE TABLE counted_by_server (nr bigint AUTO_INCREMENT INVISIBLE PRIMARY KEY, n int);`);
    const resource = (table: string, more: Record<string, unknown> = {}) => ({
      database: 'db',
      table,
      access,
      ...more,
    });
    gateway = await startGateway({
      databases: { db: entry(database) },
      resources: {
        base: resource('base'),
        plain: resource('plain', { id: 'id', key: ['id'] }),
        counted: resource('counted', { key: ['name'] }),
        wide: resource('wide'),
        nothing: resource('nothing'),
        own: resource('own id'),
        keyless: resource('keyless'),
        named: resource('named'),
        proto: resource('proto'),
        parted: resource('parted'),
        ...(isMysql
          ? { flags: resource('flags') }
          : { parent: resource('parent'), other: resource('base', { schema: 'other' }) }),
        ...(hasInvisible
          ? {
              concealed: resource('concealed'),
              partly: resource('concealed', { columns: { more: { hidden: false } } }),
              counted_by_server: resource('counted_by_server'),
              numbered: resource('counted_by_server', { id: 'nr', columns: { nr: {} } }),
            }
          : {}),
      },
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });

  const records = async (resource_id: string, more: Record<string, unknown> = {}) =>
    (await gateway.result('datastore_search', { resource_id, ...more })).records;
  const write = (resource_id: string, method: string, ...list: unknown[]) =>
    gateway.call('datastore_upsert', { resource_id, method, records: list });
  const error = async (answer: Promise<{ status: number; text: string }>) => {
    const { status, text } = await answer;
    return [status, JSON.parse(text).error];
  };

  test('a view that the engine can write through is written through', async () => {
    expect((await write('plain', 'upsert', { id: 1, name: 'one' }, { id: 2, name: 'two' })).status).toBe(200);
    expect((await write('plain', 'update', { _id: 2, name: 'zwei' })).status).toBe(200);
    expect(await records('base')).toEqual([
      { _id: 1, id: 1, name: 'one', secret: 's' },
      { _id: 2, id: 2, name: 'zwei', secret: 's' },
    ]);
    await gateway.result('datastore_records_delete', { resource_id: 'plain', filters: { id: [1, 2] } });
    expect((await gateway.result('datastore_search', { resource_id: 'base' })).total).toBe(0);
  });

  test('a view that it cannot write through says so', async () => {
    const refused = [409, { table: ['the database cannot write to this table or view'], __type: 'Validation Error' }];
    expect(await error(write('counted', 'insert', { name: 'x', n: 1 }))).toEqual(refused);
    expect(await error(write('counted', 'upsert', { name: 'x', n: 1 }))).toEqual(refused);
    expect(
      await error(gateway.call('datastore_records_delete', { resource_id: 'counted', filters: { name: 'x' } })),
    ).toEqual(refused);
  });

  test.runIf(hasInvisible)('an invisible column is shown only where the configuration names it', async () => {
    expect((await write('concealed', 'upsert', { id: 1, n: 1 }, { id: 2, n: 2 })).status).toBe(200);
    expect(await records('concealed', { limit: 1 })).toEqual([{ _id: 1, id: 1, n: 1 }]);
    expect(await records('concealed', { q: 's' })).toEqual([]);
    for (const params of [{ fields: 'secret' }, { sort: 'secret' }, { filters: { secret: 's' } }])
      expect(await records('concealed', params).catch(String)).toMatch(/409/);
    expect(await records('partly', { limit: 1 })).toEqual([{ _id: 1, id: 1, n: 1, more: null }]);
    const dump = await fetch(`${gateway.url}/datastore/dump/concealed`);
    expect((await dump.text()).split(/\r?\n/)[0]).toBe('_id,id,n');

    expect((await write('counted_by_server', 'insert', { n: 5 }, { n: 5 })).status).toBe(200);
    const params = { resource_id: 'counted_by_server', limit: 1, include_next_page: true };
    const { records: first, next_page } = await gateway.result('datastore_search', params);
    expect(first).toEqual([{ n: 5 }]);
    expect((await gateway.result('datastore_search', { ...params, ...Object(next_page) })).records).toEqual([{ n: 5 }]);
    expect((await error(write('counted_by_server', 'update', { n: 6 })))[0]).toBe(409);
    expect(await records('numbered', { sort: 'nr' })).toEqual([1, 2].map((nr) => ({ _id: nr, nr, n: 5 })));
  });

  test('five hundred columns are read, searched and written', async () => {
    const record = { id: 1, ...Object.fromEntries(wide.map((name, at) => [name, at])) };
    expect((await write('wide', 'upsert', record, { ...record, id: 2, c499: null })).status).toBe(200);
    expect(await records('wide', { q: '499' })).toEqual([{ _id: 1, ...record, rank: 0.5 }]);
    const words = wide.slice(-16).map((name) => name.slice(1));
    expect(await records('wide', { q: words.join(' '), fields: 'id,rank' })).toEqual([{ id: 1, rank: 0.9411765 }]);
  });

  test('no rows are an answer', async () => {
    const { records: none, fields, total } = await gateway.result('datastore_search', { resource_id: 'nothing' });
    expect([none, fields, total]).toEqual([
      [],
      [
        { id: '_id', type: 'int' },
        { id: 'id', type: 'int4' },
      ],
      0,
    ]);
  });

  test('a column of the table that is called _id is shown as it is', async () => {
    expect((await write('own', 'upsert', { _id: 'a', n: 1 })).status).toBe(200);
    expect((await write('own', 'insert', { _id: 'b', n: 2 })).status).toBe(200);
    expect(await records('own', { sort: '_id desc' })).toEqual([
      { _id: 'b', n: 2 },
      { _id: 'a', n: 1 },
    ]);
  });

  test('a table without a key is read and inserted into, and says why no more', async () => {
    expect((await write('keyless', 'insert', { a: 1, b: 'x' }, { a: 1, b: 'x' })).status).toBe(200);
    expect(await error(write('keyless', 'upsert', { a: 1, b: 'y' }))).toEqual([
      409,
      {
        table: [
          'unique key must be passed for update/upsert: this table has none that is visible, so use method insert',
        ],
        __type: 'Validation Error',
      },
    ]);
    expect(await records('keyless', { filters: { _id: 1 } }).catch(String)).toMatch(/409.*Unknown field: _id/);
    await gateway.result('datastore_records_delete', { resource_id: 'keyless', filters: { a: 1 } });
    expect(await records('keyless')).toEqual([]);
  });

  test('columns may have the names of members of every object, and of the filter grammar', async () => {
    const record = { constructor: 'a', toString: 1, $z: 2, 'a.b[0]': 3, 'x\\y': 4 };
    expect((await write('named', 'upsert', record)).status).toBe(200);
    expect((await write('named', 'upsert', { ...record, toString: 5 })).status).toBe(200);
    const filters = { constructor: 'a', toString: 5, $$z: 2, 'a.b[0]': { gt: 2 }, 'x\\y': [4] };
    expect(await records('named', { filters, sort: 'toString, "a.b[0]" desc' })).toEqual([{ ...record, toString: 5 }]);
    expect(await error(gateway.call('datastore_search', { resource_id: 'named', filters: { $z: 2 } }))).toEqual([
      409,
      {
        filters: ['Unknown operators (must be one of $or, $and): $z; a field of this name is written "$$z"'],
        __type: 'Validation Error',
      },
    ]);
  });

  test('a key called __proto__ is shown as _id alone', async () => {
    expect((await write('proto', 'upsert', { _id: 1, n: 2 })).status).toBe(200);
    expect(await records('proto', { sort: '_id desc' })).toEqual([{ _id: 1, n: 2 }]);
    expect(await (await fetch(`${gateway.url}/datastore/dump/proto`)).text()).toBe('_id,n\n1,2\n');
  });

  test('partitions are one table', async () => {
    expect((await write('parted', 'upsert', { id: 5, n: 1 }, { id: 50, n: 2 })).status).toBe(200);
    expect((await write('parted', 'upsert', { id: 50, n: 3 })).status).toBe(200);
    expect(await records('parted', { fields: 'id,n' })).toEqual([
      { id: 5, n: 1 },
      { id: 50, n: 3 },
    ]);
  });

  test.runIf(isMysql)('a BOOLEAN takes true and false, and shows 1 and 0', async () => {
    const rows = [
      { a: true, n: 1, b: 'T' },
      { a: 'no', n: 2, b: false },
      { a: 7, n: 3, b: null },
    ];
    expect((await write('flags', 'insert', ...rows)).status).toBe(200);
    expect((await write('flags', 'upsert', { a: 'TRUE', n: 1, b: 'yes' }, { a: false, n: 9, b: 'f' })).status).toBe(
      200,
    );
    expect((await write('flags', 'update', { a: 'f', n: 2, b: true })).status).toBe(200);
    expect(await records('flags')).toEqual([
      { a: 0, n: 2, b: 1 },
      { a: 0, n: 9, b: 0 },
      { a: 1, n: 1, b: 1 },
      { a: 7, n: 3, b: null },
    ]);
    const found = (filters: object) => records('flags', { filters, sort: 'n', fields: 'n', records_format: 'csv' });
    expect(await found({ a: true })).toBe('1\n');
    expect(await found({ a: [true, 'FALSE'] })).toBe('1\n2\n9\n');
    expect(await found({ a: { ne: 't' } })).toBe('2\n3\n9\n');
    expect(await found({ a: { nin: [true, false] } })).toBe('3\n');
    expect(await found({ a: { gt: false } })).toBe('1\n3\n');
    expect(await found({ a: { lte: true } })).toBe('1\n2\n9\n');
    expect(await found({ b: { eq: 'True' } })).toBe('1\n2\n');
    expect(await found({ b: { gte: true } })).toBe('1\n2\n');
    const csv = await fetch(`${gateway.url}/datastore/dump/flags?filters={"a":true}`);
    expect(await csv.text()).toBe('a,n,b\n1,1,1\n');
    await gateway.result('datastore_records_delete', { resource_id: 'flags', filters: { a: 'FALSE' } });
    expect(await found({})).toBe('1\n3\n');
  });

  test.skipIf(isMysql)(
    'an inherited table shows its children, and tables of one name in two schemas are not confused',
    async () => {
      expect(await records('parent', { fields: 'id,n' })).toEqual([{ id: 7, n: 70 }]);
      expect(await records('other')).toEqual([{ _id: 1, id: 1, name: 'of the other schema' }]);
    },
  );

  test.runIf(engine.name === 'postgres')(
    'a key that two tables of one family have is not taken for one record',
    async () => {
      await database.exec('INSERT INTO parent VALUES (7, 1)');
      expect(await error(write('parent', 'upsert', { id: 7, n: 5 }))).toEqual([
        409,
        expect.objectContaining({ key: [expect.stringContaining('not unique')] }),
      ]);
      expect(await records('parent', { fields: 'n', sort: 'n' })).toEqual([{ n: 1 }, { n: 70 }]);
    },
  );

  test.skipIf(isMysql)('an identity that is always generated finds a record and is never written', async () => {
    expect((await write('other', 'update', { id: 1, name: 'renamed' })).status).toBe(200);
    expect((await write('other', 'upsert', { _id: 1, name: 'again' })).status).toBe(200);
    expect((await write('other', 'insert', { name: 'second' })).status).toBe(200);
    const readOnly = (row: number, field: string) => [
      409,
      {
        records: [`column "${field}" is read-only`],
        records_row: row,
        records_field: field,
        __type: 'Validation Error',
      },
    ];
    expect(await error(write('other', 'insert', { id: 9, name: 'x' }))).toEqual(readOnly(0, 'id'));
    expect(await error(write('other', 'upsert', { id: 1, name: 'lost' }, { id: 9, name: 'x' }))).toEqual(
      readOnly(1, 'id'),
    );
    expect(await records('other', { fields: 'name' })).toEqual([{ name: 'again' }, { name: 'second' }]);
  });
});

describe.each(servers().map((engine) => [engine.name, engine] as const))('as a restricted user of %s', (_, engine) => {
  let database: FreshDatabase;
  let gateway: TestGateway;
  const isMysql = engine.client === 'mysql';
  const user = `gw_reader_${process.pid}`;

  beforeAll(async () => {
    const fresh = await freshDatabase(engine);
    database = fresh;
    const url = new URL(fresh.url);
    await database.exec(
      "CREATE TABLE t (id int PRIMARY KEY, name varchar(20)); INSERT INTO t VALUES (1, 'one'), (2, 'two');",
    );
    const name = decodeURIComponent(url.pathname.slice(1));
    await database.exec(
      isMysql
        ? `CREATE USER '${user}'@'%' IDENTIFIED BY 'p@ss/w#rd'; GRANT SELECT ON \`${name}\`.* TO '${user}'@'%';`
        : `CREATE ROLE ${user} LOGIN PASSWORD 'p@ss/w#rd'; GRANT SELECT ON t TO ${user};
           CREATE TABLE rows (id int PRIMARY KEY, owner text); INSERT INTO rows VALUES (1, '${user}'), (2, 'somebody');
           ALTER TABLE rows ENABLE ROW LEVEL SECURITY; GRANT ALL ON rows TO ${user};
           CREATE POLICY own ON rows USING (owner = current_user);`,
    );
    gateway = await startGateway({
      databases: {
        db: {
          client: engine.client,
          connection: { host: url.hostname, port: Number(url.port), user, password: 'p@ss/w#rd', database: name },
        },
      },
      resources: {
        t: { database: 'db', table: 't', access },
        ...(isMysql ? {} : { rows: { database: 'db', table: 'rows', access } }),
      },
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.exec(isMysql ? `DROP USER '${user}'@'%'` : `DROP OWNED BY ${user}; DROP ROLE ${user}`);
    await database?.drop();
  });

  test('reads are fine and writes are 403', async () => {
    expect((await gateway.result('datastore_search', { resource_id: 't', q: 'one' })).total).toBe(1);
    const denied = JSON.stringify({
      message: 'Access denied: the gateway has no right to do this to resource t',
    }).slice(1);
    for (const method of ['insert', 'update', 'upsert']) {
      const answer = await gateway.call('datastore_upsert', {
        resource_id: 't',
        method,
        records: [{ id: 1, name: 'x' }],
      });
      expect([method, answer.status, answer.text.includes(denied)]).toEqual([method, 403, true]);
    }
    const answer = await gateway.call('datastore_records_delete', { resource_id: 't', filters: { id: 1 } });
    expect([answer.status, answer.text.includes(denied)]).toEqual([403, true]);
  });

  test.skipIf(isMysql)('row-level security shows and writes only what it allows', async () => {
    expect((await gateway.result('datastore_search', { resource_id: 'rows' })).records).toEqual([
      { _id: 1, id: 1, owner: user },
    ]);
    const insert = (owner: string) =>
      gateway.call('datastore_upsert', { resource_id: 'rows', method: 'insert', records: [{ id: 3, owner }] });
    expect((await insert('somebody')).status).toBe(403);
    expect((await insert(user)).status).toBe(200);
    // A row-level policy hides the existing record, so its key cannot be used. The error must not reveal its values.
    const hidden = await gateway.call('datastore_upsert', { resource_id: 'rows', records: [{ id: 2, owner: user }] });
    expect([hidden.status, hidden.text.includes('duplicate key value')]).toEqual([409, true]);
  });
});
