/** Servers that keep definitions and rights beside InnoDB: their token changes with each of them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Opened, open } from '../../support/open-database.ts';
import { byName, freshDatabase, type ServerDatabase, servers } from '../../support/servers/engines.ts';

const changes = (user: string) => [
  'CREATE VIEW v AS SELECT id FROM t',
  'CREATE OR REPLACE VIEW v AS SELECT id + 1 AS id FROM t',
  'CREATE PROCEDURE p() SELECT 1',
  'ALTER PROCEDURE p SQL SECURITY INVOKER',
  'DROP PROCEDURE p',
  'CREATE FUNCTION f() RETURNS int DETERMINISTIC RETURN 1',
  'DROP FUNCTION f',
  `GRANT SELECT ON t TO ${user}`,
  `REVOKE SELECT ON t FROM ${user}`,
  `REVOKE ALL PRIVILEGES, GRANT OPTION FROM ${user}`,
  `RENAME USER ${user} TO renamed_${user}`,
  `DROP USER renamed_${user}`,
  'DROP VIEW v',
];

describe.each(byName(servers().filter(({ name }) => name === 'mariadb')))('on %s', (_, engine) => {
  let database: ServerDatabase;
  let opened: Opened;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    await database.exec('CREATE TABLE t (id int PRIMARY KEY)');
    opened = await open(database);
  });
  afterAll(async () => {
    await opened?.close();
    await database?.drop();
  });

  test('a change of definitions or of rights changes the token', async () => {
    const source = await opened.token();
    if (source === null) throw new Error('no token');
    const user = `of_${new URL(database.url).pathname.slice(1, 20)}`;
    await database.exec(`CREATE USER ${user}`);
    const unseen: string[] = [];
    for (const change of changes(user)) {
      const before = await opened.sample(source);
      await database.exec(change);
      if ((await opened.sample(source)) === before) unseen.push(change);
    }
    expect(unseen).toEqual([]);
  });
});
