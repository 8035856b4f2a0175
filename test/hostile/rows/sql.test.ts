/** Attack: see, count or guess rows outside of a filter by SQL, get the cached answer of another caller, or name a hidden column. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Caller, insideOf, ofTenant, openSharedTables, type SharedTables } from '../../support/rows.ts';
import { byName, servers } from '../../support/servers/engines.ts';

const access = { read: 'token', write: 'token', sql: true };
const hidden = { tenant: { hidden: true } };
const line = { database: 'db', table: 'line', access };
const stop = { database: 'db', table: 'stop', access };

describe.each(byName(servers()))('on %s', (_, engine) => {
  let shared: SharedTables;
  beforeAll(async () => {
    shared = await openSharedTables(engine, {
      cache: { ttl: '1h' },
      resources: {
        lines: { ...line, where: ofTenant, columns: hidden },
        regional: line,
        everything: line,
        stops: { ...stop, where: ofTenant, columns: hidden },
        'all-stop': { ...stop, access: { ...access, deleteAll: true } },
        // The label of one column is the real name of another, which is hidden.
        renamed: { ...line, where: ofTenant, columns: { tenant: { hidden: true }, note: { as: 'tenant' } } },
        listed: { ...line, where: ofTenant, expose: 'listed', columns: { id: {}, name: { as: 'label' } } },
      },
    });
  });
  afterAll(() => shared?.close());

  const ask = async (as: Caller, sql: string) => {
    const { status, text } = await shared.call(as, 'datastore_search_sql', { sql });
    const { result, error } = JSON.parse(text);
    return status === 200 ? result.records : [status, error.message ?? error.query];
  };
  const get = async (as: Caller, sql: string, headers = {}) => {
    const {
      status,
      headers: got,
      body,
    } = await shared.get(as, `/api/3/action/datastore_search_sql?${new URLSearchParams({ sql })}`, headers);
    return { status, cache: got['x-cache'], etag: String(got.etag), control: got['cache-control'], text: String(body) };
  };

  test.each([
    ['SELECT', 'SELECT * FROM lines'],
    ['WHERE', "SELECT note FROM lines WHERE note LIKE 'zebra%' OR 1 = 1 OR id > 10"],
    ['NOT', "SELECT note FROM lines WHERE NOT (note = 'own line 0')"],
    ['ORDER BY', 'SELECT note, id FROM lines ORDER BY id DESC LIMIT 3'],
    ['OFFSET', 'SELECT note, id FROM lines ORDER BY id OFFSET 4'],
    ['GROUP BY', 'SELECT note, count(*) FROM lines GROUP BY note'],
    ['HAVING', "SELECT max(note) AS note FROM lines HAVING max(note) > 'a'"],
    ['DISTINCT', 'SELECT DISTINCT note, code FROM lines'],
    ['an aggregate', 'SELECT max(note), max(code) FROM lines'],
    ['FILTER', "SELECT max(note) FILTER (WHERE note > 'a') FROM lines"],
    ['a subquery in FROM', 'SELECT q.note FROM (SELECT * FROM lines WHERE id > 0) q WHERE q.id > 0'],
    ['a subquery as a value', 'SELECT (SELECT max(note) FROM lines) FROM lines LIMIT 1'],
    ['a subquery with LIMIT 1', 'SELECT (SELECT note FROM lines ORDER BY id DESC LIMIT 1) FROM "all-stop" LIMIT 1'],
    ['WITH', 'WITH q AS (SELECT note FROM lines) SELECT * FROM q'],
    ['a join of itself', 'SELECT b.note, b.code FROM lines a JOIN lines b ON a.name = b.name'],
    ['a join with a resource without a filter', 'SELECT l.note FROM everything e JOIN lines l ON l.id = e.id'],
    ['LEFT JOIN', 'SELECT l.note FROM everything e LEFT JOIN lines l ON l.id = e.id'],
    [
      'a condition of ON',
      'SELECT l.note FROM everything e LEFT JOIN lines l ON l.id = e.id AND (l.id > 0 OR e.id > 0)',
    ],
    ['CASE', "SELECT CASE WHEN note LIKE 'zebra%' THEN note ELSE 'own' END AS x FROM lines"],
  ])('no row outside is seen by %s', async (_, sql) => {
    const { status, text } = await shared.call('seven', 'datastore_search_sql', { sql });
    expect(status, text).toBe(200);
    const { records } = JSON.parse(text).result;
    expect(JSON.stringify(records)).not.toMatch(/zebra|8-|nobody/);
    expect(JSON.stringify(records)).toContain('own');
    expect(records.length).toBeGreaterThan(0);
    const { text: other } = await shared.call('eight', 'datastore_search_sql', { sql });
    expect(JSON.stringify(JSON.parse(other).result.records)).not.toMatch(/own line|7-/);
  });

  test('rows outside do not count', async () => {
    expect(await ask('seven', 'SELECT count(*) AS n, max(id) AS last, sum(n) AS s FROM lines')).toEqual([
      { n: 6, last: 6, s: 150 },
    ]);
    expect(await ask('seven', 'SELECT count(*) AS n FROM lines a JOIN lines b ON a.name = b.name')).toEqual([{ n: 6 }]);
    expect(await ask('seven', 'SELECT count(*) AS n FROM lines WHERE id > (SELECT max(id) - 1 FROM lines)')).toEqual([
      { n: 1 },
    ]);
    expect(await ask('truth', 'SELECT count(*) AS n FROM everything')).toEqual([{ n: 13 }]);
  });

  test('a row outside on the right of LEFT JOIN is no match', async () => {
    const sql = (from: string) =>
      `SELECT s.line, s.nr, l.id, l.id IS NULL AS missing FROM ${from} ON l.id = s.line ORDER BY s.line, s.nr`;
    const stops = [
      [1, 1],
      [1, 2],
      [1, 3],
      [2, 1],
      [2, 2],
      [3, 1],
    ] as const;
    expect(await ask('seven', sql('"all-stop" s LEFT JOIN lines l'))).toEqual(
      stops.map(([line, nr]) => ({ line, nr, id: line, missing: false })),
    );
    expect(await ask('eight', sql('"all-stop" s LEFT JOIN lines l'))).toEqual(
      stops.map(([line, nr]) => ({ line, nr, id: null, missing: true })),
    );
    expect(await ask('eight', sql('"all-stop" s JOIN lines l'))).toEqual([]);
    // Both have a filter, and the stops of eight are at lines of seven.
    expect(await ask('eight', sql('stops s LEFT JOIN lines l'))).toEqual([
      { line: 1, nr: 3, id: null, missing: true },
      { line: 2, nr: 2, id: null, missing: true },
      { line: 3, nr: 1, id: null, missing: true },
    ]);
    expect(
      await ask(
        'seven',
        'SELECT l.id, count(s.nr) AS n FROM lines l LEFT JOIN stops s ON s.line = l.id GROUP BY l.id ORDER BY 1',
      ),
    ).toEqual([2, 1, 0, 0, 0, 0].map((n, nth) => ({ id: nth + 1, n })));
  });

  test('the filter of a token counts in each place of its resource', async () => {
    const northern = insideOf('line').filter(({ region }) => region === 'north');
    expect(await ask('north', 'SELECT id FROM lines ORDER BY id')).toEqual(northern.map(({ id }) => ({ id })));
    expect(
      await ask('north', 'SELECT count(*) AS n FROM everything e LEFT JOIN lines l ON l.id = e.id WHERE l.id IS NULL'),
    ).toEqual([{ n: 13 - northern.length }]);
    const regions = 'SELECT DISTINCT r.region FROM lines l JOIN regional r ON r.id = l.id';
    expect(await ask('north', regions)).toEqual([{ region: 'north' }]);
    expect(await ask('north', 'SELECT region FROM regional GROUP BY region ORDER BY 1')).toEqual([
      { region: 'north' },
      { region: 'south' },
    ]);
    expect(await ask('seven', 'SELECT count(DISTINCT region) AS n, count(*) AS m FROM regional')).toEqual([
      { n: 2, m: 13 },
    ]);
    const [status, text] = await ask('truth', 'SELECT 1 AS one FROM everything JOIN lines ON lines.id = everything.id');
    expect([status, text]).toEqual([403, expect.stringContaining('this token does not say which rows')]);
  });

  test('callers with other rows share no answer, and callers with the same rows do', async () => {
    for (const sql of [
      'SELECT note FROM lines ORDER BY id',
      'SELECT l.note FROM everything e LEFT JOIN lines l ON l.id = e.id ORDER BY e.id',
      'SELECT (SELECT max(note) FROM lines) AS note FROM everything',
    ]) {
      const [seven, eight, sevenToo] = [await get('seven', sql), await get('eight', sql), await get('sevenToo', sql)];
      expect([seven.cache, eight.cache, sevenToo.cache]).toEqual(['MISS', 'MISS', 'HIT']);
      expect(seven.text).not.toContain('zebra');
      expect(eight.text).not.toContain('own');
      expect([sevenToo.text, sevenToo.etag]).toEqual([seven.text, seven.etag]);
      expect(seven.control).toBe('private, no-cache');
      expect((await get('eight', sql, { 'If-None-Match': seven.etag })).status).toBe(200);
      expect((await get('sevenToo', sql, { 'If-None-Match': seven.etag })).status).toBe(304);
      expect((await get('north', sql)).cache).toBe('MISS');
      for (const as of ['seven', 'eight', 'sevenToo', 'north'] as const) expect((await get(as, sql)).cache).toBe('HIT');
    }
  });

  /** SELECTs that name a column in every place for a name. */
  const naming = (name: string, table: string): readonly string[] => [
    ...[name, `t.${name}`, `max(${name})`, `${name} + 1`, `upper(${name})`, `CASE WHEN ${name} IS NULL THEN 1 END`].map(
      (output) => `SELECT ${output} FROM ${table} t`,
    ),
    ...[`count(${name})`, `count(*) FILTER (WHERE ${name} = 8)`, `CAST(${name} AS text)`, `${name} || 'x'`].map(
      (output) => `SELECT ${output} FROM ${table}`,
    ),
    ...[`${name} = 8`, `8 < ${name}`, `${name} IN (7, 8)`, `${name} IS NULL`, `${name} LIKE '%8'`, `NOT ${name}`].map(
      (condition) => `SELECT count(*) FROM ${table} WHERE ${condition}`,
    ),
    `SELECT count(*) FROM ${table} GROUP BY ${name}`,
    `SELECT count(*) FROM ${table} HAVING min(${name}) = 8`,
    `SELECT DISTINCT ${name} FROM ${table}`,
    `SELECT count(*) FROM ${table} t ORDER BY max(t.${name})`,
    `SELECT 1 AS one FROM ${table} ORDER BY ${name}`,
    `SELECT 1 AS one FROM ${table} a JOIN ${table} b ON a.${name} = b.${name}`,
    `SELECT 1 AS one FROM "all-stop" s LEFT JOIN ${table} b ON s.line = b.id AND b.${name} = 8`,
    `SELECT q.${name} FROM (SELECT * FROM ${table}) q`,
    `SELECT 1 AS one FROM (SELECT ${name} FROM ${table}) q`,
    `SELECT (SELECT max(${name}) FROM ${table}) FROM "all-stop"`,
    `WITH q AS (SELECT ${name} FROM ${table}) SELECT 1 AS one FROM q`,
    `SELECT "${name}" FROM ${table}`,
    `SELECT ${table}.${name} FROM ${table}`,
    `SELECT (t).${name} FROM ${table} t`,
  ];

  test.each([
    ['tenant', 'lines'],
    ['tenant', 'listed'],
    ['region', 'listed'],
    ['note', 'listed'],
    ['note', 'renamed'],
    ['name', 'listed'],
  ])('%s of %s is a name that does not exist, in every place for a name', async (name, table) => {
    const absent = 'zzzzzz'.slice(0, name.length);
    const others = naming(absent, table);
    for (const [nth, sql] of naming(name, table).entries()) {
      const answers = [];
      for (const one of [sql, others[nth] ?? ''])
        answers.push(await shared.call('seven', 'datastore_search_sql', { sql: one }));
      const [own, other] = answers.map(({ status, text }) => `${status} ${text}`);
      expect(own).toBe(other?.replaceAll(absent, name));
      expect(own).toMatch(/^409 .*(Unknown field|not supported)/);
    }
  });

  test('a label is its own column, although another one has this name in the table', async () => {
    const sql = "SELECT tenant, count(*) AS n FROM renamed WHERE tenant LIKE 'own%' GROUP BY tenant ORDER BY tenant";
    expect(await ask('seven', sql)).toEqual(insideOf('line').map(({ note }) => ({ tenant: note, n: 1 })));
    expect(
      await ask('seven', 'SELECT a.tenant FROM renamed a JOIN lines b ON b.note = a.tenant ORDER BY b.id LIMIT 1'),
    ).toEqual([{ tenant: 'own line 0' }]);
    expect(Object.keys((await ask('seven', 'SELECT * FROM renamed LIMIT 1'))[0])).toContain('tenant');
    expect(await ask('seven', 'SELECT * FROM listed ORDER BY id LIMIT 1')).toEqual([
      { _id: 1, id: 1, label: 'Alpha express' },
    ]);
    expect(await ask('seven', "SELECT label FROM listed WHERE label = 'alpha'")).toEqual([{ label: 'alpha' }]);
  });
});
