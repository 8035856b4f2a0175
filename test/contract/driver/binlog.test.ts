/** The binary log as a stream, on each kind of server that has one. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import mysql2 from 'mysql2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commitMarkers } from '../../../src/dialects/mysql/commit-markers.ts';
import { addedGtids } from '../../../src/dialects/mysql/gtids.ts';
import * as drivers from '../../../src/execute/drivers/index.ts';
import type { Server } from '../../../src/model/catalog.ts';
import { variants } from '../../property/outside/variants.ts';
import { addressOf, answer, type Followed, follow, serverOf } from '../../support/binlog.ts';
import { freshDatabase, openSession, type ServerDatabase, type ServerEngine } from '../../support/servers/engines.ts';
import { openScope, type Scope } from '../../support/servers/scope.ts';

/** The tables that a transaction has changed; null: any table may have changed. */
type Changed = readonly string[] | null;

const logging = variants().filter(({ client, hasLog, name }) => client === 'mysql' && (name === 'mysql' || hasLog));
const old = ['mysql56 with a log', 'mysql56 with GTIDs'];

const schema = `
  CREATE TABLE mark (n int PRIMARY KEY);
  CREATE TABLE a (k int PRIMARY KEY, v int);
  CREATE TABLE b (k int PRIMARY KEY, v int);
  CREATE TABLE parent (k int PRIMARY KEY);
  CREATE TABLE child (k int PRIMARY KEY, p int, FOREIGN KEY (p) REFERENCES parent (k) ON DELETE CASCADE);
  CREATE TABLE seen (k int);
  CREATE TABLE watched (k int PRIMARY KEY);
  CREATE TRIGGER watching AFTER INSERT ON watched FOR EACH ROW INSERT INTO seen VALUES (NEW.k);
  CREATE TABLE \`ä\`\`.x\` (k int PRIMARY KEY);
  CREATE TABLE m (k int PRIMARY KEY, v longtext) ENGINE = MyISAM`;

interface Case {
  readonly name: string;
  readonly sql: string;
  readonly changed: readonly Changed[];
  /** Variants with another result. */
  readonly but?: Readonly<Record<string, readonly Changed[]>>;
}

const but = (names: readonly string[], changed: readonly Changed[]) =>
  Object.fromEntries(names.map((name) => [name, changed]));

const cases: readonly Case[] = [
  { name: 'an insert', sql: 'INSERT INTO a VALUES (1, 1)', changed: [['a']] },
  { name: 'an update', sql: 'UPDATE a SET v = 2', changed: [['a']] },
  { name: 'a delete', sql: 'DELETE FROM a', changed: [['a']] },
  { name: 'an update of no row', sql: 'UPDATE a SET v = 2 WHERE k < 0', changed: [] },
  {
    name: 'one statement for two tables',
    sql: 'INSERT INTO a VALUES (2, 1); INSERT INTO b VALUES (2, 1); UPDATE a, b SET a.v = 3, b.v = 3 WHERE a.k = b.k',
    changed: [['a'], ['b'], ['a', 'b']],
  },
  {
    name: 'a transaction',
    sql: 'BEGIN; INSERT INTO a VALUES (3, 1); INSERT INTO b VALUES (3, 1); DELETE FROM b; COMMIT',
    changed: [['a', 'b']],
  },
  { name: 'one that is rolled back', sql: 'BEGIN; INSERT INTO a VALUES (4, 1); ROLLBACK', changed: [] },
  {
    name: 'a savepoint',
    sql: 'BEGIN; INSERT INTO a VALUES (4, 1); SAVEPOINT `s``t`; INSERT INTO b VALUES (4, 1); ROLLBACK TO `s``t`; COMMIT',
    changed: [['a']],
  },
  {
    name: 'a cascade',
    sql: 'INSERT INTO parent VALUES (1); INSERT INTO child VALUES (1, 1); DELETE FROM parent',
    changed: [['parent'], ['child'], ['child', 'parent']],
    // InnoDB changes the child's rows by itself and does not log them.
    but: but(old, [['parent'], ['child'], ['parent']]),
  },
  { name: 'a trigger', sql: 'INSERT INTO watched VALUES (1)', changed: [['seen', 'watched']] },
  { name: 'an odd name', sql: 'INSERT INTO `ä``.x` VALUES (1)', changed: [['ä`.x']] },
  { name: 'a table without transactions', sql: `INSERT INTO m VALUES (1, '')`, changed: [['m']] },
  {
    name: 'another default database',
    sql: 'USE information_schema; INSERT INTO `{}`.a VALUES (5, 1)',
    changed: [['a']],
  },
  { name: 'TRUNCATE', sql: 'TRUNCATE a', changed: [null] },
  { name: 'a definition', sql: 'CREATE TABLE late (k int); DROP TABLE late', changed: [null, null] },
  { name: 'a view', sql: 'CREATE VIEW shown AS SELECT * FROM a', changed: [null] },
  {
    name: 'a table with rows',
    sql: 'CREATE TABLE filled AS SELECT * FROM a',
    changed: [null],
    // The server refuses this statement.
    but: { 'mysql56 with GTIDs': [] },
  },
  { name: 'a statement', sql: `SET binlog_format = 'STATEMENT'; INSERT INTO a VALUES (6, 1)`, changed: [null] },
  {
    name: 'XA',
    sql: `XA START 'x', 'y''z', 7; INSERT INTO a VALUES (7, 1); XA END 'x', 'y''z', 7; XA PREPARE 'x', 'y''z', 7;
      XA COMMIT 'x', 'y''z', 7`,
    // XA COMMIT does not name the tables.
    changed: [[], null],
    // It is logged when it is committed.
    but: but(old, [['a']]),
  },
  {
    name: 'XA that is rolled back',
    sql: `XA START 'r'; INSERT INTO a VALUES (8, 1); XA END 'r'; XA PREPARE 'r'; XA ROLLBACK 'r'`,
    changed: [[], null],
    but: but(old, []),
  },
  {
    name: 'XA in one phase',
    sql: `XA START 'o'; INSERT INTO a VALUES (9, 1); XA END 'o'; XA COMMIT 'o' ONE PHASE`,
    changed: [['a']],
  },
];

describe.runIf(logging.length > 0).each(logging.map((variant) => [variant.name, variant] as const))(
  'on %s',
  (_, variant) => {
    let scope: Scope;
    let engine: ServerEngine;
    let database: ServerDatabase;
    let server: Server;
    let log: Followed;
    /** The name of the database. */
    let databaseName: string;
    /** A server from a URL may have no binary log. */
    let isLogged = false;
    let hasGtids = false;
    beforeAll(async () => {
      scope = openScope();
      engine = await variant.start(scope);
      database = await freshDatabase(engine);
      databaseName = decodeURIComponent(new URL(database.url).pathname.slice(1));
      server = await serverOf(database);
      isLogged = (await database.query('SELECT @@global.log_bin'))[0]?.[0] === '1';
      if (!isLogged) return;
      if (server.product === 'mysql') hasGtids = (await database.query('SELECT @@global.gtid_mode'))[0]?.[0] === 'ON';
      await database.exec(schema);
      log = await follow(engine.url, server);
    }, 120_000);
    afterAll(async () => {
      log?.stream.close();
      await database?.drop();
      await scope?.close();
    });

    let marks = 0;
    /** What the transactions of some work have changed, in the order of the log. */
    async function changedBy(work: () => Promise<unknown>): Promise<readonly Changed[]> {
      const first = log.transactions.length;
      await work();
      await database.exec(`INSERT INTO mark VALUES (${++marks})`);
      const changed = () =>
        log.transactions.slice(first).map(({ tables }) =>
          tables === null
            ? null
            : tables
                .filter((table) => table.database === databaseName)
                .map((table) => table.name)
                .sort(),
        );
      await expect.poll(changed, { interval: 5 }).toContainEqual(['mark']);
      return changed().slice(0, -1);
    }

    /** The log position that the server's commit marker reports. */
    async function serverPosition(): Promise<number | null> {
      for (const source of commitMarkers(server)) {
        if (source.log === null) continue;
        const answers = [];
        for (const { text } of source.statements) answers.push(answer(await database.query(text).catch(() => [])));
        const token = source.readMarker(answers);
        const question = token && source.log.question({ before: token, after: token }, null, []);
        if (question && 'until' in question) return question.until;
      }
      return null;
    }

    test.for(cases)('$name', async ({ sql, changed, but }, { skip }) => {
      skip(!isLogged);
      const expected = but?.[variant.name] ?? changed;
      const session = await openSession(database);
      try {
        const found = await changedBy(() =>
          session.exec(sql.replaceAll('{}', databaseName)).catch((error: unknown) => {
            if (expected.length > 0) throw error;
          }),
        );
        // Other tests use the server as well.
        if (variant.isAlone) expect(found).toEqual(expected);
        else for (const one of expected) expect(found).toContainEqual(one);
      } finally {
        await session.close();
      }
    });

    test('a transaction that is rolled back, with a table without transactions', async ({ skip }) => {
      // With GTIDs the server refuses such a transaction.
      skip(!isLogged || hasGtids);
      const sql = `BEGIN; INSERT INTO a VALUES (20, 1); INSERT INTO m VALUES (2, ''); ROLLBACK`;
      expect(await changedBy(() => database.exec(sql))).toContainEqual(['m']);
    });

    test('rows from a file', async ({ skip }) => {
      skip(!isLogged || !variant.isAlone);
      const file = join(scope.folder, 'rows');
      writeFileSync(file, '30\t1\n31\t1\n', { mode: 0o644 });
      expect(await changedBy(() => database.exec(`LOAD DATA INFILE '${file}' INTO TABLE a`))).toEqual([['a']]);
    });

    test('XA that was prepared before the stream began, and ends in another session', async ({ skip }) => {
      skip(!isLogged || !variant.isAlone || old.includes(variant.name));
      const session = await openSession(database);
      await session.exec(`XA START 'p'; INSERT INTO a VALUES (40, 1); XA END 'p'; XA PREPARE 'p'`);
      await session.close();
      const later = await follow(engine.url, server);
      try {
        // The server releases the transaction shortly after its session has ended.
        await expect
          .poll(() =>
            database.exec(`XA COMMIT 'p'`).then(
              () => true,
              () => false,
            ),
          )
          .toBe(true);
        await expect.poll(() => later.transactions.map(({ tables }) => tables)).toEqual([null]);
      } finally {
        later.stream.close();
      }
    });

    test('positions are those of the tokens, also in the next file', async ({ skip }) => {
      skip(!isLogged || !variant.isAlone || hasGtids);
      for (const sql of [`INSERT INTO a VALUES (50, 1)`, 'FLUSH LOGS', `INSERT INTO a VALUES (51, 1)`, 'FLUSH LOGS']) {
        await database.exec(sql);
        // MariaDB writes one more event to a new file, shortly after the statement that began it.
        await expect.poll(async () => log.position - ((await serverPosition()) ?? Number.NaN)).toBe(0);
        expect(log.position % 2 ** 32).toBeLessThan(2 ** 20);
      }
      const ends = log.transactions.map(({ end }) => end);
      expect(ends).toEqual(ends.toSorted((one, other) => one - other));
    });

    test('with GTIDs a transaction has the id that its session is told, and that the server has executed', async ({
      skip,
    }) => {
      skip(!hasGtids);
      const executed = async () =>
        JSON.stringify([(await database.query('SELECT @@global.gtid_executed, @@global.server_uuid'))[0], ['', '']]);
      const before = await executed();
      await database.exec('INSERT INTO a VALUES (60, 1)');
      const ids = [...(addedGtids(before, await executed()) ?? [])];
      const later = await follow(engine.url, server);
      if (!old.includes(variant.name)) {
        const raw = mysql2.createConnection(database.url);
        const driver = await drivers.mysql(addressOf(database.url));
        const run = (text: string) => driver.run(raw, { text, values: [] }, 1000);
        await run('SET SESSION session_track_gtids = OWN_GTID');
        const { transaction = 'none' } = await run('INSERT INTO a VALUES (61, 1)');
        // The log does not show the id of a tagged GTID, so the transaction is delivered without one.
        await run(`SET gtid_next = 'AUTOMATIC:of_tests'`);
        const { transaction: tagged = 'none' } = await run('INSERT INTO a VALUES (62, 1)');
        raw.destroy();
        expect(tagged).toMatch(':of_tests:');
        expect([transaction, tagged].map((id) => later.stream.start.covers(id))).toEqual([true, true]);
        await expect
          .poll(() => later.transactions.map(({ id }) => id))
          .toEqual(expect.arrayContaining([transaction, null]));
        ids.push(transaction);
      }
      await expect.poll(() => log.transactions.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
      later.stream.close();
      // With tagged GTIDs the server encodes the GTID set differently.
      const last = await follow(engine.url, server);
      expect(ids.map((id) => last.stream.start.covers(id))).toEqual(ids.map(() => false));
      await database.exec('INSERT INTO a VALUES (63, 1)');
      await expect.poll(() => last.transactions.length).toBeGreaterThan(0);
      expect(last.transactions.map(({ id }) => id)).not.toEqual(expect.arrayContaining(ids.slice(0, 1)));
      last.stream.close();
    });

    test('what is in the log and cannot be seen yet is delivered to a stream that is opened now', async ({ skip }) => {
      skip(variant.name !== 'mariadb with a log');
      const wait = (isOn: number) =>
        database.exec(`SET GLOBAL rpl_semi_sync_master_wait_point = 'AFTER_SYNC', GLOBAL rpl_semi_sync_master_timeout = 60000,
        GLOBAL rpl_semi_sync_master_enabled = ${isOn}`);
      const end = async () => (await database.query('SHOW MASTER STATUS'))[0]?.[1];
      await wait(1);
      const session = await openSession(database);
      try {
        const before = await end();
        const written = session.exec('INSERT INTO a VALUES (70, 1)');
        await expect.poll(end, { interval: 5 }).not.toBe(before);
        const later = await follow(engine.url, server);
        expect(await database.query('SELECT v FROM a WHERE k = 70')).toEqual([]);
        await expect
          .poll(() => later.transactions.map(({ tables }) => tables?.map((table) => table.name)))
          .toEqual([['a']]);
        expect(await database.query('SELECT v FROM a WHERE k = 70')).toEqual([]);
        later.stream.close();
        await wait(0);
        await written;
      } finally {
        await wait(0);
        await session.close();
      }
    });

    test('with other checksums', async ({ skip }) => {
      skip(!isLogged || !variant.isAlone);
      const before = await database.query('SELECT @@global.binlog_checksum');
      for (const checksum of ['NONE', 'CRC32', String(before[0]?.[0])]) {
        // Changing the checksum starts a new log file.
        await database.exec(`SET GLOBAL binlog_checksum = ${checksum}`);
        const later = await follow(engine.url, server);
        const sql = `INSERT INTO a VALUES (80, 1); TRUNCATE b; BEGIN; DELETE FROM a; INSERT INTO m VALUES (3, ''); DELETE FROM m; COMMIT`;
        const changed = await changedBy(() =>
          database.exec(hasGtids ? 'DELETE FROM a; TRUNCATE b; INSERT INTO a VALUES (80, 1)' : sql),
        );
        expect(changed.slice(0, 2)).toEqual([['a'], null]);
        expect(changed.at(-1)).toEqual(['a']);
        await expect
          .poll(() => later.transactions.map(({ tables }) => tables?.[0]?.name).slice(0, 2))
          .toEqual(['a', undefined]);
        later.stream.close();
      }
      expect(log.causes).toEqual([]);
    });

    test('of a row of many megabytes only the beginning is kept', async ({ skip }) => {
      skip(!isLogged || !variant.isAlone);
      await database.exec('SET GLOBAL max_allowed_packet = 67108864');
      const session = await openSession(database);
      expect(
        await changedBy(() => session.exec(`INSERT INTO m VALUES (90, REPEAT('x', 17 * 1024 * 1024 + 7))`)),
      ).toEqual([['m']]);
      await session.close();
    });
  },
);
