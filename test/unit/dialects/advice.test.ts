/** SQL for operators to copy: names come from the database, so they must be quoted correctly. */
import { describe, expect, test } from 'vitest';
import * as dialects from '../../../src/dialects/index.ts';
import { inUnicode, withoutNull } from '../../../src/dialects/mysql/remedies.ts';
import type { Server } from '../../../src/model/catalog.ts';
import type { Answer } from '../../../src/model/rows.ts';
import type { Cell } from '../../../src/model/value.ts';

const server = (product: Server['product'], version: readonly number[], more: Partial<Server> = {}): Server => ({
  ...{
    product,
    version,
    versionText: '',
    maxStatementBytes: null,
    logsStatements: false,
    foldCollation: null,
    startId: null,
  },
  ...more,
});
const answer = (cells: readonly (readonly Cell[])[], names: readonly string[] = []): Answer => ({
  names,
  types: [],
  cells,
  found: cells.length,
});
const grants = [{ privilege: 'SELECT', columns: ['a"b`c'] }] as const;

describe('PostgreSQL', () => {
  const { advisor } = dialects.postgres.dialect(server('postgres', [16, 0]));
  const user = (more: Readonly<Record<number, Cell>> = {}) =>
    answer([
      ['ap"p', 'f', 'f', 'f', 'f', 'f', null, '-1', '20', '100', '3', '5000', 'f', '"d b"', null, 't', '100'].map(
        (cell, at) => more[at] ?? cell,
      ),
    ]);

  test('the facts of a user, and of a superuser', () => {
    const { powers, connections, idleTimeout, isReadOnly } = advisor.facts([user(), answer([]), answer([])]);
    expect({ powers, connections, idleTimeout, isReadOnly }).toEqual({
      powers: [],
      connections: 20,
      idleTimeout: 5000,
      isReadOnly: false,
    });
    const owned = answer([['public', 'film', 'r', 't', 'f', null, 't', '100']]);
    expect(advisor.facts([user({ 2: 't', 6: '["pg_read_server_files"]' }), owned, null]).powers).toEqual([
      'may create roles',
      'is a member of pg_read_server_files',
      'owns film',
    ]);
    expect(advisor.facts([user(), owned, null]).remedies.user([]).next).toBe(
      'give it a password; the policies on the rows of film hold for it',
    );
    expect(advisor.facts([user({ 1: 't' }), owned, null]).powers).toEqual(['is a superuser of this server']);
    const standby = (...row: readonly Cell[]) => advisor.facts([user(), null, null, null, null, answer([row])]).replica;
    expect(standby('t', 't', '90000')).toEqual({ isReceiving: true, lag: 0 });
    expect(standby('t', 'f', '90000')).toEqual({ isReceiving: true, lag: 90_000 });
    expect(standby('f', 't', '90000')).toEqual({ isReceiving: false, lag: 90_000 });
    expect(standby('f', null, null)).toEqual({ isReceiving: false, lag: null });
    expect(advisor.facts([user({ 16: '0' })]).transactionTimeout).toBeNull();
    expect(advisor.facts([user({ 16: '5000' })])).toMatchObject({ transactionTimeout: 5000, replica: null });
    expect(advisor.facts([null, null, null])).toMatchObject({ powers: [], connections: null, idleTimeout: null });
  });

  test('every name is quoted', () => {
    const table = { schema: 'my "s"', name: "t; DROP TABLE x; --'" };
    const { remedies } = advisor.facts([user(), answer([]), answer([])]);
    const name = `"my ""s"""."t; DROP TABLE x; --'"`;
    expect(remedies.index(table, ['a"b'])).toEqual([`CREATE INDEX CONCURRENTLY ON ${name} ("a""b")`]);
    expect(remedies.analyze(table)).toEqual([`ANALYZE ${name}`]);
    expect(remedies.user([{ table, grants, mentioned: ['hid`den', 'a"b`c'], below: [], withheld: [] }])).toMatchObject({
      name: '"gw_ap""p"',
      sql: [
        'CREATE ROLE "gw_ap""p" LOGIN',
        'GRANT CONNECT ON DATABASE "d b" TO "gw_ap""p"',
        'GRANT USAGE ON SCHEMA "my ""s""" TO "gw_ap""p"',
        `GRANT SELECT ("a""b\`c") ON ${name} TO "gw_ap""p"`,
        'ALTER ROLE "gw_ap""p" SET default_transaction_read_only = on',
      ],
    });
  });

  test.each([
    ['"a""b" \'it\'\'s\\\'', '"a""b" \'it\'\'s\\\''],
    ['CREATE INDEX ON "line\n\u{9b}" ("a\\""b\u202e")', 'CREATE INDEX ON U&"line\\000a\\009b" (U&"a\\\\""b\\202e")'],
    ["SELECT 'x\u{e0041}\t' FROM \"a'\nb\"", "SELECT U&'x\\+0e0041\\0009' FROM U&\"a'\\000ab\""],
  ])('SQL to copy: %j', (sql, wanted) => {
    const { copyable } = advisor.facts([user()]).remedies;
    expect(copyable(sql)).toBe(wanted);
    expect(copyable(wanted)).toBe(wanted);
  });

  test('the parent of partitions gets its index the only way it can', () => {
    const { remedies } = advisor.facts([
      user(),
      answer([['public', 'log', 'p', 'f', 'f', null, 'f', null]]),
      answer([]),
    ]);
    expect(remedies.index({ schema: 'public', name: 'log' }, ['day'])).toEqual([
      'CREATE INDEX ON "public"."log" ("day")',
    ]);
  });

  test.each([
    [{ 'Node Type': 'Seq Scan' }, { readsAll: true, sorts: false }],
    [
      { 'Node Type': 'Index Scan', 'Index Cond': 'x' },
      { readsAll: false, sorts: false },
    ],
    [
      { 'Node Type': 'Index Only Scan', Filter: 'x' },
      { readsAll: true, sorts: false },
    ],
    [
      { 'Node Type': 'Limit', Plans: [{ 'Node Type': 'Sort', Plans: [{ 'Node Type': 'Seq Scan' }] }] },
      { readsAll: true, sorts: true },
    ],
    [
      { 'Node Type': 'Incremental Sort', Plans: [{ 'Node Type': 'Index Scan', 'Index Cond': 'x' }] },
      { readsAll: false, sorts: false },
    ],
    [
      { 'Node Type': 'Bitmap Heap Scan', Plans: [{ 'Node Type': 'Bitmap Index Scan' }] },
      { readsAll: false, sorts: false },
    ],
  ])('reads a plan: %j', (plan, wanted) => {
    expect(advisor.plan(answer([[JSON.stringify([{ Plan: plan }])]]))).toEqual(wanted);
  });
});

describe('MySQL', () => {
  const { advisor } = dialects.mysql.dialect(server('mysql', [8, 0, 36]));
  const user = answer([["a'p\\p@10.%", 'er`p', '151', '10', '28800', '0']]);
  const facts = (said: readonly string[]) =>
    advisor.facts([
      user,
      answer(said.map((line) => [line])),
      answer([['about']]),
      answer([]),
      answer([]),
      answer([['`editor`@`%`']]),
    ]);

  test('what the user may do, in words and never as the server says it', () => {
    const hash = `IDENTIFIED BY PASSWORD '*2470C0C06DEE42FD1618BB99005ADCA2EC9D1E19'`;
    const powers = (...said: readonly string[]) => facts(said).powers;
    expect(powers(`GRANT ALL PRIVILEGES ON *.* TO 'app'@'%' ${hash} WITH GRANT OPTION`)).toEqual([
      'may do everything on this server',
    ]);
    expect(powers(`GRANT USAGE ON *.* TO 'app'@'%' ${hash}`, "GRANT SELECT ON `er``p`.`film` TO 'app'@'%'")).toEqual(
      [],
    );
    expect(
      powers(
        "GRANT SELECT, FILE, SUPER, PROCESS ON *.* TO 'app'@'%'",
        "GRANT ALL PRIVILEGES ON `er``p`.* TO 'app'@'%'",
      ),
    ).toEqual([
      'has SUPER',
      'may read and write files of the server (FILE)',
      'has rights to all databases (SELECT)',
      'may change more than rows of its database (ALL PRIVILEGES)',
    ]);
    expect(powers("GRANT ALL PRIVILEGES ON `other`.* TO 'app'@'%'")).toEqual([]);
    expect(
      powers(
        "GRANT ALL PRIVILEGES ON `er``p`.`film` TO 'app'@'%'",
        "GRANT SELECT, DROP ON `other`.`actor` TO 'app'@'%'",
        'GRANT `editor`@`%`,`rea``der`@`%` TO `app`@`%`',
        // A role that was granted to a role, in MariaDB's format.
        'GRANT `inner` TO `rea``der`',
      ),
    ).toEqual([
      'may change more than rows of film, other.actor',
      'may take on roles that the gateway never uses (rea`der)',
    ]);
    expect(JSON.stringify(facts([`GRANT USAGE ON *.* TO 'app'@'%' ${hash}`]).remedies.user([]))).not.toContain('2470');
  });

  test.each<
    [
      names: readonly string[],
      row: readonly Cell[],
      readOnly: '0' | '1',
      lag: number | null | undefined,
      receives?: boolean,
    ]
  >([
    [['Slave_IO_Running', 'Slave_SQL_Running', 'Seconds_Behind_Master'], ['Yes', 'Yes', '3'], '1', 3000, true],
    [['Replica_IO_Running', 'Replica_SQL_Running', 'Seconds_Behind_Source'], ['Yes', 'Yes', '0'], '0', 0, true],
    [['Slave_IO_Running', 'Slave_SQL_Running', 'Seconds_Behind_Master'], ['Connecting', 'Yes', null], '0', null, false],
    [['Slave_IO_Running', 'Slave_SQL_Running', 'Seconds_Behind_Master'], ['No', 'No', null], '1', null, false],
    // A former replica that was promoted to primary.
    [['Slave_IO_Running', 'Slave_SQL_Running', 'Seconds_Behind_Master'], ['No', 'No', null], '0', undefined],
  ])('a replica: %j %j, read_only %s', (names, row, readOnly, lag, isReceiving) => {
    const me = answer([['app@%', 'erp', '151', '0', '28800', readOnly]]);
    const none = answer([]);
    const { replica } = advisor.facts([me, none, none, none, none, null, answer([row], names)]);
    expect(replica).toEqual(lag === undefined ? null : { lag, isReceiving });
  });

  test('every name is quoted', () => {
    const { remedies, connections } = facts([]);
    const table = { schema: null, name: 't`; --' };
    expect(connections).toBe(10);
    expect(remedies.index(table, ['a`b'])).toEqual(['ALTER TABLE `er``p`.`t``; --` ADD INDEX (`a``b`)']);
    expect(remedies.user([{ table, grants, mentioned: ['hid`den', 'a"b`c'], below: [], withheld: [] }])).toMatchObject({
      name: "'gw_a''p\\\\p'@'10.%'",
      sql: [
        "CREATE USER IF NOT EXISTS 'gw_a''p\\\\p'@'10.%' ACCOUNT LOCK",
        "GRANT SELECT (`a\"b``c`) ON `er``p`.`t``; --` TO 'gw_a''p\\\\p'@'10.%'",
        "GRANT REFERENCES (`hid``den`) ON `er``p`.`t``; --` TO 'gw_a''p\\\\p'@'10.%'",
      ],
    });
  });

  test.each([
    ['ALL', '', { readsAll: true, sorts: false }],
    ['index', 'Using index', { readsAll: true, sorts: false }],
    ['fulltext', 'Using where', { readsAll: false, sorts: false }],
    ['ALL', 'Using where; Using filesort', { readsAll: true, sorts: true }],
    [null, 'Select tables optimized away', { readsAll: false, sorts: false }],
  ])('reads a plan: %s, %s', (type, extra, wanted) => {
    expect(advisor.plan(answer([['1', type, extra]], ['id', 'type', 'Extra']))).toEqual(wanted);
  });

  test.each([
    ['datetime DEFAULT NULL', 'datetime NOT NULL'],
    // Without an explicit default, older servers would set the column to the time of each update.
    ['timestamp NULL DEFAULT NULL', null],
    [
      "timestamp NULL DEFAULT current_timestamp() COMMENT 'x NULL'",
      "timestamp NOT NULL DEFAULT current_timestamp() COMMENT 'x NULL'",
    ],
    ["int(11) DEFAULT '5'", "int(11) NOT NULL DEFAULT '5'"],
    ["decimal(10,2) DEFAULT NULL COMMENT 'a, DEFAULT NULL'", "decimal(10,2) NOT NULL COMMENT 'a, DEFAULT NULL'"],
    ["int(11) NOT NULL DEFAULT '5'", null],
    ['int(11) GENERATED ALWAYS AS (`a` + 1) VIRTUAL', null],
    ['int(11) AS (`a` + 1) VIRTUAL', null],
  ])('a column that may be NULL: %s', (definition, wanted) => {
    const created = `CREATE TABLE \`t\` (\n  \`id\` int(11) DEFAULT NULL,\n  \`a\`\`b\` ${definition},\n  KEY \`a\` (\`a\`)\n)`;
    expect(withoutNull(created, 'a`b')).toBe(wanted === null ? null : `\`a\`\`b\` ${wanted}`);
    expect(withoutNull(created, 'c')).toBeNull();
  });

  test.each([
    ["varchar(40) CHARACTER SET latin1 DEFAULT 'x'", null, "varchar(40) CHARACTER SET utf8mb4 DEFAULT 'x'"],
    [
      "varchar(40) CHARACTER SET latin1 COLLATE latin1_bin NOT NULL COMMENT 'CHARACTER SET latin1'",
      'utf8mb4_bin',
      "varchar(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL COMMENT 'CHARACTER SET latin1'",
    ],
    // The length of these types is in bytes, so utf8mb4 needs a larger type.
    ['mediumtext', null, 'longtext CHARACTER SET utf8mb4'],
    ['tinytext', null, 'text CHARACTER SET utf8mb4'],
    // A row can have at most 65,535 bytes.
    ['varchar(20000)', null, null],
    ["enum('a','b') DEFAULT NULL", null, null],
    ["varchar(5) GENERATED ALWAYS AS ('a') VIRTUAL", null, null],
  ])('a column that does not hold every character: %s', (definition, collation, wanted) => {
    const created = `CREATE TABLE \`t\` (\n  \`a\` ${definition}\n) DEFAULT CHARSET=latin1`;
    expect(inUnicode(created, 'a', collation)).toBe(wanted === null ? null : `\`a\` ${wanted}`);
  });
});
