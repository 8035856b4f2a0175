/** All errors here are real: the test provokes them on a server. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ErrorKind } from '../../../src/model/catalog.ts';
import { type Opened, open } from '../../support/open-database.ts';
import { engines, type FreshDatabase, freshDatabase } from '../../support/servers/engines.ts';
import { ddl, failure } from './failing.ts';

/** Statements for one session, and what the failure of the last one means. `on` names the engines where it fails. */
interface Provoked {
  readonly sql: readonly string[];
  readonly means: ErrorKind;
  readonly not?: readonly string[];
}

const insert = (columns: string, values: string) => `INSERT INTO t (${columns}) VALUES (${values})`;

const postgres: readonly Provoked[] = [
  { sql: [insert('id', '1')], means: { kind: 'duplicate', constraint: 't_pkey' } },
  { sql: [insert('id, u', "2, 'a'")], means: { kind: 'duplicate', constraint: 'the "key"' } },
  { sql: ["INSERT INTO spans VALUES ('[2,3)')"], means: { kind: 'duplicate', constraint: 'spans_r_excl' } },
  { sql: [insert('id, "not null"', '2, NULL')], means: { kind: 'null', column: 'not null' } },
  { sql: [insert('id, p', '2, 9')], means: { kind: 'missing reference', constraint: 'to parent' } },
  { sql: ['UPDATE t SET p = 9'], means: { kind: 'missing reference', constraint: 'to parent' } },
  { sql: ['DELETE FROM parent WHERE id = 1'], means: { kind: 'still referenced', constraint: 'to parent' } },
  { sql: ['UPDATE parent SET id = 5 WHERE id = 1'], means: { kind: 'still referenced', constraint: 'to parent' } },
  { sql: [insert('id, c', '2, -1')], means: { kind: 'check' } },
  { sql: ['INSERT INTO checked VALUES (2, 50)'], means: { kind: 'check' } },
  { sql: ['INSERT INTO parts VALUES (2)'], means: { kind: 'check' } },
  { sql: ['INSERT INTO guarded VALUES (1)'], means: { kind: 'trigger' } },
  { sql: [insert('id, u', "2, 'too long'")], means: { kind: 'value', column: null } },
  { sql: [insert('id, i', "2, 'x'")], means: { kind: 'value', column: null } },
  { sql: [insert('id, i', '2, 99999999999')], means: { kind: 'value', column: null, isOverflow: true } },
  {
    sql: ['SELECT sum(n) FROM (VALUES (1e308::float8), (1e308)) v (n)'],
    means: { kind: 'value', column: null, isOverflow: true },
  },
  { sql: [insert('id, d', "2, '2024-02-30'")], means: { kind: 'value', column: null } },
  { sql: [insert('id, j', "2, '{'")], means: { kind: 'value', column: null } },
  { sql: ['SELECT * FROM nowhere'], means: { kind: 'schema' } },
  { sql: ['SELECT nothing FROM t'], means: { kind: 'schema' } },
  { sql: ["SELECT 'never.made'::regclass"], means: { kind: 'schema' } },
  { sql: ['SELECT (SELECT n FROM generate_series(1, 2) n)'], means: { kind: 'value', column: null } },
  { sql: ["DO $$BEGIN RAISE 'no' USING ERRCODE = 'AB123'; END$$"], means: { kind: 'trigger' } },
  { sql: ['DO $$BEGIN ASSERT false; END$$'], means: { kind: 'trigger' } },
  { sql: ['BEGIN', 'DO $$BEGIN COMMIT; END$$'], means: { kind: 'schema' } },
  { sql: ["DO $$BEGIN EXECUTE 'SELEKT'; END$$"], means: { kind: 'schema' } },
  {
    sql: ["CREATE FUNCTION endless() RETURNS int LANGUAGE plpgsql AS 'BEGIN END'", 'SELECT endless()'],
    means: { kind: 'schema' },
  },
  { sql: ['DO $$BEGIN CASE 1 WHEN 2 THEN NULL; END CASE; END$$'], means: { kind: 'trigger' } },
  { sql: ["DO $$BEGIN RAISE 'no' USING ERRCODE = '57P01'; END$$"], means: { kind: 'trigger' } },
  { sql: ['DO $$BEGIN CREATE TEMP TABLE twice (); CREATE TEMP TABLE twice (); END$$'], means: { kind: 'schema' } },
  {
    sql: ["CREATE FUNCTION deep() RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN deep(); END'", 'SELECT deep()'],
    means: { kind: 'schema' },
    not: ['pglite'],
  },
  {
    sql: [
      "SET temp_file_limit = '100kB'",
      "SET work_mem = '64kB'",
      'SELECT g FROM generate_series(1, 100000) g ORDER BY md5(g::text)',
    ],
    means: { kind: 'timeout' },
    not: ['pglite'],
  },
  { sql: ["SELECT $$'a$$::text::tsvector"], means: { kind: 'value', column: null } },
  {
    sql: ['CREATE MATERIALIZED VIEW unfilled AS SELECT 1 AS n WITH NO DATA', 'SELECT n FROM unfilled'],
    means: { kind: 'not populated' },
  },
  {
    sql: ['CREATE SEQUENCE few MAXVALUE 2', "SELECT nextval('few') FROM generate_series(1, 3)"],
    means: { kind: 'read-only' },
  },
  { sql: ['SELEKT'], means: { kind: 'unknown' } },
  { sql: ["SELECT has_table_privilege('nobody_here', 't', 'SELECT')"], means: { kind: 'schema' } },
  { sql: ['INSERT INTO counted VALUES (1)'], means: { kind: 'not writable' } },
  { sql: ['INSERT INTO computed VALUES (2, 2)'], means: { kind: 'not writable' } },
  { sql: ['SELECT n FROM counted FOR UPDATE'], means: { kind: 'not writable' } },
  { sql: ['INSERT INTO kept VALUES (1)'], means: { kind: 'not writable' } },
  { sql: ['SELECT id FROM kept FOR UPDATE'], means: { kind: 'not writable' } },
  { sql: ['BEGIN', 'SET TRANSACTION READ ONLY', insert('id', '2')], means: { kind: 'read-only' } },
  {
    sql: ['BEGIN', 'SET LOCAL statement_timeout = 1', 'SELECT pg_sleep(5)'],
    means: { kind: 'timeout' },
    not: ['pglite'],
  },
  {
    sql: ["INSERT INTO long SELECT string_agg(md5(g::text), '') FROM generate_series(1, 1000) g"],
    means: { kind: 'too large' },
  },
  { sql: ['SELECT pg_terminate_backend(pg_backend_pid())'], means: { kind: 'connection' }, not: ['pglite'] },
];

const mysql: readonly Provoked[] = [
  { sql: [insert('id, `not null`', '1, 1')], means: { kind: 'duplicate', constraint: 'PRIMARY' } },
  { sql: [insert('id, `not null`, u', "2, 1, 'A'")], means: { kind: 'duplicate', constraint: "the 'key'" } },
  { sql: [insert('id, `not null`', '2, NULL')], means: { kind: 'null', column: 'not null' } },
  { sql: [insert('id', '2')], means: { kind: 'null', column: 'not null' } },
  { sql: ['INSERT INTO lacking VALUES (2)'], means: { kind: 'null', column: null } },
  { sql: [insert('id, `not null`, p', '2, 1, 9')], means: { kind: 'missing reference', constraint: 'to parent' } },
  { sql: ['UPDATE t SET p = 9'], means: { kind: 'missing reference', constraint: 'to parent' } },
  { sql: ['DELETE FROM parent WHERE id = 1'], means: { kind: 'still referenced', constraint: 'to parent' } },
  { sql: ['UPDATE parent SET id = 5 WHERE id = 1'], means: { kind: 'still referenced', constraint: 'to parent' } },
  {
    sql: ['ALTER TABLE t ADD CONSTRAINT positive CHECK (c > 0)', 'UPDATE t SET c = -1'],
    means: { kind: 'check' },
    not: ['mysql56'],
  },
  { sql: ['INSERT INTO checked VALUES (2, 50, 1)'], means: { kind: 'check' } },
  { sql: ['INSERT INTO parts VALUES (2)'], means: { kind: 'check' } },
  { sql: ['INSERT INTO guarded VALUES (1)'], means: { kind: 'trigger' } },
  { sql: [insert('id, `not null`, u', "2, 1, 'too long'")], means: { kind: 'value', column: 'u' } },
  { sql: [insert('id, `not null`, i', "2, 1, 'x'")], means: { kind: 'value', column: 'i' } },
  { sql: [insert('id, `not null`, c', '2, 1, 999')], means: { kind: 'value', column: 'c' } },
  { sql: [insert('id, `not null`, d', "2, 1, '2024-02-30'")], means: { kind: 'value', column: 'd' } },
  { sql: [insert('id, `not null`, e', "2, 1, 'z'")], means: { kind: 'value', column: 'e' } },
  { sql: [insert('id, `not null`, u', "2, 1, '漢'")], means: { kind: 'value', column: 'u' } },
  { sql: ['SELECT * FROM nowhere'], means: { kind: 'schema' } },
  { sql: ['SELECT nothing FROM t'], means: { kind: 'schema' } },
  {
    sql: [
      'CREATE TABLE gone (id int)',
      'CREATE VIEW lost AS SELECT id FROM gone',
      'DROP TABLE gone',
      'SELECT * FROM lost',
    ],
    means: { kind: 'broken view' },
  },
  {
    sql: [
      'CREATE FUNCTION passing() RETURNS int DETERMINISTIC RETURN 1',
      'CREATE VIEW computing AS SELECT passing() AS n',
      'DROP FUNCTION passing',
      'SELECT * FROM computing',
    ],
    means: { kind: 'broken view' },
  },
  {
    sql: ["SELECT id FROM t WHERE _utf8 'a' COLLATE utf8_bin = _utf8 'b' COLLATE utf8_unicode_ci"],
    means: { kind: 'schema' },
  },
  { sql: ['SELECT (SELECT 1 UNION SELECT 2)'], means: { kind: 'value', column: null } },
  { sql: ['SELECT 9223372036854775807 * 2'], means: { kind: 'value', column: null, isOverflow: true } },
  { sql: ['SELECT never_made()'], means: { kind: 'schema' } },
  {
    sql: [
      'CREATE FUNCTION recalling(n int) RETURNS int DETERMINISTIC RETURN IF(n = 0, 0, recalling(n - 1))',
      'SELECT recalling(2)',
    ],
    means: { kind: 'schema' },
  },
  {
    sql: ['CREATE FUNCTION unended() RETURNS int DETERMINISTIC IF false THEN RETURN 1; END IF', 'SELECT unended()'],
    means: { kind: 'schema' },
  },
  {
    sql: [
      'CREATE TRIGGER turning BEFORE INSERT ON parts FOR EACH ROW UPDATE parts SET id = id + 1',
      'INSERT INTO parts VALUES (1)',
    ],
    means: { kind: 'trigger' },
  },
  {
    sql: [
      `CREATE FUNCTION fetching() RETURNS int DETERMINISTIC BEGIN
        DECLARE n int; DECLARE c CURSOR FOR SELECT 1 FROM t WHERE false; OPEN c; FETCH c INTO n; RETURN n; END`,
      'SELECT fetching()',
    ],
    means: { kind: 'value', column: null },
  },
  {
    sql: [
      `CREATE FUNCTION refusing() RETURNS int DETERMINISTIC BEGIN SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 9999; RETURN 1; END`,
      'SELECT refusing()',
    ],
    means: { kind: 'trigger' },
  },
  {
    sql: [
      `CREATE FUNCTION numbering() RETURNS int DETERMINISTIC BEGIN SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 30001; RETURN 1; END`,
      'SELECT numbering()',
    ],
    means: { kind: 'trigger' },
  },
  {
    sql: [
      'CREATE TABLE full (id bigint unsigned AUTO_INCREMENT PRIMARY KEY, n int) AUTO_INCREMENT = 18446744073709551615',
      'INSERT INTO full (n) VALUES (1)',
      'INSERT INTO full (n) VALUES (1)',
    ],
    means: { kind: 'read-only' },
  },
  { sql: ["SELECT 'a' REGEXP '('"], means: { kind: 'value', column: null } },
  { sql: ["SELECT ExtractValue('<a/>', '///(')"], means: { kind: 'value', column: null } },
  { sql: ['SELEKT'], means: { kind: 'unknown' } },
  {
    sql: ["CREATE DEFINER = 'nobody'@'nowhere' VIEW deserted AS SELECT 1 AS n", 'SELECT * FROM deserted'],
    means: { kind: 'broken view' },
  },
  {
    sql: ["SELECT id FROM t WHERE MATCH (u) AGAINST ('x' IN BOOLEAN MODE)"],
    means: { kind: 'schema' },
    not: ['mysql56'],
  },
  { sql: ['INSERT INTO counted VALUES (1)'], means: { kind: 'not writable' } },
  { sql: ['DELETE FROM counted'], means: { kind: 'not writable' } },
  { sql: ['INSERT INTO computed VALUES (2, 1, 2)'], means: { kind: 'not writable' } },
  { sql: ['UPDATE computed SET c1 = 2'], means: { kind: 'not writable' } },
  { sql: ['INSERT INTO joined VALUES (2, 2)'], means: { kind: 'not writable' } },
  { sql: ['DELETE FROM joined'], means: { kind: 'not writable' } },
  { sql: ['START TRANSACTION READ ONLY', insert('id, `not null`', '2, 1')], means: { kind: 'read-only' } },
  {
    sql: ['SET STATEMENT max_statement_time = 0.001 FOR SELECT sleep(5) FROM t'],
    means: { kind: 'timeout' },
    not: ['mysql', 'mysql56'],
  },
  {
    sql: [
      'SELECT /*+ MAX_EXECUTION_TIME(1) */ count(*) FROM information_schema.COLUMNS a JOIN information_schema.COLUMNS b',
    ],
    means: { kind: 'timeout' },
    not: ['mariadb', 'mysql56'],
  },
  { sql: ['KILL QUERY connection_id()'], means: { kind: 'connection' } },
];

describe.each(engines().map((engine) => [engine.name, engine] as const))('on %s', (name, engine) => {
  const all = engine.client === 'mysql' ? mysql : postgres;
  const cases = all.filter(({ not }) => not?.includes(name) !== true).map((one) => [one.sql.at(-1), one] as const);
  let fresh: FreshDatabase;
  let opened: Opened;
  beforeAll(async () => {
    fresh = await freshDatabase(engine);
    await fresh.exec(ddl[engine.client === 'mysql' ? 'mysql' : 'postgres']);
    opened = await open(fresh);
  });
  afterAll(async () => {
    await opened?.close();
    await fresh?.drop();
  });

  test.each(cases)('%s', async (_, { sql, means }) => {
    expect(opened.dialect.classifyError(await failure(opened.inOneSession(...sql)))).toEqual(means);
  });
});
