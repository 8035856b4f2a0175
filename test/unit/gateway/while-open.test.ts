import { expect, test } from 'vitest';
import { OwnTransactions } from '../../../src/execute/connection/own-transactions.ts';
import type { ChangedTables, FeedSource } from '../../../src/feed/names.ts';
import { OutsideWrites } from '../../../src/gateway/outside-writes.ts';
import type { LogQuestion } from '../../../src/model/feed.ts';
import type { TokenLog, TokenSource } from '../../../src/model/token.ts';

const refuse = () => Promise.reject(new Error('not asked'));
const table = { database: 'd', schema: 's', name: 't' };
const feed: FeedSource = {
  ...{ database: 'd', client: 'mysql', log: undefined, mostCommits: null },
  connection: { host: 'db.test', port: 3306, database: 'd', user: null, password: null, socketPath: null, tls: null },
  server: {
    ...{ product: 'mariadb', version: [11, 4], versionText: '', maxStatementBytes: null, logsStatements: false },
    ...{ foldCollation: null, startId: null },
  },
};

test.each<[ChangedTables, ChangedTables]>([
  [[table], [table]],
  [[], []],
  ['anything', 'anything'],
  // A transaction that was left behind would make all answers anew at each sample. Its end changes the token.
  ['closed', []],
])('where a transaction is listed as open, and the log says %o: %o', async (said, expected) => {
  const asked: LogQuestion[] = [];
  const question: LogQuestion = { ids: [], listed: ['x'], after: 1, until: 1, definitions: [] };
  const log: TokenLog = {
    ...{ namesCascades: true, mayBeEarlier: () => false, inspect: () => [], question: () => null },
    whileOpen: (token) => (token === 'open' ? question : null),
  };
  const token: TokenSource = {
    ...{ name: 'test', unless: [], statements: [], early: 0, ofAllTables: true, log },
    ...{ token: () => null, ended: () => null },
  };
  const tablesOf = (_: unknown, one: LogQuestion) => {
    asked.push(one);
    return Promise.resolve(said);
  };
  const writes = new OutsideWrites(
    { own: new OwnTransactions(), sampler: { inspect: refuse, sample: refuse } },
    token,
    { tablesOf, close: () => undefined },
    () => [],
    () => undefined,
  );
  const source = { log, feed, mayRest: false };
  expect(await writes.whileOpen('open', source)).toEqual(expected);
  expect(await writes.whileOpen('none', source)).toEqual([]);
  expect(asked).toEqual([question]);
});
