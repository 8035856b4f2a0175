/** When a write is announced to other gateways: their answer takes time, in which nobody should wait for what it holds. */
import { expect, test } from 'vitest';
import { postgres } from '../../../src/dialects/index.ts';
import type { Sessions } from '../../../src/execute/connection/call-sessions.ts';
import { write } from '../../../src/execute/write/write.ts';
import { writeDialectOf } from '../../../src/gateway/write-dialect.ts';
import type { Write } from '../../../src/model/plan.ts';
import { column, films, int4, text } from '../../support/table.ts';

const facts = { versionText: '', maxStatementBytes: null, logsStatements: false, foldCollation: null, startId: null };
const dialect = writeDialectOf(postgres.dialect({ product: 'postgres', version: [15, 1], ...facts }), 8e6, 8e6);
const key = column('film_id', int4, { nullable: false, native: 'integer' });
const columns = [key, column('title', text, { native: 'text' })];
const table = { ...films, key: [key], uniqueKeys: [{ name: 'k', columns: ['film_id'] }] };

/** What comes first: its announcement, or the use of a session. */
async function firstOf(count: number, more: Partial<Write> = {}) {
  const records = Array.from({ length: count }, (_, row) => {
    return { row, key: { columns: [key], values: [String(row)] }, columns, values: [String(row), 'title'] };
  });
  const plan: Write = { effect: 'write', method: 'upsert', table, records, returned: null, dryRun: false, ...more };
  const done: string[] = [];
  const sessions: Sessions = {
    isRemote: false,
    began: () => undefined,
    beforeCommit: async () => void done.push('announced'),
    async use() {
      done.push('session');
      throw new Error('enough');
    },
  };
  await expect(write(sessions, dialect, plan, { random: () => 0, outdated: () => undefined })).rejects.toThrow(
    'enough',
  );
  return done[0];
}

test('a few records are announced before the call takes a session: others would wait for it, and for its locks', async () => {
  expect(await firstOf(1)).toBe('announced');
  expect(await firstOf(1, { method: 'insert' })).toBe('announced');
  expect(await firstOf(100)).toBe('announced');
});

test('many records are announced before their commit: meanwhile the others cannot use what they keep', async () => {
  expect(await firstOf(101)).toBe('session');
});

test('a dry run is not announced', async () => {
  expect(await firstOf(1, { dryRun: true })).toBe('session');
});
