/** datastore_search_sql through the gateway: its answers, refusals and limits, and how they are cached. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fetched, fetched } from '../../support/fetched.ts';
import { entry, startGateway, type TestGateway, token } from '../../support/gateway.ts';
import { byName, type FreshDatabase, freshDatabase, servers } from '../../support/servers/engines.ts';

const longest = 'y'.repeat(1500);

/** The tables. `many` has 2,000 equal values, so that a join of it with itself is slow. */
const tables = (isMysql: boolean) => `
  CREATE TABLE sale (id int PRIMARY KEY, region varchar(20), price decimal(8, 2), big bigint, secret int${
    isMysql ? ', flag tinyint' : ', flag boolean'
  });
  INSERT INTO sale VALUES (1, 'north', 10.50, 9223372036854775807, 7, ${isMysql ? '1' : 'true'}),
    (2, 'south', 2.25, 1, 8, ${isMysql ? '0' : 'false'}), (3, 'north', NULL, NULL, NULL, NULL);
  CREATE TABLE region (code varchar(20) PRIMARY KEY, title varchar(40));
  INSERT INTO region VALUES ('north', 'The North'), ('west', 'The West');
  CREATE TABLE third (id int PRIMARY KEY, n int, word varchar(5));
  CREATE TABLE many (id int PRIMARY KEY, k int, note varchar(2000));
  INSERT INTO many SELECT n, 1, 'x' FROM (${numbers(2000)}) AS numbers;
  CREATE TABLE moving (id int PRIMARY KEY, a int);
  INSERT INTO moving VALUES (1, 5);
  CREATE TABLE odd (id int PRIMARY KEY, yes int);
  INSERT INTO odd VALUES (1, 1), (2, 5);
  CREATE TABLE secretive (id int PRIMARY KEY, yes int);
  INSERT INTO secretive VALUES (2, 777);`;

/** A query for the numbers below `count`, that every engine has. */
function numbers(count: number): string {
  const digit = Array.from({ length: 10 }, (_, n) => `SELECT ${n} AS d`).join(' UNION ALL ');
  const places = [1, 10, 100, 1000];
  const sum = places.map((place, nth) => `p${nth}.d * ${place}`).join(' + ');
  return `SELECT ${sum} AS n FROM ${places.map((_, nth) => `(${digit}) AS p${nth}`).join(', ')} WHERE ${sum} < ${count}`;
}

describe.each(byName(servers()))('on %s', (_, engine) => {
  const isMysql = engine.client === 'mysql';
  let database: FreshDatabase;
  let other: FreshDatabase;
  let gateway: TestGateway;
  const access = { read: 'public', write: 'token', sql: true };
  const configuration = (more: object = {}) => ({
    databases: { db: entry(database), other: entry(other) },
    cache: { ttl: '1h' },
    resources: {
      sales: {
        ...{ database: 'db', table: 'sale', access, aliases: ['turnover', 'a b'] },
        columns: { secret: { hidden: true }, ...(isMysql ? { flag: { boolean: true } } : {}) },
      },
      regions: { database: 'db', table: 'region', access },
      thirds: { database: 'db', table: 'third', access },
      many: { database: 'db', table: 'many', access },
      moving: { database: 'db', table: 'moving', access },
      odds: { database: 'db', table: 'odd', access, columns: isMysql ? { yes: { boolean: true } } : {} },
      secrets: { database: 'db', table: 'secretive', access, columns: { yes: { hidden: true } } },
      closed: { database: 'db', table: 'sale', access: { ...access, read: 'token' } },
      plain: { database: 'db', table: 'sale', access: { read: 'public' } },
      elsewhere: { database: 'other', table: 'region', access },
    },
    ...more,
  });
  beforeAll(async () => {
    [database, other] = await Promise.all([freshDatabase(engine), freshDatabase(engine)]);
    await database.exec(tables(isMysql));
    await other.exec('CREATE TABLE region (code varchar(20) PRIMARY KEY, title varchar(40))');
    gateway = await startGateway(configuration());
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
    await other?.drop();
  });

  const get = (sql: string, headers: Readonly<Record<string, string>> = {}): Promise<Fetched> =>
    fetched(`${gateway.url}/api/3/action/datastore_search_sql?${new URLSearchParams({ sql })}`, headers);
  /** The result, or the error without its type behind the status. */
  const ask = async (sql: string, as: string | null = token) => {
    const { status, text } = await gateway.call('datastore_search_sql', { sql }, as);
    const { success, result, error } = JSON.parse(text);
    if (success) return result;
    const { __type, ...rest } = error;
    return [status, rest];
  };
  const records = async (sql: string) => (await ask(sql)).records;
  const cached = async (sql: string, headers = {}) => {
    const { headers: got, body } = await get(sql, headers);
    return [got['x-cache'], JSON.parse(body.toString()).result.records];
  };
  const put = (resource_id: string, record: object) =>
    gateway.result('datastore_upsert', { resource_id, method: 'upsert', records: [record] });

  test('an answer has the SQL, the fields and the records', async () => {
    const sql = 'SELECT *, price * 2 FROM "sales" ORDER BY id -- all;';
    expect(await ask(sql)).toEqual({
      sql,
      fields: [
        { id: '_id', type: 'int' },
        { id: 'id', type: 'int4' },
        { id: 'region', type: 'text' },
        { id: 'price', type: 'numeric' },
        { id: 'big', type: 'int8' },
        { id: 'flag', type: 'bool' },
        { id: '?column?', type: 'numeric' },
      ],
      records: [
        { _id: 1, id: 1, region: 'north', price: 10.5, big: Number('9223372036854775807'), flag: true, '?column?': 21 },
        { _id: 2, id: 2, region: 'south', price: 2.25, big: 1, flag: false, '?column?': 4.5 },
        { _id: 3, id: 3, region: 'north', price: null, big: null, flag: null, '?column?': null },
      ],
    });
  });

  test('numbers have all their digits', async () => {
    const { text } = await gateway.call('datastore_search_sql', { sql: 'SELECT big, price FROM sales WHERE id = 1' });
    expect(text).toContain('"records":[{"big":9223372036854775807,"price":10.50}]');
  });

  test('GET, a form and POST have the same answer', async () => {
    const sql = 'SELECT region, count(*) AS n FROM sales GROUP BY region ORDER BY n DESC';
    const answers = await Promise.all([
      get(sql).then(({ body }) => body.toString()),
      gateway.call('datastore_search_sql', { sql }).then(({ text }) => text),
      fetch(`${gateway.url}/api/action/datastore_search_sql`, {
        method: 'POST',
        body: new URLSearchParams({ sql }),
      }).then((answer) => answer.text()),
    ]);
    expect(new Set(answers.map((text) => JSON.stringify(JSON.parse(text).result))).size).toBe(1);
    expect(JSON.parse(answers[0]).result.records).toEqual([
      { region: 'north', n: 2 },
      { region: 'south', n: 1 },
    ]);
  });

  test("the example of CKAN's dialog", async () => {
    expect(await records(`SELECT * from "regions" WHERE title LIKE 'The N%'`)).toEqual([
      { code: 'north', title: 'The North' },
    ]);
    expect(await ask(`SELECT * from "regions" WHERE title LIKE 'jones'`)).toMatchObject({ records: [] });
  });

  test('names that repeat get a number', async () => {
    const sql = 'SELECT s.id, s.id, r.title AS id, count(*) AS n FROM sales s JOIN regions r ON s.region = r.code';
    expect(await records(`${sql} GROUP BY s.id, r.title ORDER BY 1`)).toEqual([
      { id: 1, id_1: 1, id_2: 'The North', n: 1 },
      { id: 3, id_1: 3, id_2: 'The North', n: 1 },
    ]);
  });

  test('a resource is named by its id or an alias', async () => {
    const join = 'SELECT count(*) AS n FROM turnover AS t JOIN "a b" AS u ON t.id = u.id JOIN sales ON sales.id = u.id';
    expect(await records(join)).toEqual([{ n: 3 }]);
  });

  test('records above limits.rowsMax are left out', async () => {
    await gateway.reload(configuration({ limits: { rowsMax: 2, rowsDefault: 2 } }));
    const shown = async (sql: string) => {
      const { records, records_truncated } = await ask(sql);
      return [records.length, records_truncated];
    };
    expect(await shown('SELECT id FROM sales')).toEqual([2, true]);
    expect(await shown('SELECT id FROM sales LIMIT 3')).toEqual([2, true]);
    expect(await shown('SELECT id FROM sales LIMIT 2')).toEqual([2, undefined]);
    expect(await shown('SELECT id FROM sales OFFSET 1')).toEqual([2, undefined]);
    await gateway.reload(configuration());
  });

  test('rights are checked before any name of a column', async () => {
    for (const column of ['id', 'nonsense']) {
      const missing = [404, { message: 'Not found: Resource "nobody" was not found.' }];
      expect(await ask(`SELECT ${column} FROM nobody`)).toEqual(missing);
      expect(await ask(`SELECT ${column} FROM sales JOIN nobody ON sales.id = nobody.${column}`)).toEqual(missing);
      expect(await ask(`SELECT (SELECT max(${column}) FROM nobody) FROM sales`)).toEqual(missing);
      const closed = 'User  not authorized to perform resource_show on resource closed: no token was sent';
      const denied = [403, { message: `Access denied: ${closed}` }];
      expect(await ask(`SELECT ${column} FROM closed`, null)).toEqual(denied);
      expect(await ask(`SELECT ${column} FROM (SELECT * FROM closed) q`, null)).toEqual(denied);
      expect(await ask(`SELECT ${column} FROM sales LEFT JOIN closed ON sales.id = closed.${column}`, null)).toEqual(
        denied,
      );
      expect(await ask(`SELECT ${column} FROM sales WHERE id = (SELECT max(id) FROM closed)`, null)).toEqual(denied);
      expect(await ask(`WITH c AS (SELECT ${column} FROM closed) SELECT 1 AS one FROM c`, null)).toEqual(denied);
      const off = [403, { message: 'Access denied: resource plain takes no SQL (access.sql)' }];
      expect(await ask(`SELECT ${column} FROM plain`)).toEqual(off);
      expect(await ask(`SELECT ${column} FROM sales JOIN plain ON sales.id = plain.id`)).toEqual(off);
    }
    expect(await records('SELECT count(*) AS n FROM closed')).toEqual([{ n: 3 }]);
  });

  test('a refusal has the position of its cause', async () => {
    const refusals: readonly (readonly [string, string, number])[] = [
      ['SELECT 1', 'a SELECT without FROM is not supported', 1],
      ['SELECT é, nonsense FROM sales', 'Unknown field: é', 8],
      ["SELECT '😀', nonsense FROM sales", 'Unknown field: nonsense', 13],
      ['SELECT pg_sleep(1) FROM sales', 'the function pg_sleep is not supported', 8],
      ['SELECT id FROM sales FOR UPDATE', 'FOR UPDATE or FOR SHARE is not supported', 1],
      ['SELECT id FROM sales; DELETE FROM sales', 'a second statement is not supported', 23],
      ['SELECT id FROM sales WHERE', 'syntax error at end of input', 27],
      ['SELECT id FROM public.sales', 'a table name with a schema is not supported', 16],
      ['SELECT s.ctid FROM sales s', 'Unknown field: ctid', 8],
    ];
    for (const [sql, text, position] of refusals) {
      expect(await ask(sql)).toEqual([409, { query: [`${text} (character ${position})`], position }]);
    }
  });

  test('a number out of range is refused without a text of the server', async () => {
    const refused = [409, { query: ['a number is out of range'] }];
    expect(await ask('SELECT big + 1 FROM sales')).toEqual(refused);
    expect(await ask('SELECT id FROM sales WHERE big * 2 > 0')).toEqual(refused);
  });

  test('resources of two databases are not joined', async () => {
    const text = '"sales" and "elsewhere" are of different databases: they cannot be joined';
    expect(await ask('SELECT id FROM sales JOIN elsewhere ON region = code')).toEqual([409, { sql: [text] }]);
    expect(await ask('SELECT nonsense FROM sales WHERE region = (SELECT max(code) FROM elsewhere)')).toEqual([
      409,
      { sql: [text] },
    ]);
  });

  test('a query that takes too long is a 409', async () => {
    await gateway.reload(configuration({ limits: { sqlBudget: '200ms' } }));
    const slow =
      'SELECT count(*) FROM many a JOIN many b ON a.k = b.k JOIN many c ON b.k = c.k WHERE a.id + b.id + c.id < 0';
    expect(await ask(slow)).toEqual([409, { query: ['Query took too long'] }]);
    await gateway.reload(configuration());
  });

  test('a refusal names nothing that the call has not', async () => {
    await gateway.reload(configuration({ limits: { responseBytes: 1000 } }));
    const text = 'The answer is over 1000 bytes (limits.responseBytes): ask for fewer';
    const tooLarge = [409, { query: [`${text} records`, `${text} fields`] }];
    expect(await ask('SELECT * FROM many')).toEqual(tooLarge);
    expect(await ask('SELECT id AS a_long_name_for_the_number FROM many LIMIT 40')).toEqual(tooLarge);
    await gateway.reload(configuration());
  });

  test.runIf(isMysql)('a number that is neither true nor false is refused with its record', async () => {
    const advice = 'correct it, or leave the field out';
    const own = `the field "yes" is shown as true or false, but the record {"id": 2} holds 5: ${advice}`;
    expect(await ask('SELECT yes FROM odds')).toEqual([409, { query: [own] }]);
    // The first table hides a column of this name.
    const joined = `a field is shown as true or false, but a record holds 5: ${advice}`;
    expect(await ask('SELECT o.yes FROM secrets s JOIN odds o ON o.id = s.id')).toEqual([409, { query: [joined] }]);
  });

  test('a text of more than 1,000 characters is parsed in a thread', async () => {
    expect(await records(`SELECT id FROM sales WHERE id = 1 AND region <> '${longest}'`)).toEqual([{ id: 1 }]);
    const list = Array.from({ length: 200 }, (_, nth) => `id AS a${nth}`);
    const [first] = await records(`SELECT ${list.join(', ')} FROM sales WHERE id = 2`);
    expect(Object.keys(first)).toHaveLength(200);
    expect(await ask(`SELECT nonsense FROM sales WHERE region <> '${longest}'`)).toEqual([
      409,
      { query: ['Unknown field: nonsense (character 8)'], position: 8 },
    ]);
    const [status, { query }] = await ask(`SELECT '${'x'.repeat(10_000)}' FROM sales`);
    expect([status, query]).toEqual([409, ['must have at most 10000 characters']]);
  });

  test('an answer is cached until a write to one of its tables', async () => {
    const join = 'SELECT count(*) AS n FROM sales s LEFT JOIN regions r ON r.code = s.region';
    const nested = 'SELECT count(*) AS n FROM sales WHERE id >= (SELECT count(*) FROM regions)';
    for (const sql of [join, nested]) {
      await cached(sql);
      expect((await cached(sql))[0]).toBe('HIT');
      await put('thirds', { id: 1, n: 1 });
      expect((await cached(sql))[0]).toBe('HIT');
      await put('sales', { id: 1, region: 'north' });
      expect((await cached(sql))[0]).toBe('MISS');
      expect((await cached(sql))[0]).toBe('HIT');
      await put('regions', { code: 'north', title: 'The North' });
      expect((await cached(sql))[0]).toBe('MISS');
    }
    await put('sales', { _id: 1, id: 1, region: 'north', price: 10.5 });
  });

  test('an answer that depends on the time is not cached', async () => {
    for (const sql of [
      "SELECT now() > TIMESTAMP '2000-01-01' AS later FROM thirds",
      "SELECT count(*) AS n FROM sales JOIN regions ON code = region AND now() > TIMESTAMP '2000-01-01'",
      'SELECT q.day IS NULL AS x FROM (SELECT CURRENT_DATE AS day FROM sales) q',
    ])
      for (let time = 0; time < 2; time++) expect((await get(sql)).headers['x-cache']).toBeUndefined();
  });

  test('an ETag confirms an answer as it does for a search', async () => {
    const sql = 'SELECT id, region FROM sales ORDER BY id DESC';
    const { headers, status } = await get(sql);
    expect([status, headers['cache-control']]).toEqual([200, 'no-cache']);
    const again = await get(sql, { 'If-None-Match': String(headers.etag) });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    await put('sales', { id: 2, region: 'east' });
    expect((await get(sql, { 'If-None-Match': String(headers.etag) })).status).toBe(200);
    await put('sales', { id: 2, region: 'south' });
    const closed = await get('SELECT sales.id FROM sales JOIN closed ON sales.id = closed.id');
    expect(closed.headers['cache-control']).toBe('private, no-cache');
  });

  test('a column that was retyped or renamed after the catalogue was read', async () => {
    const joined = (field: string) => `SELECT ${field} AS b FROM thirds t LEFT JOIN moving m ON m.id = t.id`;
    await put('thirds', { id: 1, n: 1 });
    expect(await records(joined('m.a + t.n'))).toEqual([{ b: 6 }]);
    expect(await records('SELECT a + 1 AS b FROM moving')).toEqual([{ b: 6 }]);
    await database.exec(
      isMysql ? 'ALTER TABLE moving MODIFY a varchar(20)' : 'ALTER TABLE moving ALTER a TYPE varchar(20)',
    );
    expect(await records(joined(`m.a || '!'`))).toEqual([{ b: '5!' }]);
    expect(await records(`SELECT a || '!' AS b FROM moving`)).toEqual([{ b: '5!' }]);
    await database.exec(isMysql ? 'ALTER TABLE moving CHANGE a c varchar(20)' : 'ALTER TABLE moving RENAME a TO c');
    expect(await records(joined('m.c'))).toEqual([{ b: '5' }]);
    const [status, { query }] = await ask('SELECT a FROM moving');
    expect([status, query]).toEqual([409, ['Unknown field: a (character 8)']]);
  });

  test('a text that its column can hold since the catalogue was read', async () => {
    const title = 'z'.repeat(60);
    const own = `SELECT n FROM thirds WHERE word = '${title}'`;
    const joined = `SELECT s.id FROM sales s JOIN thirds t ON t.id = s.id WHERE t.word IN ('${title}')`;
    const differs = `SELECT count(*) AS n FROM thirds WHERE word <> '${title}'`;
    for (const sql of [own, joined]) expect(await records(sql)).toEqual([]);
    await database.exec(
      isMysql ? 'ALTER TABLE third MODIFY word varchar(90)' : 'ALTER TABLE third ALTER word TYPE varchar(90)',
    );
    await database.exec(`UPDATE third SET word = '${title}' WHERE id = 1`);
    expect(await records(`${joined} AND 1 = 1`)).toEqual([{ id: 1 }]);
    expect(await records(`${own} AND 1 = 1`)).toEqual([{ n: 1 }]);
    expect(await records(differs)).toEqual([{ n: 0 }]);
  });
});
