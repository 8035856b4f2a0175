/** Updates of many records use INSERT … ON CONFLICT. If that has other effects than UPDATE, or is refused, the caller must not notice. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { byName, freshDatabase, type ServerDatabase, servers } from '../../support/servers/engines.ts';

const count = 60;
const ids = Array.from({ length: count }, (_, nth) => nth + 1);
const plain = 'id int PRIMARY KEY, a int, must int';
/** Each table has 60 records, with `a` equal to the id. */
const tables = {
  granted: plain,
  refers: `${plain}, FOREIGN KEY (a) REFERENCES granted (id)`,
  needed: 'id int PRIMARY KEY, a int, must int NOT NULL',
  checked: 'id int PRIMARY KEY, a int, must int DEFAULT 0, CHECK (a IS NULL OR must > 0)',
  watched: plain,
  keyless: plain,
};
const own = {
  mysql: {
    stamped: `${plain}, seen timestamp NOT NULL DEFAULT '2001-01-01' ON UPDATE CURRENT_TIMESTAMP`,
    counted: 'id int AUTO_INCREMENT PRIMARY KEY, a int, must int',
  },
  postgres: {
    numbered: `${plain}, n serial`,
    identity: 'id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, a int, must int',
  },
};
const triggers = {
  mysql: ['CREATE TRIGGER marks BEFORE INSERT ON watched FOR EACH ROW SET NEW.a = -1'],
  postgres: [
    'CREATE FUNCTION mark() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN NEW.a := -1; RETURN NEW; END$$',
    'CREATE TRIGGER marks BEFORE INSERT ON watched FOR EACH ROW EXECUTE FUNCTION mark()',
  ],
};
const roles = {
  mysql: (user: string, name: string) => [
    `CREATE USER '${user}'@'%' IDENTIFIED BY 'p'`,
    `GRANT SELECT, UPDATE ON \`${name}\`.* TO '${user}'@'%'`,
    `GRANT TRIGGER ON \`${name}\`.* TO '${user}'@'%'`,
  ],
  postgres: (user: string) => [`CREATE ROLE ${user} LOGIN PASSWORD 'p'`, `GRANT SELECT, UPDATE ON granted TO ${user}`],
};
const noRoles = {
  mysql: (user: string) => `DROP USER '${user}'@'%'`,
  postgres: (user: string) => `DROP OWNED BY ${user}; DROP ROLE ${user}`,
};
const withoutKey = {
  mysql: 'ALTER TABLE keyless DROP PRIMARY KEY, ADD INDEX (id)',
  postgres: 'ALTER TABLE keyless DROP CONSTRAINT keyless_pkey',
};

describe.each(byName(servers()))('on %s', (_, engine) => {
  const { client } = engine;
  const isMysql = client === 'mysql';
  let database: ServerDatabase;
  let gateway: TestGateway;
  let user = '';
  beforeAll(async () => {
    database = await freshDatabase(engine);
    const all = Object.entries({ ...tables, ...own[client] });
    for (const [name, columns] of all) {
      await database.exec(`CREATE TABLE ${name} (${columns})${isMysql ? ' ENGINE=InnoDB' : ''}`);
      const overriding = name === 'identity' ? 'OVERRIDING SYSTEM VALUE ' : '';
      const rows = ids.map((id) => `(${id}, ${id}, 7)`);
      await database.exec(`INSERT INTO ${name} (id, a, must) ${overriding}VALUES ${rows}`);
    }
    const url = new URL(database.url);
    const name = url.pathname.slice(1);
    user = `u${name.slice(-10)}`;
    for (const sql of [...triggers[client], ...roles[client](user, name)]) await database.exec(sql);
    [url.username, url.password] = [user, 'p'];
    const access = { read: 'token', write: 'token' };
    const resources = all.map(([table]) => [
      table,
      { database: table === 'granted' ? 'updater' : 'db', table, access },
    ]);
    gateway = await startGateway({
      databases: { db: entry(database), updater: { ...entry(database), connection: url.href } },
      resources: Object.fromEntries(resources),
    });
  });
  afterAll(async () => {
    await gateway?.close();
    if (user !== '') await database.exec(noRoles[client](user));
    await database?.drop();
  });

  const change = (resource_id: string, by: number, method = 'upsert') =>
    gateway.result('datastore_upsert', { resource_id, method, records: ids.map((id) => ({ id, a: id + by })) });
  const stored = async (table: string) =>
    (await database.query(`SELECT id, a, must FROM ${table} ORDER BY id`)).map((row) => Object.values(row).map(Number));
  const changed = (by: number) => ids.map((id) => [id, id + by, 7]);

  test.each(['needed', 'checked', 'watched', ...Object.keys(own[client])])(
    'records of %s are updated, and nothing else',
    async (table) => {
      await change(table, 1000);
      expect(await stored(table)).toEqual(changed(1000));
    },
  );

  test.runIf(isMysql)('a time that counts updates is that of the records that changed', async () => {
    const times = async () => (await database.query('SELECT id FROM stamped WHERE seen > 20020101')).length;
    await database.exec("UPDATE stamped SET a = id, seen = '2001-01-01'");
    await change('stamped', 0);
    expect(await times()).toBe(0);
    await gateway.result('datastore_upsert', {
      resource_id: 'stamped',
      records: ids.map((id) => ({ id, a: Math.min(id, 50) })),
    });
    expect(await times()).toBe(10);
  });

  test.runIf(isMysql)('the next new record gets the next number', async () => {
    await change('counted', 2000);
    await gateway.result('datastore_upsert', { resource_id: 'counted', method: 'insert', records: [{ a: 1 }] });
    expect((await stored('counted')).at(-1)).toEqual([count + 1, 1, 0]);
    await database.exec(`DELETE FROM counted WHERE id > ${count}`);
  });

  test.runIf(!isMysql)('no number is taken from a sequence', async () => {
    await change('numbered', 2000);
    expect(await database.query('SELECT last_value FROM numbered_n_seq')).toEqual([[String(count)]]);
  });

  test('a key that was dropped meanwhile leads to no second record', async () => {
    await database.exec(withoutKey[client]);
    await change('keyless', 3000);
    expect(await stored('keyless')).toEqual(changed(3000));
  });

  test('a user that may update but not insert updates', async () => {
    await change('granted', 4000, 'update');
    expect(await stored('granted')).toEqual(changed(4000));
  });

  test('one that fails undoes all, and is named', async () => {
    const records = ids.map((id) => ({ id, a: id === 55 ? 999 : 1 }));
    const { status, text } = await gateway.call('datastore_upsert', { resource_id: 'refers', records });
    expect([status, JSON.parse(text).error]).toEqual([
      409,
      expect.objectContaining({ records_row: 54, records_field: 'a' }),
    ]);
    expect(await stored('refers')).toEqual(changed(0));
  });
});
