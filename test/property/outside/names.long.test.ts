import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { freshDatabase, openSession, type ServerDatabase, type ServerEngine } from '../../support/servers/engines.ts';
import { openScope, type Scope } from '../../support/servers/scope.ts';
import { variants } from './variants.ts';

/** Resources: `a` and `b` are tables, `v` is a view over `a`, `c` refers to `b` with a cascade, `p` is partitioned. `other` has no resource. */
const tables = {
  postgres: `CREATE TABLE a (id integer PRIMARY KEY, n integer); CREATE TABLE b (id integer PRIMARY KEY, n integer);
    CREATE TABLE c (id integer PRIMARY KEY REFERENCES b ON UPDATE CASCADE ON DELETE CASCADE, n integer);
    CREATE VIEW v AS SELECT id, n FROM a; CREATE TABLE other (id integer PRIMARY KEY, n integer);
    CREATE TABLE p (id integer PRIMARY KEY, n integer) PARTITION BY RANGE (id);
    CREATE TABLE "P.1 ""x" PARTITION OF p FOR VALUES FROM (0) TO (100); CREATE UNLOGGED TABLE u (id integer PRIMARY KEY, n integer);
    CREATE MATERIALIZED VIEW m AS SELECT id, n FROM other; CREATE UNIQUE INDEX ON m (id);
    CREATE TABLE logged (id serial PRIMARY KEY, n integer);
    CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN UPDATE a SET n = NEW.n WHERE id = 2; RETURN NULL; END';
    CREATE TRIGGER t AFTER INSERT ON logged FOR EACH ROW EXECUTE FUNCTION f();`,
  mysql: `CREATE TABLE a (id integer PRIMARY KEY, n integer) ENGINE=InnoDB; CREATE TABLE b (id integer PRIMARY KEY, n integer) ENGINE=InnoDB;
    CREATE TABLE c (id integer PRIMARY KEY, n integer, FOREIGN KEY (id) REFERENCES b (id) ON UPDATE CASCADE ON DELETE CASCADE) ENGINE=InnoDB;
    CREATE VIEW v AS SELECT id, n FROM a; CREATE TABLE other (id integer PRIMARY KEY, n integer) ENGINE=InnoDB;
    CREATE TABLE p (id integer PRIMARY KEY, n integer) ENGINE=InnoDB PARTITION BY RANGE (id) (PARTITION p1 VALUES LESS THAN (100));
    CREATE TABLE u (id integer PRIMARY KEY, n integer) ENGINE=MyISAM;
    CREATE TABLE logged (id integer AUTO_INCREMENT PRIMARY KEY, n integer) ENGINE=InnoDB;
    CREATE TRIGGER t AFTER INSERT ON logged FOR EACH ROW UPDATE a SET n = NEW.n WHERE id = 2;`,
};
const rows = ['a', 'b', 'c', 'p', 'u', 'other']
  .map((table) => `INSERT INTO ${table} VALUES (1, 0), (2, 0), (3, 0)`)
  .join('; ');

/** Statements of other clients, and the resources that they invalidate; `all` for those of every table. */
type Case = readonly [statements: readonly string[], invalid: readonly string[] | 'all'];
const everywhere: readonly Case[] = [
  [['UPDATE other SET n = n + 1'], []],
  [['UPDATE a SET n = n + 1'], ['a', 'v']],
  [['BEGIN', 'UPDATE other SET n = n + 1', 'UPDATE c SET n = n + 1 WHERE id = 1', 'COMMIT'], ['c']],
  [
    ['DELETE FROM a WHERE id = 3', 'INSERT INTO a VALUES (3, 5)'],
    ['a', 'v'],
  ],
  [['BEGIN', 'UPDATE a SET n = 77', 'ROLLBACK'], []],
  [
    [
      'BEGIN',
      'UPDATE other SET n = 7',
      'SAVEPOINT s',
      'UPDATE a SET n = 8 WHERE id = 1',
      'RELEASE SAVEPOINT s',
      'COMMIT',
    ],
    ['a', 'v'],
  ],
  [['UPDATE p SET n = n + 1 WHERE id = 2'], ['p']],
  [['INSERT INTO logged (n) VALUES (42)'], ['a', 'v']],
  [['BEGIN', 'SELECT * FROM a FOR UPDATE', 'COMMIT'], []],
];
const cases: Readonly<Record<'postgres' | 'mysql', readonly Case[]>> = {
  postgres: [
    ...everywhere,
    [['UPDATE b SET id = 13 WHERE id = 3'], ['b', 'c']],
    [
      ['BEGIN', 'UPDATE other SET n = 7', 'SAVEPOINT s', 'UPDATE a SET n = 78', 'ROLLBACK TO SAVEPOINT s', 'COMMIT'],
      [],
    ],
    [['BEGIN', 'UPDATE b SET n = n + 1', `PREPARE TRANSACTION 'x'`, `COMMIT PREPARED 'x'`], ['b']],
    [['UPDATE "P.1 ""x" SET n = n + 1'], ['p']],
    [[`SELECT pg_notify('x', 'y')`, `SELECT pg_logical_emit_message(true, 'x', 'y')`], []],
    // The server logs these commits only after they have become visible.
    [['UPDATE u SET n = n + 1'], 'all'],
    [['SET synchronous_commit = off', 'UPDATE b SET n = n + 1', 'SET synchronous_commit = on'], 'all'],
    [['BEGIN', 'UPDATE other SET n = n + 1', 'REFRESH MATERIALIZED VIEW m', 'COMMIT'], 'all'],
  ],
  mysql: [
    ...everywhere,
    // The log event of a table also names the tables that its foreign keys may change.
    [['UPDATE b SET id = 13 WHERE id = 3'], ['b', 'c']],
    [['UPDATE u SET n = n + 1'], ['u']],
    [['TRUNCATE p'], 'all'],
    [['SET SESSION binlog_format = STATEMENT', 'UPDATE a SET n = n + 1', 'SET SESSION binlog_format = ROW'], 'all'],
  ],
};

const withLog = variants().filter(({ hasLog }) => hasLog);

describe.each(withLog.map((variant) => [variant.name, variant] as const))('what others write on %s', (_, variant) => {
  let scope: Scope;
  let engine: ServerEngine;
  let database: ServerDatabase;
  let gateway: TestGateway;
  const resources = ['a', 'b', 'c', 'v', 'p', 'u', ...(variant.client === 'postgres' ? ['m'] : [])];
  const unlogged = variant.client === 'postgres' ? ['u'] : [];
  beforeAll(async () => {
    scope = openScope();
    engine = await variant.start(scope);
    database = await freshDatabase(engine);
    await database.exec(`${tables[database.client]} ${rows};`);
    if (database.client === 'postgres') await database.exec('REFRESH MATERIALIZED VIEW m');
    gateway = await startGateway({
      databases: {
        db: { client: engine.client, connection: database.url, maxStaleness: '50ms', refresh: 0, feed: 'required' },
      },
      resources: Object.fromEntries(
        resources.map((table) => [table, { database: 'db', table, key: ['id'], access: { read: 'public' } }]),
      ),
      cache: { ttl: '1h' },
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
    await scope?.close();
  });

  const read = async (table: string) => {
    const response = await fetch(`${gateway.url}/api/3/action/datastore_search?resource_id=${table}&sort=id`);
    const { result }: { result?: { records: unknown } } = JSON.parse(await response.text());
    return { isHit: response.headers.get('x-cache') === 'HIT', records: result?.records };
  };
  const readAll = () => Promise.all(resources.map(read));
  /** Waits until every earlier proof has expired. */
  const later = () => sleep(60);
  /** Waits until all answers are cached: the log stream may still be opening, or the catalogue being read. */
  const settled = () =>
    expect
      .poll(
        async () => {
          await database.exec('UPDATE other SET n = n + 1').catch(() => database.exec('UPDATE b0 SET n = n + 1'));
          await later();
          return (await readAll()).every(({ isHit }, nth) => isHit || unlogged.includes(resources[nth] ?? ''));
        },
        { timeout: 20_000 },
      )
      .toBe(true);

  test.each(cases[variant.client])('%j invalidates %j', async (statements, invalid) => {
    await settled();
    await readAll();
    const session = await openSession(database);
    try {
      for (const statement of statements) await session.exec(statement);
    } finally {
      await session.close();
    }
    await later();
    const found = await readAll();
    const anew = resources.filter((_, nth) => found[nth]?.isHit === false);
    if (invalid !== 'all') expect(new Set(anew)).toEqual(new Set([...invalid, ...unlogged]));
    // Whatever is cached must equal the database.
    const now = await Promise.all(
      resources.map(async (table) => {
        const response = await fetch(`${gateway.url}/api/3/action/datastore_search?resource_id=${table}&sort=id`, {
          headers: { 'Cache-Control': 'no-cache' },
        });
        const { result }: { result?: { records: unknown } } = JSON.parse(await response.text());
        return result?.records;
      }),
    );
    expect(found.map(({ records }) => records)).toEqual(now);
  });

  test('the last change of a resource is the last commit that changed its table', async () => {
    const lastChange = async (): Promise<string | undefined> => {
      const response = await fetch(`${gateway.url}/api/3/action/datastore_info?id=a`);
      const { result }: { result?: { about: { last_change?: string } } } = JSON.parse(await response.text());
      return result?.about.last_change;
    };
    await settled();
    await database.exec('UPDATE a SET n = n + 1');
    await settled();
    const first = await lastChange();
    expect(first).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    await database.exec('UPDATE other SET n = n + 1');
    await later();
    expect(await lastChange()).toBe(first);
    await database.exec('UPDATE a SET n = n + 1');
    await later();
    expect(Date.parse((await lastChange()) ?? '')).toBeGreaterThan(Date.parse(first ?? ''));
  });
});
