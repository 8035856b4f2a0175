/** Attack: read a resource of ours by SQL with CKAN's rights, or get a SELECT over ours sent to CKAN. */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { entry, startGateway, type TestGateway, token } from '../../support/gateway.ts';
import { anyEngine, type FreshDatabase, freshDatabase } from '../../support/servers/engines.ts';
import { shiftableClock } from '../../support/shifted-clock.ts';
import { json, type UpstreamCkan, upstreamCkan } from '../../support/upstream-ckan.ts';

const shift = shiftableClock();
const path = '/api/3/action/datastore_search_sql';
/** What CKAN answers to SQL. */
const theirs = { help: 'theirs', success: true, result: { sql: 'theirs', records: [{ n: '1' }], fields: [] } };

describe.skipIf(anyEngine().length === 0)('beside a CKAN', () => {
  let database: FreshDatabase;
  let gateway: TestGateway;
  let ckan: UpstreamCkan;
  beforeAll(async () => {
    const [engine] = anyEngine();
    if (engine === undefined) throw new Error('no engine');
    [database, ckan] = await Promise.all([freshDatabase(engine), upstreamCkan()]);
    await database.exec('CREATE TABLE line (id int PRIMARY KEY, name varchar(20), secret int)');
    await database.exec("INSERT INTO line VALUES (1, 'one', 7), (2, 'two', 8)");
    const line = { database: 'db', table: 'line', columns: { secret: { hidden: true } } };
    gateway = await startGateway({
      databases: { db: entry(database) },
      cache: { ttl: '10h' },
      upstream: { url: ckan.url, access: { cookies: ['ckan'], timeout: '60s' } },
      resources: {
        ours: { ...line, aliases: ['also-ours'], access: { read: 'public', sql: true } },
        budget: { ...line, access: { read: 'upstream', sql: true } },
        closed: { ...line, access: { read: 'token', sql: true } },
        plain: { ...line, access: { read: 'upstream' } },
      },
    });
    for (const id of ['budget', 'plain']) ckan.resources.add(id);
  });
  beforeEach(() => {
    ckan.questions.length = 0;
    ckan.answer = (asked, response, usual) =>
      asked.action === 'datastore_search_sql' ? json(response, 200, theirs) : usual();
    ckan.allow('ana', { read: ['budget', 'plain'] });
  });
  afterAll(async () => {
    await gateway?.close();
    await ckan?.close();
    await database?.drop();
  });

  const ask = async (sql: string, login: string | null = null) => {
    const { status, text } = await gateway.call('datastore_search_sql', { sql }, login);
    const { result, error } = JSON.parse(text);
    return [status, result?.records ?? error.message ?? error.query ?? error.sql];
  };

  test.each([
    'SELECT * FROM "theirs"',
    'SELECT * FROM "theirs" t JOIN others o ON t.id = o.id -- ours',
    "SELECT 'ours', ours.* FROM theirs ours",
    'SELECT sum(ours), budget FROM theirs GROUP BY budget',
    'SELECT "also-ours" FROM "OURS"',
    'SELECT rank() OVER (ORDER BY x) FROM theirs',
    'SELEC nonsense',
    'WITH ours AS (SELECT 1 AS one FROM theirs) SELECT * FROM ours',
  ])('%s is sent on byte for byte', async (sql) => {
    const query = `?sql=${encodeURIComponent(sql).replaceAll('%20', '+').replaceAll("'", '%27')}&x=%7e`;
    const got = await fetch(`${gateway.url}${path}${query}`, { headers: { Authorization: 'ana' } });
    expect(await got.json()).toEqual(theirs);
    const body = ` {"sql" : ${JSON.stringify(sql)}, "x": 1.50} `;
    const headers = { 'Content-Type': 'application/json', Authorization: token };
    const posted = await fetch(`${gateway.url}${path}`, { method: 'POST', headers, body });
    expect(await posted.json()).toEqual(theirs);
    const form = `sql=${encodeURIComponent(sql)}`;
    const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
    await fetch(`${gateway.url}${path}`, { method: 'POST', headers: type, body: form });
    expect(ckan.questions.map(({ method, url, body, login }) => [method, url, body, login])).toEqual([
      ['GET', `${path}${query}`, '', 'ana'],
      // A token of ours goes no further.
      ['POST', path, body, ''],
      ['POST', path, form, ''],
    ]);
  });

  test('a SELECT over ours is answered here', async () => {
    const rows = [{ id: 1 }, { id: 2 }];
    expect(await ask('SELECT id FROM ours ORDER BY id')).toEqual([200, rows]);
    expect(await ask('SELECT o.id FROM OURS o JOIN "also-ours" a ON a.id = o.id ORDER BY 1')).toEqual([200, rows]);
    expect(await ask('SELECT theirs.id FROM ours theirs ORDER BY 1')).toEqual([200, rows]);
    expect(await ask('SELECT secret FROM ours')).toEqual([409, ['Unknown field: secret (character 8)']]);
    expect(await ask('SELECT rank() OVER (ORDER BY id) FROM ours')).toEqual([
      409,
      ['a window function (OVER) is not supported (character 8)'],
    ]);
    expect(ckan.questions).toEqual([]);
  });

  test.each([
    'SELECT 1 AS one FROM ours JOIN theirs ON ours.id = theirs.id',
    'SELECT 1 AS one FROM theirs LEFT JOIN "also-ours" o ON o.id = theirs.id',
    'SELECT (SELECT max(id) FROM ours) FROM theirs',
    'SELECT (SELECT max(id) FROM theirs) FROM ours',
    'WITH x AS (SELECT id FROM theirs) SELECT 1 AS one FROM ours JOIN x ON x.id = ours.id',
  ])('%s is refused', async (sql) => {
    const text = '"theirs" is no resource of the gateway, but another table is: they cannot be joined';
    expect(await ask(sql, 'ana')).toEqual([409, [text]]);
    expect(ckan.actions()).toEqual([]);
  });

  test.each([
    'SELECT * FROM public.ours',
    'SELECT * FROM ours, theirs',
    'SELECT * FROM theirs UNION SELECT * FROM ours',
    'TABLE ours',
    'SELECT (SELECT 1 WHERE EXISTS (SELECT 1 FROM ours)) FROM theirs',
    'SELECT * FROM U&"\\006Furs" WHERE id ~ 1',
  ])('%s is not sent on', async (sql) => {
    expect((await ask(sql, 'ana'))[0]).toBe(409);
    expect(ckan.actions()).toEqual([]);
  });

  test('CKAN decides who may ask, for each resource of the SELECT', async () => {
    const join = 'SELECT count(*) AS n FROM ours JOIN budget ON ours.id = budget.id';
    const anonymous = 'Access denied: User  not authorized to perform resource_show on resource budget';
    for (const sql of [
      'SELECT count(*) AS n FROM budget',
      join,
      'SELECT (SELECT count(*) FROM budget) AS n FROM ours LIMIT 1',
    ]) {
      expect(await ask(sql, 'ana')).toEqual([200, [{ n: 2 }]]);
      expect(await ask(sql)).toEqual([403, `${anonymous}: no token was sent`]);
      expect(await ask(sql, 'nobody')).toEqual([403, `${anonymous}: this token is not known`]);
      expect(await ask(sql, 'ana')).toEqual([200, [{ n: 2 }]]);
    }
    expect((await ask('SELECT nonsense FROM budget'))[0]).toBe(403);
    expect((await ask('SELECT 1 AS one FROM budget JOIN closed ON budget.id = closed.id', 'ana'))[0]).toBe(403);
    expect(await ask('SELECT 1 AS one FROM plain', 'ana')).toEqual([
      403,
      'Access denied: resource plain takes no SQL (access.sql)',
    ]);
  });

  test('a right that CKAN has taken ends, also for cached answers of a join', async () => {
    const sql = 'SELECT count(*) AS n FROM budget b LEFT JOIN ours o ON o.id = b.id';
    const get = async () =>
      (await fetch(`${gateway.url}${path}?${new URLSearchParams({ sql })}`, { headers: { Authorization: 'ben' } }))
        .status;
    ckan.allow('ben', { read: ['budget'] });
    for (let call = 0; call < 3; call++) expect(await get()).toBe(200);
    ckan.forbid('ben');
    shift(31);
    for (let call = 0; call < 3; call++) expect(await get()).toBe(403);
    ckan.answer = (_, response) => response.writeHead(502).end();
    shift(31);
    await vi.waitFor(async () => expect(await get()).toBe(503));
  });
});
