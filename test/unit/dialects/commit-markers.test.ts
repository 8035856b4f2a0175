import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commitMarkers as mysqlTokens } from '../../../src/dialects/mysql/commit-markers.ts';
import { addedGtids } from '../../../src/dialects/mysql/gtids.ts';
import { commitMarkers } from '../../../src/dialects/postgres/commit-markers.ts';
import { OwnTransactions } from '../../../src/execute/connection/own-transactions.ts';

const postgres = commitMarkers({
  ...{ product: 'postgres', version: [15, 0], versionText: '', maxStatementBytes: null, logsStatements: false },
  ...{ foldCollation: null, startId: null },
})[0];

describe('transactions between two snapshots of PostgreSQL', () => {
  const token = (snapshot: string, start = '1', replayed: string | null = null) =>
    JSON.stringify([snapshot, start, String(replayed)]);
  const ended = (before: string, after: string) => postgres?.ended(before, after);

  test.each([
    ['100:100:', '101:101:', ['1 100']],
    ['100:100:', '100:103:100,101', ['1 102']],
    ['100:103:100,101', '101:104:101', ['1 100', '1 103']],
    ['100:103:100', '103:103:', ['1 100']],
    [
      '18446744073709551615:18446744073709551615:',
      '18446744073709551616:18446744073709551616:',
      ['1 18446744073709551615'],
    ],
  ])('%s → %s', (before, after, ids) => {
    expect(ended(token(before), token(after))).toEqual(ids);
  });

  test.each([
    ['another start of the server', token('100:100:'), token('101:101:', '2')],
    ['a standby', token('100:100:', '1', '0/1'), token('101:101:', '1', '0/1')],
    ['an earlier snapshot', token('101:101:'), token('100:100:')],
    ['too many', token('100:100:'), token('10200:10200:')],
    ['another form', token('100:100:'), token('?')],
  ])('%s: they cannot be told', (_, before, after) => {
    expect(ended(before, after)).toBeNull();
  });

  test('of any run of transactions, those that ended are found, and no other', () => {
    const moment = fc.record({
      end: fc.integer({ min: 10, max: 30 }),
      running: fc.uniqueArray(fc.integer({ min: 10, max: 29 })),
    });
    fc.assert(
      fc.property(moment, fc.integer({ min: 0, max: 10 }), fc.func(fc.boolean()), (first, more, stays) => {
        const before = first.running.filter((id) => id < first.end);
        const end = first.end + more;
        const started = Array.from({ length: more }, (_, nth) => first.end + nth);
        const after = [...before, ...started].filter((id) => stays(id));
        const text = (of: number, running: readonly number[]) =>
          token(`${Math.min(of, ...running)}:${of}:${running.join()}`);
        const gone = [...before, ...started].filter((id) => !after.includes(id));
        expect(new Set(ended(text(first.end, before), text(end, after)))).toEqual(new Set(gone.map((id) => `1 ${id}`)));
      }),
    );
  });
});

describe('GTIDs between two sets', () => {
  const token = (set: string, server = 'S') => JSON.stringify([[set, server]]);

  test.each([
    ['', 'a:1', ['a:1']],
    ['a:1-5', 'a:1-7', ['a:6', 'a:7']],
    ['a:1-5:8', 'a:1-8', ['a:6', 'a:7']],
    ['a:1-5', 'a:1-5:7,\nb:1-2', ['a:7', 'b:1', 'b:2']],
    ['A:1-5', 'a:1-6', ['a:6']],
    ['a:1-5', 'a:1-5:tag:1', ['a:tag:1']],
    ['a:1-5:tag:1', 'a:1-6:tag:1-2', ['a:6', 'a:tag:2']],
  ])('%s → %s', (before, after, added) => {
    expect(addedGtids(token(before), token(after))).toEqual(added);
  });

  test.each([
    ['another server', token('a:1-5'), token('a:1-6', 'T')],
    [
      'a reset',
      JSON.stringify([
        ['a:1-5', 'S'],
        ['Com_reset', '0'],
      ]),
      JSON.stringify([
        ['a:1-6', 'S'],
        ['Com_reset', '1'],
      ]),
    ],
    ['a set that lost some', token('a:1-5'), token('a:1-4:6')],
    ['a source that is gone', token('a:1-5,b:1'), token('a:1-6')],
    ['too many', token('a:1-5'), token('a:1-5000')],
  ])('%s: they cannot be told', (_, before, after) => {
    expect(addedGtids(before, after)).toBeNull();
  });
});

test('transactions are ours until they are forgotten, and pending while the effects of one are not invalidated', () => {
  const transactions = new OwnTransactions();
  transactions.began('1');
  transactions.began('2');
  transactions.invalidated(['1']);
  expect([transactions.othersOf(['1', '2', '3']), transactions.othersOf([])]).toEqual([['3'], []]);
  expect([['1'], ['1', '2'], ['3'], []].map((ids) => transactions.isPending(ids))).toEqual([false, true, false, false]);
  transactions.forget(['1']);
  expect(transactions.othersOf(['1'])).toEqual(['1']);
  // As long as nobody reads, the list must not grow without bound.
  transactions.invalidated(Array.from({ length: 20_000 }, (_, nth) => `x${nth}`));
  expect(transactions.othersOf(['2', 'x19999'])).toEqual(['2']);
  // After a restart the server may reuse the same ids.
  transactions.clear();
  expect(transactions.othersOf(['x19999'])).toEqual(['x19999']);
});

const ofMysql = (wanted: string) =>
  mysqlTokens({
    ...{ product: 'mysql', version: [8, 4], versionText: '', maxStatementBytes: null, logsStatements: false },
    ...{ foldCollation: null, startId: null },
  }).find(({ name }) => name === wanted);
const answer = (cells: readonly (readonly string[])[]) => ({ names: [], types: [], cells, found: 0 });

test('the position of the log is a token only while no other server has a part in commits', () => {
  const source = ofMysql('the position of the binary log');
  const at = (more: readonly (readonly string[])[], replicas: readonly (readonly string[])[], left = '') =>
    source?.readMarker([
      answer([['InnoDB', '', '']]),
      answer([['bin.000001', '4', '', left, '']]),
      answer([['Com_reset', '0'], ...more]),
      answer(replicas),
    ]);
  expect(at([], [])).toBe('bin.000001 4 0');
  expect(at([['Rpl_semi_sync_source_status', 'ON']], [])).toBeNull();
  expect(at([], [['Waiting for source to send event']])).toBeNull();
  expect(at([], [], 'left_out')).toBeNull();
  expect(source?.statements.slice(2).map((statement) => statement.text)).toEqual([
    expect.stringContaining(`IN ('Rpl_semi_sync_master_status', 'Rpl_semi_sync_source_status') AND Value = 'ON'`),
    'SHOW REPLICA STATUS',
  ]);
});

test('the counter of MySQL moves also where a statement in the last deadlock has such a line', () => {
  const source = ofMysql(`InnoDB's transaction counter`);
  const at = (counter: number) =>
    source?.readMarker([
      answer([
        [
          'InnoDB',
          '',
          `LATEST DETECTED DEADLOCK\n/*\nTrx id counter 4711\n*/\nTRANSACTIONS\nTrx id counter ${counter}`,
        ],
      ]),
      answer([['Com_create_view', '0']]),
    ]);
  expect(at(1)).toBe(at(1));
  expect(at(1)).not.toBe(at(2));
});
