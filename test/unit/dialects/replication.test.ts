/** How positions of a primary and its replicas compare. */
import { expect, test } from 'vitest';
import { replication as ofMysql } from '../../../src/dialects/mysql/replication.ts';
import { replication as postgres } from '../../../src/dialects/postgres/replication.ts';
import type { Server } from '../../../src/model/catalog.ts';
import { hasReached, type Replication, whyNotReplica } from '../../../src/model/replication.ts';
import type { Answer } from '../../../src/model/rows.ts';

const answer = (...row: readonly (string | null)[]): Answer => ({ names: [], types: [], cells: [row], found: 1 });
const server = (product: 'mysql' | 'mariadb', version: readonly number[]): Server => ({
  ...{ product, version, versionText: '', maxStatementBytes: 1, logsStatements: false },
  ...{ foldCollation: null, startId: null },
});
const mysql = ofMysql(server('mysql', [8, 4, 3]));
const mariadb = ofMysql(server('mariadb', [10, 11, 6]));

/** The state of a replica relative to a primary, from the answers of both. */
function between(replication: Replication, primary: Answer, replica: Answer) {
  const position = replication.position(primary);
  if (position === null) return 'no position';
  const state = replication.state(replica);
  return (
    whyNotReplica(replication, state, position) ?? (hasReached(replication, state, position) ? 'reached' : 'behind')
  );
}

const log = (timeline: string, here: string, offset = '5000') => answer('7', timeline, here, offset, '8192');

test.each([
  ['the same position', log('00000001', '0/3001000'), answer('t', '0/3001000', '7', '00000001'), 'reached'],
  ['a later one, as a number', log('00000001', '1/0'), answer('t', '0/FFFFFFFF', '7', '00000001'), 'behind'],
  ['an empty page', log('00000001', '0/3004018', '16408'), answer('t', '0/3004000', '7', '00000001'), 'reached'],
  ['an empty file', log('00000001', '0/4000028', '40'), answer('t', '0/4000000', '7', '00000001'), 'reached'],
  [
    'a record that ends within a page',
    log('00000001', '0/3004028', '16424'),
    answer('t', '0/3004000', '7', '00000001'),
    'behind',
  ],
  [
    'another timeline',
    log('00000001', '0/3000000'),
    answer('t', '0/3000000', '7', '00000002'),
    'it is on another timeline than its primary',
  ],
  [
    'a later position than the primary',
    log('00000001', '0/3000000'),
    answer('t', '0/3000008', '7', '00000001'),
    'it is ahead of its primary',
  ],
  [
    'the same position of another cluster',
    log('00000001', '0/3001000'),
    answer('t', '0/3001000', '8', '00000001'),
    'it is a replica of another server, or has another database',
  ],
  ['no standby', log('00000001', '0/3000000'), answer('f', null, '7', '00000001'), 'it is no standby'],
  ['nothing replayed', log('00000001', '0/3000000'), answer('t', null, '7', '00000001'), 'behind'],
  ['a primary that is a standby', answer('7', null, null, null, '8192'), answer('t', '0/1', '7', '1'), 'no position'],
])('PostgreSQL: %s', (_, primary, replica, is) => expect(between(postgres, primary, replica)).toBe(is));

const uuid = '3e11fa47-71ca-11e1-9e33-c80aa9429562';
const other = '4e11fa47-71ca-11e1-9e33-c80aa9429562';

test.each([
  ['the same set', `${uuid}:1-5`, ['1', '8.4.9', 'd', '', '', `${uuid}:1-5`], 'reached'],
  ['a part of it', `${uuid}:1-5,\n${other}:1`, ['1', '8.4.9', 'd', '', '', `${uuid}:1-5`], 'behind'],
  ['a gap', `${uuid}:1-5`, ['1', '8.4.9', 'd', '', '', `${uuid}:1-3:5`], 'behind'],
  [
    'a transaction more',
    `${uuid}:1-5`,
    ['1', '8.4.9', 'd', '', '', `${uuid}:1-6`],
    'it has transactions that its primary does not have',
  ],
  [
    'a transaction of its own',
    `${uuid}:1-5`,
    ['1', '8.4.9', 'd', '', '', `${uuid}:1-5,${other}:1`],
    'it has transactions that its primary does not have',
  ],
  ['no transaction at all', '', ['1', '8.4.9', 'd', '', '', ''], 'reached'],
  ['one that is written', `${uuid}:1-5`, ['0', '8.4.9', 'd', '', '', `${uuid}:1-5`], 'it is not read-only (read_only)'],
  ['another version', `${uuid}:1-5`, ['1', '8.0.36', 'd', '', '', `${uuid}:1-5`], 'its version is not 8.4'],
])('MySQL: %s', (_, primary, replica, is) =>
  expect(between(mysql, answer('d', '', primary), answer(...replica))).toBe(is),
);

test.each([
  ['lacks it', `${uuid}:1-5`, 'behind'],
  ['shows it already', `${uuid}:1-6`, 'reached'],
  ['shows one of another source', `${uuid}:1-6,${other}:1`, 'it has transactions that its primary does not have'],
])('MySQL: a replica %s, while a transaction of the primary is about to be in the set', (_, has, is) => {
  expect(between(mysql, answer('d', `${uuid}:6#31`, `${uuid}:1-5`), answer('1', '8.4.9', 'd', '', '', has))).toBe(is);
});

test.each([
  ['applies a transaction of its primary', `${uuid}:6#31`, 'behind'],
  ['commits one of its own', `${other}:1#31`, 'it has transactions that its primary does not have'],
])('MySQL: a replica %s', (_, owned, is) => {
  const primary = answer('d', `${uuid}:6#9`, `${uuid}:1-5`);
  expect(between(mysql, primary, answer('1', '8.4.9', 'd', '', owned, `${uuid}:1-5`))).toBe(is);
});

test('MySQL without GTIDs has no position', () => {
  expect(mysql.position({ names: [], types: [], cells: [], found: 0 })).toBeNull();
});

test.each([
  ['the same position', ['0-1-100', '0-1-100'], ['0-1-100', '0-1-100'], 'reached'],
  ['the next number is not a longer text', ['0-1-100', '0-1-100'], ['0-1-99', '0-1-99'], 'behind'],
  ['a domain that it lacks', ['0-1-100,1-1-7', '0-1-100,1-1-7'], ['0-1-100', ''], 'behind'],
  [
    'an equal number of another server',
    ['0-1-100', '0-1-100'],
    ['0-2-100', '0-1-99,0-2-100'],
    'it has transactions that its primary does not have',
  ],
  [
    'a transaction of its own',
    ['0-1-100', '0-1-100'],
    ['0-1-100', '0-1-100,0-2-101'],
    'it has transactions that its primary does not have',
  ],
  ['a primary after a failover', ['0-2-120', '0-1-100,0-2-120'], ['0-2-120', '0-1-100,0-2-120'], 'reached'],
])('MariaDB: %s', (_, primary, [applied = '', own = ''], is) => {
  expect(between(mariadb, answer('d', ...primary), answer('1', '10.11.8-MariaDB', 'd', '', applied, own))).toBe(is);
});

test.each([
  ['MariaDB: a larger number of the old primary', mariadb, ['0-2-101', '0-1-100,0-2-101'], ['0-1-120', '0-1-120']],
  ['MariaDB: another database', mariadb, ['0-1-100', '0-1-100'], ['0-1-100', ''], 'e'],
  ['MySQL: another database', mysql, ['', `${uuid}:1-5`], ['', `${uuid}:1-5`], 'e'],
])('%s does not reach a position', (_, replication, primary, has, database = 'd') => {
  const position = replication.position(answer('d', ...primary));
  const version = replication === mysql ? '8.4.9' : '10.11.8-MariaDB';
  const state = replication.state(answer('1', version, database, '', ...has));
  expect(position !== null && hasReached(replication, state, position)).toBe(false);
});

test('PostgreSQL: a later position of another cluster does not reach a position', () => {
  const position = postgres.position(log('00000001', '0/3001000'));
  const state = postgres.state(answer('t', '0/4001000', '8', '00000001'));
  expect(position !== null && hasReached(postgres, state, position)).toBe(false);
});

test('MariaDB with a filter for tables is no replica', () => {
  const [primary, filtered] = [answer('d', '0-1-1', '0-1-1'), answer('1', '10.11.8-MariaDB', 'd', 'd.t', '0-1-1', '')];
  expect(between(mariadb, primary, filtered)).toBe('it leaves out tables (replicate_ filters)');
});

test('MariaDB without a binary log has no position', () => {
  expect(mariadb.position(answer('d', '', ''))).toBeNull();
});
