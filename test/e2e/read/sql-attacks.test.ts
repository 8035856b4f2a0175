/** What an attack on datastore_search_sql found: errors that tell about rows outside, texts that grow as they are printed, groups in HAVING. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { byName, freshDatabase, type ServerDatabase, servers } from '../../support/servers/engines.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe.each(byName(servers()))('on %s', (_, engine) => {
  const isMysql = engine.client === 'mysql';
  let database: ServerDatabase;
  let gateway: TestGateway;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    const [text, kind, stamp] = isMysql
      ? ['varchar(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci', "enum('alpha', 'beta')", 'datetime']
      : ['varchar(40)', 'varchar(10)', 'timestamp'];
    await database.exec(`
      CREATE TABLE line (id int PRIMARY KEY, tenant int NOT NULL, note ${text}, big bigint, f double precision);
      INSERT INTO line VALUES (1, 7, 'own', 1, 0.5), (2, 7, 'own too', 2, 2.5), (11, 8, 'zebra', 9223372036854775807, 1e300), (12, 9, 'x', 5, 1);
      CREATE TABLE misc (id int PRIMARY KEY, t ${text}, e ${kind}, ts ${stamp}, day date, f double precision);
      INSERT INTO misc VALUES (1, 'a', 'alpha', '2024-01-05 10:00:00', '2024-01-05', 0.5), (2, 'a', 'beta', '2024-01-06 10:00:00', '2024-01-06', 0.5),
        (3, 'b', 'alpha', '2024-02-06 10:00:00', NULL, 1.5), (4, NULL, NULL, NULL, NULL, NULL);`);
    const access = { read: 'token', sql: true };
    const token = (name: string, more: object) => ({ name, sha256: sha256(name), read: ['*'], ...more });
    gateway = await startGateway({
      databases: { db: entry(database) },
      resources: {
        lines: { database: 'db', table: 'line', access },
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the configuration has this syntax, too
        own: { database: 'db', table: 'line', access, where: { tenant: '${claim.tenant}' } },
        misc: { database: 'db', table: 'misc', access: { read: 'public', sql: true } },
      },
      tokens: [
        token('seven', { where: { lines: { tenant: 7 } }, claims: { tenant: 7 } }),
        token('some', {
          where: {
            lines: {
              $or: [
                { tenant: 7, note: { like: 'own%' } },
                { tenant: 9, id: 12 },
              ],
            },
          },
          claims: { tenant: 7 },
        }),
        token('like', { where: { lines: { note: { like: 'own%' } } }, claims: { tenant: 7 } }),
      ],
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });
  const ask = async (sql: string, as: string | null = null) => {
    const { status, text } = await gateway.call('datastore_search_sql', { sql }, as);
    const { result, error } = JSON.parse(text);
    return status === 200 ? result.records : [status, error.query?.[0] ?? error.message];
  };

  /** Fails if a record makes it true that `note` begins with z, which no record inside does. */
  const probe = (note: string) => `9223372036854775807 + (CASE WHEN ${note} LIKE 'z%' THEN 1 ELSE 0 END) > 0`;
  test.each(['seven', 'some', 'like'])('a condition fails for no row outside, for %s', async (caller) => {
    for (const table of ['lines', 'own'])
      for (const sql of [
        `SELECT 1 AS x FROM ${table} WHERE id = 11 AND ${probe('note')}`,
        `SELECT 1 AS x FROM ${table} WHERE ${probe('note')} AND id IN (11)`,
        `SELECT 1 AS x FROM misc e JOIN ${table} l ON l.id = e.id + 10 AND l.id = e.id WHERE ${probe('l.note')}`,
        `SELECT 1 AS x FROM misc e JOIN ${table} l ON l.id = e.id AND ${probe('l.note')} WHERE e.id > 900`,
        `SELECT 1 AS x FROM (SELECT * FROM ${table}) q WHERE q.id = 11 AND ${probe('q.note')}`,
        `SELECT 1 AS x FROM ${table} WHERE id = 11 AND (big + 1) IS NULL`,
        `SELECT 1 AS x FROM ${table} WHERE id = 11 AND CAST(f AS integer) = 1`,
        `WITH q AS (SELECT note, id FROM ${table}) SELECT 1 AS x FROM q WHERE ${probe('note')} AND id = 11`,
      ])
        expect(await ask(sql, caller), sql).toEqual([]);
    expect(await ask(`SELECT count(*) AS n FROM lines WHERE ${probe('note')}`, 'seven')).toEqual([{ n: 2 }]);
  });

  test('a text that grows as it is typed or printed is refused before it costs time', async () => {
    const nested = (depth: number, before: string, inside: string, after: string) =>
      before.repeat(depth) + inside + after.repeat(depth);
    for (const [value, from] of [
      [nested(30, 'nullif(', 'id', ', 1)'), 'misc'],
      [nested(12, '(', '(f > 1)', ' IN (f > 1, f > 2, f > 3, f > 4))'), 'misc'],
      [nested(18, 'concat(', "'a'", " = 't')"), 'misc'],
      [nested(30, "date_trunc('quarter', ", 'ts', ')'), 'misc'],
      [nested(14, 'CAST(CAST(', 'f', ' AS int8) AS float8)'), 'misc'],
      [nested(14, 'round(CAST(', 'f', ' AS float8), 2)'), 'misc'],
    ] as const) {
      const [status, text] = await ask(`SELECT ${value} AS x FROM ${from} ORDER BY 1`);
      expect([status, text], value).toEqual([409, expect.stringContaining('too complex')]);
    }
    expect(await ask('SELECT nullif(nullif(id, 1), 2) AS x FROM misc ORDER BY id')).toEqual([
      { x: null },
      { x: null },
      { x: 3 },
      { x: 4 },
    ]);
  });

  test('a condition on groups names what they are grouped by, computed or not', async () => {
    const grouped = async (by: string, having: string) =>
      (await ask(`SELECT count(*) AS n FROM misc GROUP BY ${by} HAVING ${having} ORDER BY 1`)).map(
        ({ n }: { n: number }) => n,
      );
    expect(await grouped('id + 1', 'id + 1 > 3')).toEqual([1, 1]);
    expect(await grouped("date_trunc('month', ts)", "date_trunc('month', ts) < '2024-02-01'")).toEqual([2]);
    expect(await grouped('lower(t)', "lower(t) = 'a' OR lower(t) IS NULL")).toEqual([1, 2]);
    expect(await grouped('e', "e = 'alpha'")).toEqual([2]);
    expect(await grouped('t', "t IN ('b', 'c')")).toEqual([1]);
    expect(await grouped('t, f', "t = 'a' AND f < 1 AND count(*) > 1")).toEqual([2]);
    expect(await grouped('day', "day >= '2024-01-06'")).toEqual([1]);
    expect(await grouped("to_char(ts, 'YYYY-MM')", "to_char(ts, 'YYYY-MM') LIKE '2024-01' AND sum(id) = 3")).toEqual([
      2,
    ]);
  });

  test('a long list compares a computed value', async () => {
    const numbers = Array.from({ length: 450 }, (_, n) => n);
    expect(await ask(`SELECT count(*) AS n FROM misc WHERE id + id IN (${numbers.join()})`)).toEqual([{ n: 4 }]);
  });

  test('a double is rounded to the even whole number', async () => {
    expect(await ask('SELECT CAST(f AS integer) AS i FROM misc WHERE f IS NOT NULL ORDER BY id')).toEqual([
      { i: 0 },
      { i: 0 },
      { i: 2 },
    ]);
  });
});
