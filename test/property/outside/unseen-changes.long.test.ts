import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { freshDatabase, openSession, type ServerDatabase, type ServerEngine } from '../../support/servers/engines.ts';
import { openScope, type Scope } from '../../support/servers/scope.ts';
import { type Variant, variants } from './variants.ts';

const withLog = variants().filter(({ hasLog }) => hasLog);
const variantsOf = (client: Variant['client']) => withLog.filter((variant) => variant.client === client);
const postgres = variants().filter((it) => it.client === 'postgres' && it.hasLog);
/** `other` has no resource: when the log names it, answers over `a` stay cached. */
const base = `CREATE TABLE a (id integer PRIMARY KEY, n integer); CREATE TABLE other (id integer PRIMARY KEY, n integer);
  INSERT INTO a VALUES (1, 0), (2, 0); INSERT INTO other VALUES (1, 0)`;

/** SQL that creates the resource `shown`, and statements that other clients run in two sessions. Each changes an answer of `shown`. */
interface Case {
  readonly name: string;
  readonly schema: readonly string[];
  /** Statements to run before the answers are cached. */
  readonly before?: readonly string[];
  readonly statements: readonly string[];
  /** Whether they run in another database of the server. */
  readonly isElsewhere?: true;
}
const besideAnUpdate = (statement: string) => ['BEGIN', statement, 'UPDATE other SET n = n + 1', 'COMMIT'];
const onPostgres: readonly Case[] = [
  {
    name: 'a query in a text',
    schema: [`CREATE VIEW shown AS SELECT 1 AS id, query_to_xml('SELECT sum(n) FROM a', true, false, '')::text AS n`],
    statements: ['UPDATE a SET n = 7'],
  },
  {
    name: 'a large object',
    schema: [`SELECT lo_from_bytea(4711, 'abc')`, 'CREATE VIEW shown AS SELECT 1 AS id, lo_get(4711)::text AS n'],
    statements: besideAnUpdate(`SELECT lo_put(4711, 0, 'xyz')`),
  },
  {
    name: 'a table of the system',
    schema: [
      'CREATE VIEW inner_view AS SELECT count(*) AS n FROM pg_roles',
      'CREATE VIEW shown AS SELECT 1 AS id, n FROM inner_view',
    ],
    statements: besideAnUpdate('CREATE ROLE unseen_role'),
  },
  {
    name: 'a table of the system, from another database',
    schema: ['CREATE VIEW shown AS SELECT 1 AS id, count(*) AS n FROM pg_roles'],
    statements: ['CREATE ROLE role_of_elsewhere'],
    isElsewhere: true,
  },
  {
    name: 'the rights of the owner of a view, from another database',
    schema: [
      'CREATE ROLE viewer SUPERUSER',
      'CREATE VIEW shown AS SELECT id, n FROM a',
      'ALTER VIEW shown OWNER TO viewer',
    ],
    statements: ['ALTER ROLE viewer NOSUPERUSER'],
    isElsewhere: true,
  },
  {
    name: 'an operator whose function reads a table',
    schema: [
      `CREATE FUNCTION plus_a(integer, integer) RETURNS integer LANGUAGE sql STABLE AS $$SELECT $1 + $2 + (SELECT sum(n) FROM a)::integer$$`,
      'CREATE OPERATOR |>| (LEFTARG = integer, RIGHTARG = integer, FUNCTION = plus_a)',
      'CREATE VIEW shown AS SELECT 1 AS id, 1 |>| 2 AS n',
    ],
    statements: ['UPDATE a SET n = 7'],
  },
  {
    name: 'an attribute of a composite type',
    schema: [
      'CREATE TYPE pair AS (x integer, y integer)',
      `CREATE TABLE pairs (id integer PRIMARY KEY, c pair)`,
      `INSERT INTO pairs VALUES (1, '(1,2)')`,
      'CREATE VIEW shown AS SELECT id, row_to_json(pairs.*)::text AS n FROM pairs',
    ],
    statements: besideAnUpdate('ALTER TYPE pair RENAME ATTRIBUTE x TO z'),
  },
  {
    name: 'an attribute of a composite type within another, in an array',
    schema: [
      'CREATE TYPE pair AS (x integer, y integer)',
      'CREATE TYPE outer_pair AS (inside pair)',
      `CREATE TABLE pairs (id integer PRIMARY KEY, c outer_pair[])`,
      `INSERT INTO pairs VALUES (1, ARRAY[ROW(ROW(1, 2))::outer_pair])`,
      'CREATE VIEW shown AS SELECT id, to_json(c)::text AS n FROM pairs',
    ],
    statements: besideAnUpdate('ALTER TYPE pair RENAME ATTRIBUTE x TO z'),
  },
  {
    name: 'an attribute of a composite type in the query of a view',
    schema: [
      'CREATE TYPE pair AS (x integer, y integer)',
      'CREATE VIEW shown AS SELECT id, to_json(ROW(id, n)::pair)::text AS n FROM a',
    ],
    statements: besideAnUpdate('ALTER TYPE pair RENAME ATTRIBUTE x TO z'),
  },
  {
    name: 'a column of a table whose row is a value',
    schema: [
      'CREATE TABLE pairs (x integer, y integer)',
      'CREATE TABLE of_pairs (id integer PRIMARY KEY, c pairs[])',
      'INSERT INTO of_pairs VALUES (1, ARRAY[ROW(1, 2)::pairs])',
      'CREATE VIEW shown AS SELECT id, to_json(c)::text AS n FROM of_pairs',
    ],
    statements: besideAnUpdate('ALTER TABLE pairs RENAME COLUMN x TO z'),
  },
  {
    name: 'a cast to JSON',
    schema: [
      `CREATE TYPE level AS ENUM ('low')`,
      `CREATE FUNCTION level_json(level) RETURNS json LANGUAGE sql IMMUTABLE AS $$SELECT json_build_object('k', $1::text)$$`,
      `CREATE VIEW shown AS SELECT id, to_json('low'::level)::text AS n FROM a`,
    ],
    statements: besideAnUpdate('CREATE CAST (level AS json) WITH FUNCTION level_json(level)'),
  },
  {
    name: 'a dropped cast to JSON',
    schema: [
      `CREATE TYPE level AS ENUM ('low')`,
      `CREATE FUNCTION level_json(level) RETURNS json LANGUAGE sql IMMUTABLE AS $$SELECT json_build_object('k', $1::text)$$`,
      'CREATE CAST (level AS json) WITH FUNCTION level_json(level)',
      'CREATE TABLE levels (id integer PRIMARY KEY, n level)',
      `INSERT INTO levels VALUES (1, 'low')`,
      'CREATE VIEW shown AS SELECT id, to_json(n)::text AS n FROM levels',
    ],
    statements: besideAnUpdate('DROP CAST (level AS json)'),
  },
  {
    name: 'a cast to JSON whose function reads a table',
    schema: [
      `CREATE TYPE level AS ENUM ('low')`,
      'CREATE FUNCTION level_json(level) RETURNS json LANGUAGE sql STABLE AS $$SELECT to_json(sum(n)) FROM a$$',
      'CREATE CAST (level AS json) WITH FUNCTION level_json(level)',
      `CREATE VIEW shown AS SELECT 1 AS id, to_json('low'::level)::text AS n`,
    ],
    statements: ['UPDATE a SET n = 7'],
  },
  {
    name: 'a check of a domain that reads a table',
    schema: [
      `CREATE FUNCTION is_small(integer) RETURNS boolean LANGUAGE plpgsql STABLE AS $$BEGIN RETURN $1 >= (SELECT max(n) FROM a); END$$`,
      'CREATE DOMAIN small AS integer CHECK (is_small(VALUE))',
      'CREATE VIEW shown AS SELECT 1 AS id, 3::small AS n',
    ],
    statements: ['UPDATE a SET n = 7'],
  },
  {
    name: 'a domain that must not be null',
    schema: ['CREATE DOMAIN small AS integer', 'CREATE VIEW shown AS SELECT id, nullif(n, 0)::small AS n FROM a'],
    statements: besideAnUpdate('ALTER DOMAIN small SET NOT NULL'),
  },
  {
    name: 'an order of a type',
    schema: [
      `CREATE TYPE level AS ENUM ('low', 'high')`,
      'CREATE FUNCTION same(level, level) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$SELECT $1::text = $2::text$$',
      'CREATE FUNCTION before(level, level) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$SELECT $1::text < $2::text$$',
      'CREATE FUNCTION compared(level, level) RETURNS integer LANGUAGE sql IMMUTABLE AS $$SELECT CASE WHEN $1::text < $2::text THEN -1 WHEN $1::text > $2::text THEN 1 ELSE 0 END$$',
      ...['<', '<=', '>=', '>'].map(
        (name) => `CREATE OPERATOR ${name}# (LEFTARG = level, RIGHTARG = level, FUNCTION = before)`,
      ),
      'CREATE OPERATOR =# (LEFTARG = level, RIGHTARG = level, FUNCTION = same)',
      'CREATE TABLE levels (id integer PRIMARY KEY, n level)',
      `INSERT INTO levels VALUES (1, 'low'), (2, 'high')`,
      'CREATE VIEW shown AS SELECT 1 AS id, array_agg(n ORDER BY n)::text AS n FROM levels',
    ],
    statements: besideAnUpdate(
      'CREATE OPERATOR CLASS levels DEFAULT FOR TYPE level USING btree AS OPERATOR 1 <#, OPERATOR 2 <=#, OPERATOR 3 =#, OPERATOR 4 >=#, OPERATOR 5 >#, FUNCTION 1 compared(level, level)',
    ),
  },
  {
    name: 'a role in a right',
    schema: [
      'CREATE ROLE granted_viewer',
      'CREATE TABLE shown (id integer PRIMARY KEY, n aclitem)',
      `INSERT INTO shown VALUES (1, makeaclitem('granted_viewer'::regrole, 'postgres'::regrole, 'SELECT', false))`,
    ],
    statements: besideAnUpdate('ALTER ROLE granted_viewer RENAME TO granted_reader'),
  },
  {
    name: 'the name of a type',
    schema: [
      `CREATE TYPE level AS ENUM ('low')`,
      'CREATE TABLE shown (id integer PRIMARY KEY, n regtype)',
      `INSERT INTO shown VALUES (1, 'level')`,
    ],
    statements: besideAnUpdate('ALTER TYPE level RENAME TO step'),
  },
  {
    name: 'the name of a table in the query of a view',
    schema: [
      'CREATE TABLE called (id integer)',
      'CREATE TABLE numbers (id integer PRIMARY KEY, o oid)',
      `INSERT INTO numbers VALUES (1, 'called'::regclass)`,
      `CREATE VIEW shown AS SELECT id, format('%s', o::regclass) AS n FROM numbers`,
    ],
    statements: besideAnUpdate('ALTER TABLE called RENAME TO named'),
  },
  {
    name: 'the name of a table in a domain in a composite type',
    schema: [
      'CREATE TABLE called (id integer)',
      'CREATE DOMAIN relation AS regclass',
      'CREATE TYPE pair AS (x relation, y integer)',
      'CREATE TABLE shown (id integer PRIMARY KEY, n pair)',
      `INSERT INTO shown VALUES (1, ROW('called', 1))`,
    ],
    statements: besideAnUpdate('ALTER TABLE called RENAME TO named'),
  },
  {
    name: 'a check of a domain below another that reads a table, in an array',
    schema: [
      `CREATE FUNCTION is_small(integer) RETURNS boolean LANGUAGE plpgsql STABLE AS $$BEGIN RETURN $1 >= (SELECT max(n) FROM a); END$$`,
      'CREATE DOMAIN small AS integer CHECK (is_small(VALUE))',
      'CREATE DOMAIN smaller AS small',
      `CREATE VIEW shown AS SELECT 1 AS id, '{3}'::text::smaller[] AS n`,
    ],
    statements: ['UPDATE a SET n = 7'],
  },
  {
    name: 'the name of a table in a row of a table',
    schema: [
      'CREATE TABLE called (id integer)',
      'CREATE TABLE holder (x regclass, y integer)',
      'CREATE TABLE shown (id integer PRIMARY KEY, n holder)',
      `INSERT INTO shown VALUES (1, ROW('called', 1)::holder)`,
    ],
    statements: besideAnUpdate('ALTER TABLE called RENAME TO named'),
  },
  {
    name: 'the name of a table in a range',
    schema: [
      'CREATE TABLE called (id integer)',
      'CREATE TYPE relations AS RANGE (SUBTYPE = regclass)',
      'CREATE TABLE shown (id integer PRIMARY KEY, n relations)',
      `INSERT INTO shown VALUES (1, relations('called', 'called', '[]'))`,
    ],
    statements: besideAnUpdate('ALTER TABLE called RENAME TO named'),
  },
  {
    name: 'the name of a table in a column that a query defines',
    schema: [
      'CREATE TABLE called (id integer)',
      `DO $$BEGIN EXECUTE format('CREATE VIEW shown AS SELECT id, row_to_json(r)::text AS n FROM a, json_to_record(''{"x": "%s"}'') AS r(x regclass)', 'called'::regclass::oid); END$$`,
    ],
    statements: besideAnUpdate('ALTER TABLE called RENAME TO named'),
  },
  {
    name: 'a check of a domain that reads a table, in a range',
    schema: [
      `CREATE FUNCTION is_small(integer) RETURNS boolean LANGUAGE plpgsql STABLE AS $$BEGIN RETURN $1 >= (SELECT max(n) FROM a); END$$`,
      'CREATE DOMAIN small AS integer CHECK (is_small(VALUE))',
      'CREATE TYPE small_range AS RANGE (SUBTYPE = small)',
      `CREATE VIEW shown AS SELECT 1 AS id, '[3,4]'::text::small_range::text AS n`,
    ],
    statements: ['UPDATE a SET n = 7'],
  },
  {
    name: 'a check of a domain that reads a table, in a row of a table',
    schema: [
      `CREATE FUNCTION is_small(integer) RETURNS boolean LANGUAGE plpgsql STABLE AS $$BEGIN RETURN $1 >= (SELECT max(n) FROM a); END$$`,
      'CREATE DOMAIN small AS integer CHECK (is_small(VALUE))',
      'CREATE TABLE holder (x small, y integer)',
      'CREATE TABLE texts (id integer PRIMARY KEY, t text)',
      `INSERT INTO texts VALUES (1, '(3,1)')`,
      'CREATE VIEW shown AS SELECT id, t::holder::text AS n FROM texts',
    ],
    statements: ['UPDATE a SET n = 7'],
  },
  {
    name: 'a column of a table whose rows are in a multirange',
    schema: [
      'CREATE TABLE pairs (x integer, y integer)',
      'CREATE TYPE pair_range AS RANGE (SUBTYPE = pairs)',
      'CREATE TABLE ranges (id integer PRIMARY KEY, r pair_multirange)',
      'INSERT INTO ranges VALUES (1, pair_multirange(pair_range(ROW(1, 2)::pairs, ROW(3, 4)::pairs)))',
      'CREATE VIEW shown AS SELECT id, to_json(lower(r))::text AS n FROM ranges',
    ],
    statements: besideAnUpdate('ALTER TABLE pairs RENAME COLUMN x TO z'),
  },
  {
    name: 'a column of a table whose rows are in a range',
    schema: [
      'CREATE TABLE pairs (x integer, y integer)',
      'CREATE TYPE pair_range AS RANGE (SUBTYPE = pairs)',
      'CREATE TABLE ranges (id integer PRIMARY KEY, r pair_range)',
      'INSERT INTO ranges VALUES (1, pair_range(ROW(1, 2)::pairs, ROW(3, 4)::pairs))',
      'CREATE VIEW shown AS SELECT id, to_json(lower(r))::text AS n FROM ranges',
    ],
    statements: besideAnUpdate('ALTER TABLE pairs RENAME COLUMN x TO z'),
  },
  {
    name: 'a right through a group, which the owner of a view no longer has',
    schema: [
      'CREATE ROLE readers_group',
      'CREATE ROLE group_viewer IN ROLE readers_group',
      'GRANT SELECT ON a TO readers_group',
      'CREATE VIEW shown AS SELECT id, n FROM a',
      'ALTER VIEW shown OWNER TO group_viewer',
    ],
    statements: besideAnUpdate('ALTER ROLE group_viewer NOINHERIT'),
  },
  {
    name: 'a right of the owner of the database, which another becomes',
    schema: [
      'CREATE ROLE owning_viewer',
      'GRANT SELECT ON a TO pg_database_owner',
      'DO $$BEGIN EXECUTE format($x$ALTER DATABASE %I OWNER TO owning_viewer$x$, current_database()); END$$',
      'CREATE VIEW shown AS SELECT id, n FROM a',
      'ALTER VIEW shown OWNER TO owning_viewer',
    ],
    statements: besideAnUpdate(
      'DO $$BEGIN EXECUTE format($x$ALTER DATABASE %I OWNER TO postgres$x$, current_database()); END$$',
    ),
  },
  {
    name: 'a sequence that begins again',
    schema: ['CREATE SEQUENCE numbers', 'CREATE VIEW shown AS SELECT 1 AS id, last_value AS n FROM numbers'],
    statements: besideAnUpdate('ALTER SEQUENCE numbers RESTART WITH 50'),
  },
  {
    name: 'the text search of a language',
    schema: [`CREATE VIEW shown AS SELECT id, to_tsvector('danish', 'hundene')::text AS n FROM a`],
    statements: besideAnUpdate('ALTER TEXT SEARCH CONFIGURATION danish ALTER MAPPING FOR asciiword WITH simple'),
  },
  {
    name: 'a comment',
    schema: [`CREATE VIEW shown AS SELECT 1 AS id, obj_description('a'::regclass, 'pg_class') AS n`],
    statements: besideAnUpdate(`COMMENT ON TABLE a IS 'new'`),
  },
  {
    name: 'a configuration of the text search',
    schema: [
      'CREATE TEXT SEARCH CONFIGURATION cfg (COPY = simple)',
      `CREATE VIEW shown AS SELECT id, to_tsvector('cfg', 'word')::text AS n FROM a`,
    ],
    statements: besideAnUpdate('ALTER TEXT SEARCH CONFIGURATION cfg DROP MAPPING FOR asciiword'),
  },
  {
    name: 'a dropped partition, as many tables as were made before',
    schema: [
      'CREATE TABLE shown (id integer PRIMARY KEY, n integer) PARTITION BY RANGE (id)',
      'CREATE TABLE p1 PARTITION OF shown FOR VALUES FROM (0) TO (100)',
      'INSERT INTO shown VALUES (1, 1)',
    ],
    before: ['CREATE TABLE p2 PARTITION OF shown FOR VALUES FROM (100) TO (200)'],
    statements: ['BEGIN', 'INSERT INTO other SELECT id + 100, n FROM p1', 'DROP TABLE p1', 'COMMIT'],
  },
];

let scope: Scope;
let engine: ServerEngine;
let database: ServerDatabase;
let gateway: TestGateway | null = null;
afterEach(async () => {
  await gateway?.close();
  gateway = null;
  await database?.drop();
});
/** One server for all tests of a variant. */
const serverOf = (variant: Variant) => {
  beforeAll(async () => {
    scope = openScope();
    engine = await variant.start(scope);
  });
  afterAll(() => scope?.close());
};

const start = async (more: Record<string, unknown>, resources = ['a', 'shown']) => {
  gateway = await startGateway({
    databases: {
      db: { client: engine.client, connection: database.url, maxStaleness: '50ms', refresh: '1s', ...more },
    },
    resources: Object.fromEntries(
      resources.map((table) => [table, { database: 'db', table, key: ['id'], access: { read: 'public' } }]),
    ),
    cache: { ttl: '1h' },
  });
};
const read = async (table: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${gateway?.url}/api/3/action/datastore_search?resource_id=${table}&sort=id`, {
    headers,
  });
  const { result }: { result?: { records: unknown } } = JSON.parse(await response.text());
  return { isHit: response.headers.get('x-cache') === 'HIT', records: result?.records };
};
const later = () => sleep(60);
/** Waits until the log is being read: a write to `other` no longer invalidates the answers of `a`. */
const untilNamed = () =>
  expect
    .poll(
      async () => {
        await read('a');
        await database.exec('UPDATE other SET n = n + 1');
        await later();
        return (await read('a')).isHit;
      },
      { timeout: 20_000 },
    )
    .toBe(true);
const run = async (statements: readonly string[], where: Parameters<typeof openSession>[0] = database) => {
  const session = await openSession(where);
  try {
    for (const statement of statements) await session.exec(statement);
  } finally {
    await session.close();
  }
};
const expectCurrent = async () => {
  const { records } = await read('shown');
  expect(records).toEqual((await read('shown', { 'Cache-Control': 'no-cache' })).records);
};

describe.each(postgres.map((variant) => [variant.name, variant] as const))('on %s', (_, variant) => {
  serverOf(variant);
  beforeEach(async () => {
    database = await freshDatabase(engine);
    await database.exec(base);
  });

  test.each(onPostgres.map((one) => [one.name, one] as const))('%s', async (_, one) => {
    const { schema, before, statements } = one;
    for (const statement of schema) await database.exec(statement);
    await start({ feed: 'required' });
    await untilNamed();
    await read('shown');
    if (before !== undefined) {
      await run(before);
      await later();
      await read('shown');
      // Time for another reading of the catalogue.
      await sleep(1500);
      await read('shown');
      await later();
    }
    await read('shown');
    await run(statements, one.isElsewhere === true ? engine : database);
    await later();
    await expectCurrent();
  });

  test('a table whose schema is renamed while it is written', async () => {
    await database.exec(
      'CREATE SCHEMA s; CREATE TABLE s.t (id integer PRIMARY KEY, n integer); INSERT INTO s.t VALUES (1, 0)',
    );
    await database.exec('CREATE VIEW shown AS SELECT id, n FROM s.t');
    await start({ feed: 'required' });
    await untilNamed();
    const [renaming, writing] = [await openSession(database), await openSession(database)];
    await renaming.exec('BEGIN');
    await renaming.exec('ALTER SCHEMA s RENAME TO s2');
    await writing.exec('BEGIN');
    await writing.exec('UPDATE s.t SET n = 9');
    await renaming.exec('COMMIT');
    await later();
    await read('shown');
    await untilNamed();
    await read('shown');
    await writing.exec('COMMIT');
    await Promise.all([renaming.close(), writing.close()]);
    await later();
    await expectCurrent();
  });

  test('names go on after the statistics of the server were reset', async () => {
    await start({ feed: 'required' }, ['a']);
    await untilNamed();
    await database.exec(`SELECT pg_stat_reset_shared('bgwriter')`);
    await database.exec('UPDATE other SET n = n + 1');
    await later();
    await read('a');
    await untilNamed();
  });
});

describe.each(withLog.map((variant) => [variant.name, variant] as const))(
  'a log of another server, on %s',
  (_, variant) => {
    serverOf(variant);
    test('is not read', async () => {
      const others = openScope();
      database = await freshDatabase(engine);
      try {
        await database.exec(base);
        const { url } = await variant.start(others);
        const other = engine.client === 'postgres' ? engine.url : url;
        for (const feedConnection of new Set([url, other]))
          await expect(start({ feed: 'required', feedConnection }, ['a'])).rejects.toThrow(
            'feedConnection leads to another server, or to another database of PostgreSQL',
          );
      } finally {
        await others.close();
      }
    });
  },
);

describe.each(variantsOf('mysql').map((variant) => [variant.name, variant] as const))('on %s', (_, variant) => {
  serverOf(variant);
  test.each([
    [
      'a view over a view that the user may not see',
      'CREATE VIEW x.w AS SELECT id, n FROM x.t; CREATE VIEW shown AS SELECT v.id, v.n FROM x.w v',
      'UPDATE x.t SET n = 5',
    ],
    [
      'a foreign key to a table that the user may not see',
      `CREATE TABLE x.c (id integer PRIMARY KEY, FOREIGN KEY (id) REFERENCES x.t (id) ON DELETE CASCADE) ENGINE=InnoDB;
      CREATE TABLE shown (id integer PRIMARY KEY, FOREIGN KEY (id) REFERENCES x.c (id) ON DELETE CASCADE) ENGINE=InnoDB;
      INSERT INTO x.c VALUES (1); INSERT INTO shown VALUES (1)`,
      'DELETE FROM x.t',
    ],
  ])('%s', async (_, schema, write) => {
    database = await freshDatabase(engine);
    const x = await freshDatabase(engine);
    const qualified = (sql: string) => sql.replaceAll('x.', `${new URL(x.url).pathname.slice(1)}.`);
    try {
      await database.exec(base);
      const t = 'CREATE TABLE x.t (id integer PRIMARY KEY, n integer) ENGINE=InnoDB; INSERT INTO x.t VALUES (1, 0)';
      for (const statement of qualified(`${t};${schema}`).split(';')) await database.exec(statement);
      const connection = new URL(database.url);
      connection.username = 'narrow';
      await database.exec(`CREATE USER narrow@'%'`);
      await database.exec(`GRANT SELECT, SHOW VIEW, TRIGGER ON ${connection.pathname.slice(1)}.* TO narrow@'%'`);
      await database.exec(`GRANT REPLICATION SLAVE, REPLICATION CLIENT, PROCESS ON *.* TO narrow@'%'`);
      await start({ feed: 'required', connection: connection.href });
      await untilNamed();
      await read('shown');
      await run([qualified(write)]);
      await later();
      await sleep(300);
      await expectCurrent();
    } finally {
      await run([`DROP USER narrow@'%'`, 'SET foreign_key_checks = 0', qualified('DROP DATABASE x.').slice(0, -1)]);
      await x.drop();
    }
  });
});
