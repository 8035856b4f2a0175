/** PostgreSQL keys whose unique index or type ignores case: a different spelling is refused, because it would be another record to us. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { byName, freshDatabase, type ServerDatabase, servers } from '../../support/servers/engines.ts';

const operator = (sign: string, nth: number) =>
  `CREATE FUNCTION is_${nth}(a text, b text) RETURNS bool LANGUAGE sql IMMUTABLE STRICT AS 'SELECT lower(a) ${sign} lower(b)';
  CREATE OPERATOR ~${sign} (LEFTARG = text, RIGHTARG = text, FUNCTION = is_${nth});`;

const ddl = `CREATE EXTENSION citext;
  CREATE DOMAIN email AS citext;
  CREATE COLLATION folding (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
  CREATE TABLE plain (k citext PRIMARY KEY, v int);
  CREATE TABLE in_domain (k email PRIMARY KEY, v int);
  CREATE TABLE by_index (k text PRIMARY KEY, v int);
  CREATE UNIQUE INDEX no_variants ON by_index (k COLLATE folding);
  CREATE TABLE by_operators (k text PRIMARY KEY, v int);
  CREATE FUNCTION compared(a text, b text) RETURNS int LANGUAGE sql IMMUTABLE STRICT AS 'SELECT bttextcmp(lower(a), lower(b))';
  ${['<', '<=', '=', '>=', '>'].map(operator).join('\n')}
  CREATE OPERATOR CLASS lowered FOR TYPE text USING btree AS OPERATOR 1 ~<, OPERATOR 2 ~<=, OPERATOR 3 ~=, OPERATOR 4 ~>=, OPERATOR 5 ~>,
    FUNCTION 1 compared(text, text);
  CREATE UNIQUE INDEX none_lowered ON by_operators (k lowered);`;
const tables = ['plain', 'in_domain', 'by_index', 'by_operators'];

describe.each(byName(servers().filter(({ client }) => client === 'postgres')))('on %s', (_, engine) => {
  let database: ServerDatabase;
  let gateway: TestGateway;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    await database.exec(ddl);
    for (const table of tables) await database.exec(`INSERT INTO ${table} VALUES ('ann', 1), ('bob', 1)`);
    const access = { read: 'token', write: 'token' };
    gateway = await startGateway({
      databases: { db: entry(database) },
      resources: Object.fromEntries(tables.map((table) => [table, { database: 'db', table, access }])),
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });
  const stored = (table: string) => database.query(`SELECT k, v FROM ${table} ORDER BY k`);
  const asBefore = [
    ['ann', '1'],
    ['bob', '1'],
  ];

  test.each(tables)('%s: a call with another spelling changes nothing', async (table) => {
    for (const keys of [['ANN'], ['ANN', 'cid']]) {
      const records = keys.map((k) => ({ k, v: 7 }));
      const { status } = await gateway.call('datastore_upsert', { resource_id: table, records });
      expect([status, await stored(table)]).toEqual([409, asBefore]);
    }
  });

  test.each(tables)('%s: a filter finds the exact text only, and so does a delete', async (table) => {
    const params = { resource_id: table, filters: { k: 'BOB' } };
    expect((await gateway.result('datastore_search', params)).total).toBe(0);
    expect((await gateway.call('datastore_records_delete', params)).status).toBe(200);
    expect(await stored(table)).toEqual(asBefore);
  });
});
