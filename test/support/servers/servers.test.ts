import { existsSync } from 'node:fs';
import { describe, expect, inject, test } from 'vitest';
import { engines, freshDatabase, openSession } from './engines.ts';

const text = 'naïve — наївний — 素朴 — 🦔';

describe.each(engines())('$name', (engine) => {
  test('rows are the text of the server, also outside the basic plane', async () => {
    const db = await freshDatabase(engine);
    await db.exec(`
      CREATE TABLE hedgehog (n INT PRIMARY KEY, name VARCHAR(100), missing INT);
      INSERT INTO hedgehog VALUES (1, '${text}', NULL);
      CREATE TABLE t (big BIGINT, exact DECIMAL(20,4), day DATE, moment TIMESTAMP);
      INSERT INTO t VALUES (9007199254740993, 1.5, '2024-02-29', '2024-02-29 13:14:15')`);
    expect(await db.query('SELECT * FROM hedgehog, t')).toEqual([
      ['1', text, null, '9007199254740993', '1.5000', '2024-02-29', '2024-02-29 13:14:15'],
    ]);
    await db.drop();
  });

  test('databases do not see one another', async () => {
    const [one, two] = await Promise.all([freshDatabase(engine), freshDatabase(engine)]);
    await one.exec('CREATE TABLE here (n INT)');
    await expect(two.query('SELECT * FROM here')).rejects.toThrow(/here/);
    await Promise.all([one.drop(), two.drop()]);
  });

  test('drop removes it, also under a forgotten session', async () => {
    const db = await freshDatabase(engine);
    if (db.client === 'pglite') {
      expect(existsSync(db.directory)).toBe(true);
      await db.drop();
      expect(existsSync(db.directory)).toBe(false);
      return;
    }
    const forgotten = await openSession(db);
    await db.drop();
    await expect(openSession(db)).rejects.toThrow(/exist|Unknown database/);
    await forgotten.close();
  });
});

test.each(inject('engines'))('$name: its admin is a superuser', async ({ client, url }) => {
  const session = await openSession({ client, url });
  const question = {
    postgres: `SELECT rolsuper::int FROM pg_roles WHERE rolname = current_user`,
    mysql: `SELECT super_priv = 'Y' FROM mysql.user WHERE CONCAT(user, '@', host) = CURRENT_USER()`,
  };
  expect(await session.query(question[client])).toEqual([['1']]);
  await session.close();
});

test.each(inject('engines').filter(({ client }) => client === 'postgres'))(
  '$name makes databases of any encoding',
  async (engine) => {
    const session = await openSession(engine);
    const name = `gw_latin1_${process.pid}`;
    await session.exec(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'`);
    await session.exec(`DROP DATABASE ${name}`);
    await session.close();
  },
);
