import { describe, expect, test } from 'vitest';
import { Binlog } from '../../../src/dialects/mysql/binlog.ts';
import { commitMarkers } from '../../../src/dialects/mysql/commit-markers.ts';
import { encodedGtids, gtidSet } from '../../../src/dialects/mysql/gtids.ts';
import { logFile, positionAt } from '../../../src/dialects/mysql/position.ts';
import type { Server } from '../../../src/model/catalog.ts';
import type { Logged } from '../../../src/model/feed.ts';
import { at, commit, event, file, query, rotate, table } from '../../support/binlog-events.ts';
import { mariadb, mysql } from './binlog-recorded.ts';

/** A reader, and what it has delivered: the id, and the tables or `anything`. */
function reader(
  start: ConstructorParameters<typeof Binlog>[0] = { file, offset: 4, start: at(4), hasChecksums: false },
) {
  const logged: Logged[] = [];
  const log = new Binlog(start, (transaction) => logged.push(transaction));
  const delivered = () =>
    logged.map(({ id, tables }) => [
      id,
      tables === null ? 'anything' : tables.map(({ database, name }) => `${database}.${name}`).join(),
    ]);
  return { log, logged, said: delivered };
}

describe('what servers have sent', () => {
  const first = { file: null, offset: 0, start: 0, hasChecksums: true };
  const read = (events: readonly string[]) => {
    const { log, said } = reader(first);
    for (const event of events) log.read(Buffer.from(event, 'hex'));
    return { said: said(), position: log.position };
  };

  test('by MySQL', () => {
    const { said } = read(mysql);
    const [uuid = ''] = String(said[0]?.[0]).split(':');
    const nth = Number(String(said[0]?.[0]).split(':')[1]);
    expect(uuid).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(said).toEqual([
      [`${uuid}:${nth}`, 'anything'],
      [`${uuid}:${nth + 1}`, 'anything'],
      [`${uuid}:${nth + 2}`, 'bl.r'],
      [`${uuid}:${nth + 3}`, ''],
      [`${uuid}:${nth + 4}`, 'anything'],
      // A GTID with a tag.
      [null, 'bl.r'],
      // A compressed transaction.
      [`${uuid}:${nth + 5}`, 'anything'],
    ]);
  });

  test('by MariaDB', () => {
    const { said, position } = read(mariadb);
    expect(said).toEqual([
      [null, 'anything'],
      [null, 'bl.r'],
      [null, ''],
      [null, 'anything'],
    ]);
    expect(position % 2 ** 32).toBeGreaterThan(4);
  });

  test('cut after its first hundred bytes, as a large one is', () => {
    const cut = mysql.map((event) => (event.slice(8, 10) === '0f' ? event : event.slice(0, 200)));
    const some = (events: readonly string[]) => read(events).said.map(([, tables]) => tables);
    expect(some(cut)).toEqual(some(mysql));
  });
});

test('a position is that of the last whole transaction, and never falls', () => {
  const { log, logged } = reader();
  for (const [next, one] of [
    [4, event(15, Buffer.alloc(90), 0, 0x20)],
    [50, event(160, Buffer.alloc(0), 50)],
    [50, query('BEGIN', 60)],
    [50, table('t', 70)],
    [50, event(30, Buffer.alloc(99), 80)],
    [90, commit(90)],
    [95, event(27, Buffer.from('log.000007'), 95)],
    [95, event(27, Buffer.from('log.000007'), 94)],
    [95, event(27, Buffer.from('log.000006'), 99)],
  ] as const) {
    log.read(one);
    expect(log.position).toBe(at(next));
  }
  expect(logged).toEqual([{ id: null, tables: [{ database: 'db', schema: null, name: 't' }], end: at(90) }]);
  log.read(rotate('log.000008', 4));
  expect(log.position).toBe(at(4, 8));
});

test.each([
  ['the name changes', [rotate('other.000008', 4)], 'another name'],
  ['the number falls', [rotate('log.000006', 4)], 'another name'],
  ['no number', [rotate('log', 4)], 'another name'],
  ['the number is too large', [rotate('log.2097152', 4), commit(9)], 'too large'],
  ['a file is larger than 4 GB', [commit(4_000_000_000), commit(5)], 'larger than 4 GB'],
  ['a table without a name', [event(19, Buffer.alloc(9, 200), 9)], 'out of range'],
  ['an event without a header', [Buffer.alloc(7)], 'out of range'],
])('it cannot be followed when %s', (_, events, message) => {
  const { log } = reader();
  expect(() => {
    for (const one of events) log.read(one);
  }).toThrow(message);
});

describe('anything may have changed', () => {
  const unknown = 99;
  test.each<readonly [string, readonly Buffer[], readonly string[]]>([
    ['an unknown event', [event(unknown, Buffer.alloc(1), 9)], ['anything']],
    ['one that may be ignored', [event(unknown, Buffer.alloc(1), 9, 0x80)], []],
    [
      'one within a transaction is delivered at once, and once',
      [query('BEGIN', 9), event(unknown, Buffer.alloc(1), 10), event(unknown, Buffer.alloc(1), 11), commit(12)],
      ['anything', 'anything'],
    ],
    ['an incident', [event(26, Buffer.alloc(3), 9)], ['anything']],
    ['a table without a transaction', [table('t', 9)], ['anything']],
    [
      'a transaction that another one follows',
      [query('BEGIN', 9), table('t', 10), event(34, Buffer.alloc(25), 11)],
      ['anything'],
    ],
    ['one that a new file follows', [query('BEGIN', 9), table('t', 10), event(15, Buffer.alloc(90), 0)], ['anything']],
    [
      'a statement within a transaction',
      [query('BEGIN', 9), table('t', 10), query('DELETE FROM t', 11), commit(12)],
      ['anything'],
    ],
    ['an unknown XA transaction', [query(`XA COMMIT X'01',X'',1`, 9)], ['anything']],
    [
      'one that is committed in one phase, as its statement says: its own tables',
      [query(`XA START X'01',X'',1`, 9), table('t', 9), query(`XA COMMIT X'01',X'',1 ONE PHASE`, 9)],
      ['db.t'],
    ],
    ['its rollback', [query(`XA ROLLBACK X'01',X'',1`, 9)], ['anything']],
    ['a compressed statement', [event(165, Buffer.alloc(20), 9)], ['anything']],
    ['a statement that begins like a savepoint', [query('SAVEPOINT `a` /* */; DROP TABLE t', 9)], ['anything']],
    ['a savepoint', [query('SAVEPOINT `a`', 9), query('ROLLBACK TO `a``b`', 10)], []],
  ])('%s', (_, events, expected) => {
    const { log, said } = reader();
    for (const one of events) log.read(one);
    expect(said().map(([, tables]) => tables)).toEqual(expected);
  });

  test('a transaction with too many tables', () => {
    const { log, logged } = reader();
    const changes = (count: number) => {
      log.read(query('BEGIN', 11));
      for (let nth = 0; nth < 2 * count; nth++) log.read(table(`t${nth % count}`, 11));
      log.read(commit(11));
    };
    changes(1000);
    changes(1001);
    expect(logged.map(({ tables }) => tables?.length)).toEqual([1000, undefined]);
  });
});

test('sets of GTIDs in bytes', () => {
  const uuid = '3e11fa47-71ca-11e1-9e33-c80aa9429562';
  const bytes = (set: string) => Buffer.from(encodedGtids(set)).toString('hex');
  const long = (low: number) => Buffer.of(low, 0, 0, 0, 0, 0, 0, 0).toString('hex');
  const source = uuid.replaceAll('-', '');
  expect(bytes('')).toBe(long(0));
  expect(bytes(`${uuid.toUpperCase()}:1-5:7`)).toBe([long(1), source, long(2), ...[1, 6, 7, 8].map(long)].join(''));
  expect(bytes(`${uuid}:1-5:tag:2`)).toBe(
    ['0102000000000001', source, '00', long(1), long(1), long(6), source, '06746167', long(1), long(2), long(3)].join(
      '',
    ),
  );
  const set = `${uuid}:1-5:7:tag:2`;
  const ids = [`${uuid}:5`, `${uuid}:6`, `${uuid}:tag:2`, `${uuid}:2`, `${uuid}:tag:1`, 'no id'];
  expect(ids.map(gtidSet(set))).toEqual([true, false, true, true, false, false]);
});

test('positions of tokens', () => {
  expect(positionAt(logFile('log.000007'), 42)).toBe(at(42));
  expect(positionAt(logFile('log.000007'), 2 ** 32)).toBeNull();
  expect(positionAt(logFile('log'), 42)).toBeNull();
  const server = (product: Server['product']): Server => ({
    ...{ product, version: [8, 4, 0], versionText: '', maxStatementBytes: null, logsStatements: false },
    ...{ foldCollation: null, startId: null },
  });
  const question = (product: Server['product'], name: string, before: string, after: string, ids: string[] | null) =>
    commitMarkers(server(product))
      .find((source) => source.name === name)
      ?.log?.question({ before, after }, ids, []);
  const between = { ids: [], after: at(42), until: at(99), ddlMarks: [] };
  const status = (position: number, resets = 0) => `my log.000007 ${position} ${resets}`;
  const shown = 'binlog_snapshot_position';
  expect(question('mariadb', shown, status(42), status(99), null)).toEqual(between);
  expect(question('mariadb', shown, status(42), status(99, 1), null)).toBeNull();
  const logged = 'the position of the binary log';
  expect(question('mysql', logged, status(42), status(99), null)).toEqual(between);
  expect(question('mysql', logged, status(42), status(99, 1), null)).toBeNull();
  expect(question('mysql', logged, 'log 42', status(99), null)).toBeNull();
  const added = { ids: ['a:1'], after: null, until: null, ddlMarks: [] };
  expect(question('mysql', 'gtid_executed', '[]', '[]', ['a:1'])).toEqual(added);
  expect(question('mysql', 'gtid_executed', '[]', '[]', null)).toBeNull();
});
