import { describe, expect, test } from 'vitest';
import { feedCheck } from '../../../src/dialects/mysql/feed.ts';
import type { Server } from '../../../src/model/catalog.ts';

const server = (product: Server['product'], ...version: readonly number[]): Server => ({
  ...{ product, version, versionText: '', maxStatementBytes: null, logsStatements: false },
  ...{ foldCollation: null, startId: null },
});
const mysql = server('mysql', 8, 4, 0);
const mariadb = server('mariadb', 10, 11, 2);

const good = { log_bin: 'ON', binlog_format: 'ROW', gtid_mode: 'ON', log_slave_updates: 'ON' };
const may = ["GRANT REPLICATION SLAVE, REPLICATION CLIENT ON *.* TO 'gw'@'%'"];
const monitors = ["GRANT REPLICATION SLAVE, BINLOG MONITOR ON *.* TO 'gw'@'%'"];

interface Answers {
  readonly set?: Readonly<Record<string, string>>;
  readonly grants?: readonly string[] | null;
  readonly replicas?: readonly string[] | null;
  readonly status?: readonly string[] | null;
}

function check(of: Server, { set = {}, grants = may, replicas = [], status = ['log.000001', '4', '', ''] }: Answers) {
  const answer = (rows: readonly (readonly string[])[] | null) =>
    rows === null ? null : { names: [], types: [], cells: rows, found: rows.length };
  const { obstacles, remarks } = feedCheck(of).facts([
    answer(Object.entries({ ...good, ...set })),
    answer(grants === null ? null : grants.map((line) => [line])),
    answer([['gw@%']]),
    answer(replicas === null ? null : replicas.map((one) => [one])),
    answer(status === null ? null : [status]),
  ]);
  const text = ({ why, remedy }: (typeof obstacles)[number]) => (remedy === null ? why : `${why}: ${remedy}`);
  return [...obstacles.map(text), ...remarks.map((remark) => `remark: ${text(remark)}`)];
}

test.each([
  [mysql, may],
  [mysql, ["GRANT ALL PRIVILEGES ON *.* TO 'gw'@'%'"]],
  [mysql, null],
  // The rights of a role may not be visible to us, so there is no complaint.
  [mysql, ['GRANT `feeds`@`%` TO `gw`@`%`']],
  [mariadb, monitors],
  [server('mariadb', 10, 4, 30), may],
  [server('mysql', 5, 6, 24), may],
] as const)('nothing is in the way', (of, grants) => {
  expect(check(of, { grants })).toEqual([]);
});

describe('in the way', () => {
  test.each<readonly [Server, Answers, string]>([
    [mysql, { set: { log_bin: 'OFF' }, status: null }, 'log_bin is OFF'],
    [
      mysql,
      { grants: ["GRANT SELECT ON *.* TO 'gw'@'%'"] },
      "'gw'@'%' lacks REPLICATION SLAVE and REPLICATION CLIENT: GRANT REPLICATION SLAVE, REPLICATION CLIENT ON *.* TO 'gw'@'%'",
    ],
    // A right on one schema does not apply to the whole server.
    [
      mysql,
      { grants: ["GRANT REPLICATION SLAVE ON *.* TO 'gw'@'%'", "GRANT ALL PRIVILEGES ON `app`.* TO 'gw'@'%'"] },
      "'gw'@'%' lacks REPLICATION CLIENT: GRANT REPLICATION CLIENT ON *.* TO 'gw'@'%'",
    ],
    [mariadb, { grants: may }, "'gw'@'%' lacks BINLOG MONITOR: GRANT BINLOG MONITOR ON *.* TO 'gw'@'%'"],
    [mysql, { status: ['log.000001', '4', 'app,shop', ''] }, 'binlog_do_db is "app,shop"'],
    [mysql, { status: ['log.000001', '4', '', 'app'] }, 'binlog_ignore_db is "app"'],
    [mysql, { replicas: ['Waiting'], set: { log_slave_updates: 'OFF' } }, 'the server is a replica'],
    [mysql, { set: { gtid_mode: 'OFF', rpl_semi_sync_source_enabled: 'ON' } }, 'set gtid_mode to ON'],
    [mysql, { set: { binlog_format: 'MIXED' } }, 'remark: binlog_format is MIXED'],
    [mysql, { set: { binlog_transaction_compression: 'ON' } }, 'remark: binlog_transaction_compression is ON'],
  ])('%o %o', (of, answers, message) => {
    expect(check(of, answers)).toEqual([expect.stringContaining(message)]);
  });
});

test('a replica may log what it replicates', () => {
  expect(check(mysql, { replicas: ['Waiting'] })).toEqual([]);
  expect(check(mariadb, { grants: monitors, set: { rpl_semi_sync_master_enabled: 'ON', gtid_mode: '' } })).toEqual([]);
});
