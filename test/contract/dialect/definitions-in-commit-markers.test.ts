/** On servers that store definitions and rights outside InnoDB, the commit marker must change with each of them as well. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { variants } from '../../property/outside/variants.ts';
import { type Opened, open } from '../../support/open-database.ts';
import { freshDatabase, type ServerDatabase } from '../../support/servers/engines.ts';
import { openScope, type Scope } from '../../support/servers/scope.ts';

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
  'FLUSH PRIVILEGES',
];

// A server without other clients, whose writes would change the marker too.
const alone = variants().filter(({ commitMarkers }) => commitMarkers.includes('Innodb_max_trx_id'));

describe.each(alone.map((variant) => [variant.name, variant] as const))('on %s', (_, variant) => {
  let scope: Scope;
  let database: ServerDatabase;
  let opened: Opened;
  beforeAll(async () => {
    scope = openScope();
    database = await freshDatabase(await variant.start(scope));
    await database.exec('CREATE TABLE t (id int PRIMARY KEY)');
    opened = await open(database);
  });
  afterAll(async () => {
    await opened?.close();
    await database?.drop();
    await scope?.close();
  });

  test('a change of definitions or of rights changes the token', async () => {
    const source = await opened.commitMarkers();
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

  test.runIf(variant.name.startsWith('mariadb'))('so does what replaces a user or a package', async () => {
    const source = await opened.commitMarkers();
    if (source === null) throw new Error('no token');
    await database.exec(`CREATE USER replaced`);
    for (const change of ['CREATE OR REPLACE USER replaced', 'CREATE PACKAGE pk AS FUNCTION f RETURN int; END']) {
      const before = await opened.sample(source);
      await database.exec(`SET sql_mode = 'ORACLE'; ${change}`);
      expect(await opened.sample(source), change).not.toBe(before);
    }
    await database.exec('DROP USER replaced');
  });
});
