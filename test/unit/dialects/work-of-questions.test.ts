import { expect, test } from 'vitest';
import { tokens } from '../../../src/dialects/postgres/tokens.ts';
import { triggers } from '../../../src/dialects/postgres/triggers.ts';
import { wal } from '../../../src/dialects/postgres/wal.ts';
import type { Server } from '../../../src/model/catalog.ts';
import type { Answer } from '../../../src/model/rows.ts';

const answer = (...row: readonly string[]): Answer => ({ names: [], types: [], found: 1, cells: [row] });
const token = (snapshot: string) => JSON.stringify([snapshot, 'start', 'null']);
const none = { served: [], shown: [], related: [] };
const postgres: Server = {
  ...{ product: 'postgres', version: [15, 0], versionText: '', maxStatementBytes: null, logsStatements: false },
  ...{ foldCollation: null, startId: null },
};

test.each([
  ['a log', tokens(postgres)[0]?.log, [answer('', 'dropped', '3.125', '', '0/100', 'start 7')]],
  ['triggers', triggers, [answer('', 'dropped', '3.125', 'shop', '1', '[]')]],
  ['wal', wal, [answer('0/100'), answer('', 'dropped', '3.125', 'shop', '1', '[true,50000,[]]')]],
])('%s counts the time that the server took, and the log that it read', (name, log, answers) => {
  const tokens = { before: token('7:7:'), after: token('8:8:') };
  const { compared = 0, work = 0 } = log?.question(tokens, ['start 7'], answers, null, none) ?? {};
  expect([compared - 3.125, work]).toEqual([expect.closeTo(0.4), name === 'wal' ? 2.5 : 0]);
});
