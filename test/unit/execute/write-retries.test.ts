/** How often a write is retried, and after which delay. */
import { expect, test } from 'vitest';
import { postgres } from '../../../src/dialects/index.ts';
import type { Session, Sessions } from '../../../src/execute/connection/call-sessions.ts';
import { WriteAttempt } from '../../../src/execute/write/attempt.ts';
import { inTransaction, maxAttempts, Retry } from '../../../src/execute/write/transaction.ts';
import { WrittenKeys } from '../../../src/execute/write/written-keys.ts';
import type { Write } from '../../../src/model/plan.ts';
import { guard, RowFilter } from '../../../src/model/row-filter.ts';
import type { Type } from '../../../src/model/table.ts';
import { writeDialectOf } from '../../../src/tables/write-values.ts';
import { column, films, int4, text } from '../../support/table.ts';

const facts = { versionText: '', maxStatementBytes: null, logsStatements: false, foldCollation: null, startId: null };
const dialect = writeDialectOf(postgres.dialect({ product: 'postgres', version: [15, 1], ...facts }), 8e6, 8e6);
const answer = { names: [], types: [], cells: [], found: 0 };

function sessionOf(refuses: (text: string) => boolean, sent: string[] = []): Session {
  return {
    async run(statement) {
      sent.push(statement.text);
      if (refuses(statement.text)) throw Object.assign(new Error('no'), { code: '23505', constraint: 'k' });
      return answer;
    },
    discard: () => undefined,
    ended: async () => undefined,
  };
}

test('a call is tried again after a conflict, each time after a wait, and then throws its cause', async () => {
  let waited = 0;
  const random = () => {
    waited++;
    return 0;
  };
  const session = sessionOf(() => false);
  const database: Sessions = {
    ...{ isRemote: false, recordTransaction: () => undefined },
    use: (work) => work(session),
  };
  const transaction = { dialect, random, keeps: () => true, transactional: true } as const;
  const failing = (times: number) =>
    inTransaction(database, transaction, async (_session, attempt) => {
      if (attempt <= times) throw new Retry('a conflict', { cause: new Error('a deadlock') });
      return attempt;
    });
  expect([await failing(1), waited]).toEqual([2, 1]);
  expect([await failing(maxAttempts - 1), waited]).toEqual([maxAttempts, maxAttempts]);
  await expect(failing(maxAttempts)).rejects.toThrow('a deadlock');
});

const char6: Type = { kind: 'text', length: 6, padded: true, nul: false };

test.each([
  ['numbers', int4, ['1', '2'], false],
  ['texts', text, ['a', 'b'], false],
  ['padded texts, of which two may be equal', char6, ['a', 'a '], true],
] as const)('a duplicate among %s: whether the fourth attempt writes one by one', async (_, type, values, isSo) => {
  const key = [column('k', type, { nullable: false, native: 'x' })];
  const columns = [...key, column('title', text, { native: 'text' })];
  const records = values.map((value, row) => ({
    ...{ row, columns, values: [value, 'title'], key: { columns: key, values: [value] } },
  }));
  const table = { ...films, key, uniqueKeys: [{ name: 'k', columns: ['k'] }] };
  const write: Write = { effect: 'write', method: 'upsert', table, records, returned: null, dryRun: false };
  const plan = guard(write, RowFilter.all);
  const sent: string[] = [];
  const session = sessionOf((sql) => sql.startsWith('insert'), sent);
  const attempt = new WriteAttempt(session, dialect, plan, new WrittenKeys(dialect, plan), 4, 'by key');
  await expect(attempt.run()).rejects.toThrow(Retry);
  expect(sent.includes('ROLLBACK TO SAVEPOINT batch')).toBe(isSo);
});

test.each([
  ['own key', false, true],
  ['own key or of one that its index takes for equal', true, false],
])('a duplicate of the %s: whether a fourth attempt is followed by a fifth', async (_, folds, isSo) => {
  const key = [column('k', text, { nullable: false, native: 'text' })];
  const record = { row: 0, columns: key, values: ['a'], key: { columns: key, values: ['a'] } };
  const table = { ...films, key, uniqueKeys: [{ name: 'k', columns: ['k'], folds }] };
  const write: Write = { effect: 'write', method: 'upsert', table, records: [record], returned: null, dryRun: false };
  const plan = guard(write, RowFilter.all);
  const session = sessionOf((sql) => sql.startsWith('insert'));
  const attempt = new WriteAttempt(session, dialect, plan, new WrittenKeys(dialect, plan), 4, 'by key');
  const failed = await attempt.run().catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(Error);
  expect(failed instanceof Retry).toBe(isSo);
});

test.each([
  ['the first', 1, true],
  ['the second', 2, false],
])('a duplicate that may be of a row outside, at %s attempt: whether there is another', async (_, attempt, isSo) => {
  const key = [column('k', int4, { nullable: false, native: 'int' })];
  const record = { row: 0, columns: key, values: ['1'], key: { columns: key, values: ['1'] } };
  const table = { ...films, key, uniqueKeys: [{ name: 'k', columns: ['k'] }] };
  const inside = new RowFilter({ op: 'in', column: column('tenant', int4), values: ['7'] }, 'tenant 7');
  const write: Write = { effect: 'write', method: 'upsert', table, records: [record], returned: null, dryRun: false };
  const plan = guard(write, inside);
  const session = sessionOf((sql) => sql.startsWith('insert'));
  const failed = await new WriteAttempt(session, dialect, plan, new WrittenKeys(dialect, plan), attempt, 'by key')
    .run()
    .catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(Error);
  expect(failed instanceof Retry).toBe(isSo);
});
