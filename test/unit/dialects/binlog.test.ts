import { describe, expect, test } from 'vitest';
import { Binlog } from '../../../src/dialects/mysql/binlog.ts';
import { binlogSource } from '../../../src/dialects/mysql/binlog-source.ts';
import { encodedGtids, gtidSet } from '../../../src/dialects/mysql/gtids.ts';
import { logFile, positionAt } from '../../../src/dialects/mysql/position.ts';
import { tokens } from '../../../src/dialects/mysql/tokens.ts';
import { LastXas, preparedPart } from '../../../src/dialects/mysql/xa.ts';
import type { Server } from '../../../src/model/catalog.ts';
import type { Logged } from '../../../src/model/feed.ts';
import { at, commit, event, file, prepared, query, rotate, table } from '../../support/binlog-events.ts';
import { mariadb, mysql } from './binlog-recorded.ts';

const mariadb11: Server = {
  ...{ product: 'mariadb', version: [11, 4], versionText: '', maxStatementBytes: null, logsStatements: false },
  ...{ foldCollation: null, startId: null },
};

/** A reader, and what it has delivered: the id, and the tables or `anything`. */
function reader(
  start: ConstructorParameters<typeof Binlog>[0] = { file, offset: 4, start: at(4), hasChecksums: false, prepared: [] },
) {
  const logged: Logged[] = [];
  const log = new Binlog(start, (transaction) => logged.push(transaction));
  const said = () =>
    logged.map(({ id, tables }) => [
      id,
      tables === null ? 'anything' : tables.map(({ database, name }) => `${database}.${name}`).join(),
    ]);
  return { log, logged, said };
}

describe('an id of XA transactions that comes again', () => {
  const again = [...prepared('01', ['b'], 12), query(`XA ROLLBACK X'01',X'',1`, 12)];
  const xid = `x'01',x'',1`;

  test('the tables of the last one are delivered once more: they may not have been visible yet', () => {
    const { log, said } = reader();
    for (const one of [...prepared('01', ['a'], 9), query(`XA COMMIT X'01',X'',1`, 10), ...again]) log.read(one);
    expect(said()).toEqual([
      [null, ''],
      [xid, 'db.a'],
      [null, 'db.a'],
      [xid, ''],
    ]);
  });

  test('the last one ended before the stream began', () => {
    const { log, said } = reader({ file, offset: 4, start: at(4), hasChecksums: false, prepared: [xid] });
    for (const one of [...again, ...again]) log.read(one);
    expect(said()).toEqual([
      [null, 'anything'],
      [xid, ''],
      [null, ''],
      [xid, ''],
    ]);
  });
});

describe('what servers have sent', () => {
  const first = { file: null, offset: 0, start: 0, hasChecksums: true, prepared: [] };
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
      [`${uuid}:${nth + 4}`, 'bl.r'],
      [expect.stringMatching(`^${uuid}:tagg:\\d+$`), 'bl.r'],
      // Compressed.
      [`${uuid}:${nth + 5}`, 'anything'],
    ]);
  });

  test('by MariaDB', () => {
    const { said, position } = read(mariadb);
    expect(said).toEqual([
      [null, 'anything'],
      [null, 'bl.r'],
      [null, ''],
      ["x'78',x'79',7", 'bl.r'],
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
    ['its rollback', [query(`XA ROLLBACK X'01',X'',1`, 9)], ['']],
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

  test('too many prepared XA transactions: the oldest are forgotten', () => {
    const { log, said } = reader();
    const prepare = (nth: number) => {
      const body = Buffer.alloc(15);
      body.writeUInt32LE(2, 5);
      body.writeUInt16BE(nth, 13);
      log.read(query(`XA START X'00',X'',0`, 11));
      log.read(table(`t${nth}`, 11));
      log.read(event(38, body, 11));
    };
    const [first, second, last] = ['0000', '0001', '4E20'];
    for (let nth = 0; nth <= 20_000; nth++) prepare(nth);
    for (const xid of [first, second, last]) log.read(query(`XA COMMIT X'${xid}',X'',0`, 12));
    expect(
      said()
        .slice(20_001)
        .map(([, tables]) => tables),
    ).toEqual(['anything', 'db.t1', 'db.t20000']);
  });

  test('of XA transactions, those that came last are kept, also under an id from before', () => {
    const last = new LastXas();
    const tables = (count: number) =>
      new Map(Array.from({ length: count }, (_, nth) => [`t${nth}`, { database: 'd', schema: null, name: `t${nth}` }]));
    last.set('again', tables(1));
    for (let nth = 0; nth < 19_999; nth++) last.set(`${nth}`, null);
    last.set('again', tables(2));
    last.set('one more', null);
    expect([last.get('0'), last.get('again')?.size]).toEqual([undefined, 2]);
    for (let nth = 0; nth < 100; nth++) last.set(`large ${nth}`, tables(1000));
    // Forgotten, it would seem to be the first one with its id.
    expect([last.get('again'), last.get('large 0')?.size]).toEqual([null, 1000]);
    last.set('too much', tables(1));
    expect([last.get('large 0'), last.get('too much')?.size]).toEqual([null, 1]);
    last.set('too much', null);
    expect(last.get('too much')).toBeNull();
  });

  test('an id that was dropped again is one of the last that are not covered', () => {
    const answer = (...cells: string[][]) => ({ names: [], types: [], cells, found: cells.length });
    const snapshot = answer(['Binlog_snapshot_file', 'log.000007'], ['Binlog_snapshot_position', '4']);
    const none = Array.from({ length: 13 }, () => answer());
    const begun = binlogSource(mariadb11).begin(none.map((one, nth) => (nth === 6 || nth === 11 ? snapshot : one)));
    const drop = (count: number, name: string) => {
      for (let nth = 0; nth < count; nth++) begun?.forget(`${name} ${nth}`);
    };
    for (const count of [19_000, 1000]) {
      begun?.forget('again');
      drop(count, `${count}`);
    }
    expect(['again', '19000 0', '1000 0'].map((id) => begun?.covers(id))).toEqual([false, true, false]);
  });

  test('a stream of MariaDB begins before the list of prepared ones, and has no answers from before the end of it', () => {
    const answer = (...cells: string[][]) => ({ names: [], types: [], cells, found: cells.length });
    const snapshot = (offset: number) =>
      answer(['Binlog_snapshot_file', 'log.000007'], ['Binlog_snapshot_position', `${offset}`]);
    const answers = Array.from({ length: 13 }, () => answer());
    const begun = binlogSource(mariadb11).begin(answers.with(6, snapshot(4)).with(11, snapshot(9)));
    expect(begun).toMatchObject({ offset: 4, start: at(9) });
  });

  test('a list of prepared transactions is a part of a token, by ids where there are few', () => {
    const listed = (count: number, first = '') => ({
      ...{ names: [], types: [], found: count },
      cells: Array.from({ length: count }, (_, nth) => ['1', '2', '1', Buffer.from(`${first}${nth}  `.slice(0, 3))]),
    });
    expect(preparedPart(listed(0), ['3', '4'])).toBe('');
    expect(preparedPart(listed(2), ['3', '4'])).toBe(`3,4;x'3020',x'20',1;x'3120',x'20',1`);
    const [many, others] = [listed(501), listed(501, 'a')].map((list) => preparedPart(list, ['3', '4']));
    expect([many === others, many?.startsWith('3,4;#'), many?.includes(' ')]).toEqual([false, true, false]);
    expect(many).toBe(preparedPart(listed(501), ['3', '4']));
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
    tokens(server(product))
      .find((source) => source.name === name)
      ?.log?.question({ before, after }, ids, []);
  const between = { ids: [], listed: [], after: at(42), until: at(99), definitions: [] };
  const status = (position: number, resets = 0, prepared = '') => `my log.000007 ${position} ${prepared} ${resets}`;
  const shown = 'binlog_snapshot_position';
  const [one, two] = [`x'01',x'',1`, `x'02',x'03',7`];
  const ended = (before: string, after: string) =>
    question('mariadb', shown, status(42, 0, before), status(99, 0, after), null);
  expect(ended(`7,7;${one};${two}`, `7,7;${two}`)).toEqual({ ...between, ids: [one], listed: [two] });
  expect(ended(`7,7;${one}`, '')).toEqual({ ...between, ids: [one] });
  for (const before of ['', `7,7;${one}`]) expect(ended(before, `7,7;${one}`)).toEqual({ ...between, listed: [one] });
  // Another one may have been prepared under the same id.
  for (const counts of ['7,8', '8,8'])
    expect(ended(`7,7;${one}`, `${counts};${one}`)).toEqual({ ...between, ids: [one], listed: [one] });
  const whileOpen = (prepared: string) =>
    tokens(server('mariadb'))
      .find((source) => source.name === shown)
      ?.log?.whileOpen?.(status(42, 0, prepared));
  expect(whileOpen(`7,7;${one};${two}`)).toEqual({ ...between, listed: [one, two], until: at(42) });
  for (const prepared of ['', '7,7;#a']) expect(whileOpen(prepared)).toBeNull();
  expect(ended('7,7;#a', '7,7;#a')).toEqual(between);
  expect(ended('7,7;#a', '7,7;#b')).toBeNull();
  expect(ended(`7,7;${one}`, '7,7;#b')).toEqual({ ...between, ids: [one] });
  expect(question('mariadb', shown, status(42), status(99, 1), null)).toBeNull();
  const logged = 'the position of the binary log';
  expect(question('mysql', logged, status(42), status(99), null)).toEqual(between);
  expect(question('mysql', logged, status(42), status(99, 1), null)).toBeNull();
  expect(question('mysql', logged, 'log 42', status(99), null)).toBeNull();
  const added = { ids: ['a:1'], after: null, until: null, definitions: [] };
  expect(question('mysql', 'gtid_executed', '[]', '[]', ['a:1'])).toEqual(added);
  expect(question('mysql', 'gtid_executed', '[]', '[]', null)).toBeNull();
});
