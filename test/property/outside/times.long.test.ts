import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { freshDatabase, openSession, type ServerDatabase } from '../../support/servers/engines.ts';
import { openScope, type Scope } from '../../support/servers/scope.ts';
import { variants } from './variants.ts';

/** `v` is a view over `a`, `w` one over a table that the catalogue does not tell, a delete from `b` changes `c`, a row of `t` changes `a`. Nobody has written to `never` and `never2`. */
const schema = `CREATE TABLE a (id integer PRIMARY KEY, n integer) ENGINE=InnoDB; CREATE TABLE b (id integer PRIMARY KEY, n integer) ENGINE=InnoDB;
  CREATE TABLE c (id integer PRIMARY KEY, n integer, FOREIGN KEY (id) REFERENCES b (id) ON UPDATE CASCADE ON DELETE CASCADE) ENGINE=InnoDB;
  CREATE TABLE never (id integer PRIMARY KEY, n integer) ENGINE=InnoDB; CREATE TABLE never2 LIKE never; CREATE TABLE a2 LIKE a;
  CREATE TABLE p (id integer PRIMARY KEY, n integer) ENGINE=InnoDB PARTITION BY RANGE (id) (PARTITION p1 VALUES LESS THAN (10), PARTITION p2 VALUES LESS THAN (100));
  CREATE VIEW v AS SELECT id, n FROM a; CREATE VIEW v2 AS SELECT id, n + 500 AS n FROM a; CREATE TABLE other (id integer PRIMARY KEY, n integer) ENGINE=InnoDB;
  CREATE FUNCTION noted() RETURNS integer READS SQL DATA RETURN (SELECT n FROM other WHERE id = 1); CREATE VIEW w AS SELECT id, noted() AS n FROM c;
  CREATE TABLE t (id integer AUTO_INCREMENT PRIMARY KEY, n integer) ENGINE=InnoDB;
  CREATE TRIGGER after_t AFTER INSERT ON t FOR EACH ROW UPDATE a SET n = NEW.n WHERE id = 2;
  INSERT INTO a VALUES (1, 0), (2, 0); INSERT INTO a2 VALUES (1, 50); INSERT INTO b VALUES (1, 0), (2, 0), (3, 0); INSERT INTO c VALUES (1, 0), (2, 0), (3, 0);
  INSERT INTO p VALUES (1, 0), (11, 0); INSERT INTO other VALUES (1, 0);`;
const resources = ['a', 'b', 'c', 'never', 'v'];

/** Each leaves rows that differ from those before. */
const changes: readonly string[][] = [
  ['UPDATE a SET n = n + 1'],
  ['UPDATE v SET n = n + 1'],
  ['BEGIN', 'INSERT INTO never VALUES (5, 5)', 'COMMIT'],
  ['TRUNCATE never'],
  ['INSERT INTO never2 VALUES (7, 7)'],
  ['RENAME TABLE never TO never3, never2 TO never'],
  ['RENAME TABLE a TO a3, a2 TO a'],
  ['DELETE FROM b WHERE id = 3'],
  ['INSERT INTO t (n) VALUES (42)'],
  [`XA START 'x'`, 'UPDATE c SET n = n + 1 WHERE id = 1', `XA END 'x'`, `XA PREPARE 'x'`, `XA COMMIT 'x'`],
  ['CREATE OR REPLACE VIEW v AS SELECT id, n + 1000 AS n FROM a'],
  ['RENAME TABLE v TO v3, v2 TO v'],
  ['DROP FUNCTION noted', 'CREATE FUNCTION noted() RETURNS integer DETERMINISTIC RETURN 77'],
  ['ALTER TABLE b DROP COLUMN n', 'ALTER TABLE b ADD COLUMN n integer DEFAULT 9'],
  ['FLUSH TABLES', 'UPDATE a SET n = n + 1', 'FLUSH TABLES'],
  ['UPDATE p SET n = n + 1 WHERE id = 11'],
  ['UPDATE other SET n = n + 1'],
];

const variant = variants().find(({ queried }) => queried === 'times');

describe.skipIf(variant === undefined)('times of the last commits', () => {
  let scope: Scope;
  let database: ServerDatabase;
  let gateway: TestGateway;
  const start = (tables: readonly string[]) =>
    startGateway({
      databases: { db: { client: 'mysql', connection: database.url, maxStaleness: '50ms', refresh: 0, feed: 'times' } },
      resources: Object.fromEntries(
        tables.map((table) => [table, { database: 'db', table, key: ['id'], access: { read: 'public' } }]),
      ),
      cache: { ttl: '1h' },
    });
  beforeAll(async () => {
    scope = openScope();
    if (variant === undefined) return;
    database = await freshDatabase(await variant.start(scope));
    await database.exec(schema);
    gateway = await start([...resources, 'p', 'w']);
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
    await scope.close();
  });

  /** Without records where the server refuses to read, as a view that lacks its function. */
  const read = async (table: string, headers: Record<string, string> = {}) => {
    const target = `${gateway.url}/api/3/action/datastore_search?resource_id=${table}&sort=id`;
    const response = await fetch(target, { headers });
    const text = await response.text();
    expect([200, 503], text).toContain(response.status);
    const { result }: { result?: { records: unknown } } = JSON.parse(text);
    return { isHit: response.headers.get('x-cache') === 'HIT', records: result?.records };
  };
  const readAll = (tables: readonly string[], headers = {}) => Promise.all(tables.map((table) => read(table, headers)));
  /** Later than any proof from before it. */
  const later = () => sleep(60);
  /** Until a commit to a table that has no resource leaves these in the cache. */
  const settled = (tables: readonly string[]) =>
    expect
      .poll(
        async () => {
          await readAll(tables);
          await database.exec('UPDATE other SET n = n + 1');
          await later();
          return (await readAll(tables)).map(({ isHit }) => isHit);
        },
        { timeout: 20_000 },
      )
      .toEqual(tables.map(() => true));

  test('a commit costs the answers of its table only, however often in one second', async () => {
    await settled(resources);
    let untimed = 0;
    for (let n = 0; n < 4; n++) {
      await database.exec('UPDATE a SET n = n + 1');
      // Longer than a token may be early.
      for (let past = 0; past < 6; past++) await later().then(() => readAll(resources));
      await database.exec('UPDATE a SET n = n + 1');
      await later();
      const found = await readAll(resources);
      const [written, other, third, never, after] = found.map(({ isHit }) => isHit);
      expect([written, other, third, after]).toEqual([false, true, true, false]);
      if (never) untimed++;
      expect(found).toMatchObject(
        (await readAll(resources, { 'Cache-Control': 'no-cache' })).map(({ records }) => ({ records })),
      );
    }
    // A table without a time counts as changed where the server has opened a copy of any table, as for reads in parallel.
    expect(untimed).toBeGreaterThan(0);
    await settled(resources);
  }, 30_000);

  test('whatever changes rows, no answer is old', async () => {
    const tables = [...resources, 'p', 'w'];
    for (const statements of changes) {
      await readAll(tables);
      const session = await openSession(database);
      try {
        for (const statement of statements) {
          await session.exec(statement);
          await later();
          const found = await readAll(tables);
          const now = await readAll(tables, { 'Cache-Control': 'no-cache' });
          for (const [nth, { records }] of now.entries()) {
            const table = tables[nth] ?? '';
            // A refusal (503) says `try again`: what the gateway has read of the tables may be of a moment without the function.
            if (found[nth]?.records === undefined && records !== undefined)
              await expect.poll(() => read(table), { message: statement }).toMatchObject({ records });
            else expect(found[nth]?.records, `${table} after ${statement}`).toEqual(records);
          }
        }
      } finally {
        await session.close();
      }
    }
    await settled(resources);
  }, 60_000);

  test('two transactions that began in the same second, one of which was open for long', async () => {
    await settled(resources);
    const [one, other] = await Promise.all([openSession(database), openSession(database)]);
    const clock = async () => Number((await one.query('SELECT UNIX_TIMESTAMP(NOW(6))'))[0]?.[0]);
    /** Others commit, and somebody asks, until a time of now is no time of the last two seconds. */
    const quiet = async () => {
      for (const until = (await clock()) + 3; (await clock()) < until; ) {
        await database.exec('UPDATE other SET n = n + 1');
        await later();
        await readAll(resources);
      }
    };
    try {
      await expect.poll(async () => (await clock()) % 1).toBeLessThan(0.5);
      // Its first statement only reads. With a snapshot, MariaDB 11.6 and newer would refuse its update.
      await one.exec('SET TRANSACTION ISOLATION LEVEL READ COMMITTED; BEGIN; SELECT * FROM a');
      await other.exec('UPDATE a SET n = n + 1 WHERE id = 1');
      await quiet();
      await one.exec('UPDATE a SET n = n + 1 WHERE id = 1; COMMIT');
      await quiet();
      const found = (await readAll(resources)).map(({ records }) => ({ records }));
      expect(await readAll(resources, { 'Cache-Control': 'no-cache' })).toMatchObject(found);
    } finally {
      await one.close();
      await other.close();
    }
    await settled(resources);
  }, 60_000);

  test('a locked table costs the other answers no time', async () => {
    await settled(resources);
    const session = await openSession(database);
    try {
      await session.exec('LOCK TABLES other WRITE, never WRITE');
      for (let n = 0; n < 5; n++) {
        await session.exec('UPDATE other SET n = n + 1');
        await later();
        expect((await read('a')).records).toEqual((await read('a', { 'Cache-Control': 'no-cache' })).records);
      }
    } finally {
      await session.close();
    }
  });
});
