import { expect, test } from 'vitest';
import { OutsideWrites } from '../../../src/changes/outside-writes.ts';
import { OwnTransactions } from '../../../src/execute/connection/own-transactions.ts';
import type { CommitMarkerLog, CommitMarkerSource } from '../../../src/model/commit-marker.ts';
import type { FeedSource } from '../../../src/model/feed.ts';

const refuse = () => Promise.reject(new Error('not asked'));
const feed: FeedSource = {
  ...{ database: 'd', client: 'postgres', log: undefined, maxCommitsPerSecond: null },
  connection: { host: 'h', port: 1, database: 'd', user: null, password: null, socketPath: null, tls: null },
  server: {
    ...{ product: 'postgres', version: [15, 0], versionText: '', maxStatementBytes: null, logsStatements: false },
    ...{ foldCollation: null, startId: null },
  },
};
const table = { database: 'd', schema: 's', name: 't' };

test('what began before changed definitions were looked at may have another name in the log', async () => {
  let ended: readonly string[] = [];
  let ddlMarks: readonly string[] = ['first'];
  const log: CommitMarkerLog = {
    ...{ namesCascades: true, mayHaveOldNames: (ids, at) => ids.some((id) => Number(id) < Number(at)) },
    inspect: () => [],
    question: (_, ids) => ({ ids: ids ?? [], after: null, until: null, ddlMarks }),
  };
  const token: CommitMarkerSource = {
    ...{ name: 'test', unless: [], statements: [], maxEarlyMs: 0, coversAllStorageEngines: true, log },
    ...{ readMarker: () => null, ended: () => ended },
  };
  const writes = new OutsideWrites(
    { ownTransactions: new OwnTransactions(), sampler: { inspect: refuse, sample: refuse } },
    token,
    { tablesOf: async () => [table], close: () => undefined },
    () => [],
    () => undefined,
  );
  /** The commit marker is simply the number of the next transaction. */
  const changed = (before: number, after: number, ...ids: readonly number[]) => {
    ended = ids.map(String);
    return writes.between(String(before), String(after), { log, feed, mayPause: false });
  };
  await changed(10, 20, 15);
  await changed(20, 30, 25);
  expect(await changed(30, 40, 35)).toEqual([table]);

  ddlMarks = ['first', 'second'];
  expect(await changed(40, 50, 45)).toBe('anything');
  // The transaction began after marker 50, but before the check that noticed the change.
  expect(await changed(50, 60, 51)).toBe('anything');
  expect(await changed(60, 70, 52)).toBe('anything');
  expect(await changed(70, 80, 75)).toEqual([table]);
});
