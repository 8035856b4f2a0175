/** On MySQL and MariaDB many records are updated by an INSERT: where that might do more, or is refused, it must not show. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { byName, freshDatabase, type ServerDatabase, servers } from '../../support/servers/engines.ts';

const count = 60;
const ids = Array.from({ length: count }, (_, nth) => nth + 1);
/** Each with 60 records whose `a` is their id. */
const tables = {
  granted: 'id int PRIMARY KEY, a int, must int',
  refers: 'id int PRIMARY KEY, a int, must int, FOREIGN KEY (a) REFERENCES granted (id)',
  needed: 'id int PRIMARY KEY, a int, must int NOT NULL',
  checked: 'id int PRIMARY KEY, a int, must int DEFAULT 0, CHECK (a IS NULL OR must > 0)',
  stamped:
    "id int PRIMARY KEY, a int, must int, seen timestamp NOT NULL DEFAULT '2001-01-01' ON UPDATE CURRENT_TIMESTAMP",
  counted: 'id int AUTO_INCREMENT PRIMARY KEY, a int, must int',
  watched: 'id int PRIMARY KEY, a int, must int',
  keyless: 'id int, a int, must int, PRIMARY KEY (id)',
} as const;

describe.each(byName(servers().filter(({ client }) => client === 'mysql')))('on %s', (_, engine) => {
  let database: ServerDatabase;
  let gateway: TestGateway;
  let user = '';
  beforeAll(async () => {
    database = await freshDatabase(engine);
    for (const [name, columns] of Object.entries(tables)) {
      await database.exec(`CREATE TABLE ${name} (${columns}) ENGINE=InnoDB`);
      await database.exec(`INSERT INTO ${name} (id, a, must) VALUES ${ids.map((id) => `(${id}, ${id}, 7)`)}`);
    }
    await database.exec('CREATE TRIGGER marks BEFORE INSERT ON watched FOR EACH ROW SET NEW.a = -1');
    const url = new URL(database.url);
    user = `u${url.pathname.slice(-10)}`;
    const name = url.pathname.slice(1);
    await database.exec(`CREATE USER '${user}'@'%' IDENTIFIED BY 'p'`);
    for (const rights of [`SELECT, UPDATE ON \`${name}\`.*`, `TRIGGER ON \`${name}\`.*`])
      await database.exec(`GRANT ${rights} TO '${user}'@'%'`);
    [url.username, url.password] = [user, 'p'];
    const access = { read: 'token', write: 'token' };
    const resources = Object.keys(tables).map((table) => [
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
    if (user !== '') await database.exec(`DROP USER '${user}'@'%'`);
    await database?.drop();
  });

  const change = (resource_id: string, by: number, method = 'upsert') =>
    gateway.result('datastore_upsert', { resource_id, method, records: ids.map((id) => ({ id, a: id + by })) });
  const stored = async (table: string) =>
    (await database.query(`SELECT id, a, must FROM ${table} ORDER BY id`)).map((row) => Object.values(row).map(Number));
  const changed = (by: number) => ids.map((id) => [id, id + by, 7]);

  test.each(['needed', 'checked', 'counted', 'watched'])(
    'records of %s are updated, and nothing else',
    async (table) => {
      await change(table, 1000);
      expect(await stored(table)).toEqual(changed(1000));
    },
  );

  test('a time that counts updates is that of the records that changed', async () => {
    const times = async () => (await database.query('SELECT id FROM stamped WHERE seen > 20020101')).length;
    await change('stamped', 0);
    expect(await times()).toBe(0);
    await gateway.result('datastore_upsert', {
      resource_id: 'stamped',
      records: ids.map((id) => ({ id, a: Math.min(id, 50) })),
    });
    expect(await times()).toBe(10);
  });

  test('the next new record gets the next number', async () => {
    await change('counted', 2000);
    await gateway.result('datastore_upsert', { resource_id: 'counted', method: 'insert', records: [{ a: 1 }] });
    expect((await stored('counted')).at(-1)).toEqual([count + 1, 1, 0]);
    await database.exec(`DELETE FROM counted WHERE id > ${count}`);
  });

  test('a key that was dropped meanwhile leads to no second record', async () => {
    await database.exec('ALTER TABLE keyless DROP PRIMARY KEY, ADD INDEX (id)');
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
