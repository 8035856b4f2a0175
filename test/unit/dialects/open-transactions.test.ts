import { expect, test } from 'vitest';
import { commitMarkers } from '../../../src/dialects/mysql/commit-markers.ts';
import type { Answer } from '../../../src/model/rows.ts';

const counter = commitMarkers({
  ...{ product: 'mysql', version: [9, 7, 4], versionText: '', maxStatementBytes: null, logsStatements: false },
  ...{ foldCollation: null, startId: null },
}).at(-1);
const isOpen = (state: string) => {
  const answer: Answer = { names: [], types: [], found: 1, cells: [['InnoDB', '', state]] };
  return counter?.isOpen?.([answer]);
};

const head =
  '\n=====\nLATEST DETECTED DEADLOCK\nTRANSACTION 7, ACTIVE 0 sec inserting\nundo log entries 1\n------------\n';
const idle = '---TRANSACTION 421, not started\n0 lock struct(s)\n';
const reads = '---TRANSACTION 422, ACTIVE 3 sec\n0 lock struct(s)\n';
const writes = '---TRANSACTION 9, ACTIVE 3 sec fetching rows\n2 lock struct(s), undo log entries 12\n';
const prepared = '---TRANSACTION 9, ACTIVE (PREPARED) 3 sec\n2 lock struct(s), undo log entries 12\n';

test.each([
  ['no transaction', head, false],
  ['transactions that have not written', head + idle + reads, false],
  ['one that has', head + idle + writes, true],
  ['a prepared one', head + prepared + idle, true],
  ['one that is visible', `${head}${idle}---TRANSACTION 9, COMMITTED IN MEMORY\n2 undo log entries\n`, false],
  ['one of an unknown age', `${head}---TRANSACTION 9, ACTIVE 18446744073709551606 sec\n`, true],
  ['a list that was cut', `${head}... truncated...\n`, true],
  ['no list', '', true],
])('%s', (_, state, expected) => {
  expect(isOpen(state)).toBe(expected);
});
