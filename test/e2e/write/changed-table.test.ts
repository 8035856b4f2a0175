/** A table changes between two catalogue readings: a call with many records still does the same as one call each, or is refused. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { byName, freshDatabase, onePerDriver, type ServerDatabase } from '../../support/servers/engines.ts';

const tables = ['retyped', 'folded', 'watched', 'inherited', 'ruled'];
const bothUpdated = [
  200,
  [
    ['a', '7'],
    ['b', '7'],
  ],
];
const insertTrigger = {
  mysql: 'CREATE TRIGGER marks BEFORE INSERT ON watched FOR EACH ROW SET NEW.v = -1',
  postgres: `CREATE FUNCTION mark() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.v := -1; RETURN NEW; END $$;
    CREATE TRIGGER marks BEFORE INSERT ON watched FOR EACH ROW EXECUTE FUNCTION mark()`,
};

describe.each(byName(onePerDriver()))('on %s', (_, engine) => {
  let database: ServerDatabase;
  let gateway: TestGateway;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    for (const table of tables)
      await database.exec(
        `CREATE TABLE ${table} (k varchar(40) PRIMARY KEY, v int); INSERT INTO ${table} VALUES ('a', 1), ('b', 1)`,
      );
    // PostgreSQL keeps reporting rules (relhasrules) after they were dropped.
    if (engine.client === 'postgres')
      await database.exec('CREATE RULE x AS ON INSERT TO ruled DO ALSO NOTHING; DROP RULE x ON ruled');
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
  /** @returns the status, and what is stored afterwards */
  const upserted = async (table: string, ...keys: readonly string[]) => {
    const records = keys.map((k) => ({ k, v: 7 }));
    const { status } = await gateway.call('datastore_upsert', { resource_id: table, records });
    return [status, await stored(table)];
  };

  test.runIf(engine.client === 'postgres').each([
    ['retyped', 'CREATE EXTENSION citext; ALTER TABLE retyped ALTER k TYPE citext'],
    [
      'folded',
      `CREATE COLLATION folding (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
        ALTER TABLE folded ALTER k TYPE varchar(40) COLLATE folding`,
    ],
  ])('%s: no record is changed that has another spelling of the key', async (table, sql) => {
    await database.exec(sql);
    expect(await upserted(table, 'A', 'c')).toEqual([
      409,
      [
        ['a', '1'],
        ['b', '1'],
      ],
    ]);
  });

  test('a trigger of inserts does not run for records that exist', async () => {
    await database.exec(insertTrigger[engine.client]);
    expect(await upserted('watched', 'a', 'b')).toEqual(bothUpdated);
  });

  test.runIf(engine.client === 'postgres')('a rule of inserts does not lose an update', async () => {
    await database.exec('CREATE RULE x AS ON INSERT TO ruled DO INSTEAD NOTHING');
    expect(await upserted('ruled', 'a', 'b')).toEqual(bothUpdated);
  });

  test.runIf(engine.client === 'postgres')('a record of a table that inherits is not there twice', async () => {
    await database.exec("CREATE TABLE child () INHERITS (inherited); INSERT INTO child VALUES ('c', 1)");
    expect(await upserted('inherited', 'a', 'c')).toEqual([
      200,
      [
        ['a', '7'],
        ['b', '1'],
        ['c', '7'],
      ],
    ]);
  });
});
