/** A count that comes after its deadline, while its session is being ended: the search goes on with an estimate. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { postgres } from '../../../src/dialects/index.ts';
import type { Session } from '../../../src/execute/connection/call-sessions.ts';
import { counted } from '../../../src/execute/read.ts';
import type { Read } from '../../../src/model/plan.ts';
import { postgresTable as table } from '../../support/tricky-table.ts';

const dialect = postgres.dialect({
  ...{ product: 'postgres', version: [15, 1], versionText: '', maxStatementBytes: null, logsStatements: false },
  ...{ foldCollation: null, startId: null },
});
const [column] = table.columns;
if (column === undefined) throw new Error('the table has columns');
const plan: Read = {
  ...{ effect: 'read', table, columns: table.columns, format: 'objects', searches: [], sort: [] },
  ...{ where: { op: 'in', column, values: ['1'] }, limit: 100, offset: 0, total: true, after: null },
  ...{ withCursor: false, distinct: false },
};

/** Its first statement takes 30 ms and is answered, the next one finds it ended. */
function endedAfterOne(): Session {
  let statements = 0;
  return {
    connection: {},
    discard() {},
    ended: async () => undefined,
    async run() {
      if (++statements > 1) throw new Error('Connection terminated');
      await sleep(30);
      return { names: ['count'], types: [], cells: [['3']], found: 1 };
    },
  };
}

test('a session that is lost after the deadline of its count has no count', async () => {
  expect(await counted(endedAfterOne(), dialect, plan, 10)).toBeNull();
});

test('a session that is lost within the deadline of its count is an error', async () => {
  for (const deadline of [60_000, undefined])
    await expect(counted(endedAfterOne(), dialect, plan, deadline)).rejects.toThrow('Connection terminated');
});
