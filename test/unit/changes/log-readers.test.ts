import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { logReaders } from '../../../src/changes/log/log-readers.ts';
import type { Event } from '../../../src/model/events.ts';
import type { FeedSource } from '../../../src/model/feed.ts';

const minute = 60_000;
const question = { ids: ['1'], after: null, until: 0, ddlMarks: [] };

const facts = { versionText: '', maxStatementBytes: null, logsStatements: false, foldCollation: null, startId: null };
const login = { user: null, password: null, database: 'x', socketPath: null, tls: null };
const sourceOf = (database: string, log: string): FeedSource => ({
  ...{
    database,
    log,
    client: 'postgres',
    connection: { host: 'db.test', port: 5432, ...login },
    maxCommitsPerSecond: 100,
  },
  server: { product: 'postgres', version: [15, 1], ...facts },
});

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('a log is closed five minutes after the last question, and opened again by the next', async () => {
  const events: string[] = [];
  const open = new Set<string>();
  const opener = async ({ database, log }: FeedSource) => {
    const name = `${database} ${log}`;
    open.add(name);
    return {
      ...{ start: { start: 0, covers: () => false }, ask: () => undefined },
      close: () => open.delete(name),
    };
  };
  const names = logReaders((event: Event) => events.push(`${event.on} ${'database' in event ? event.database : ''}`), {
    postgres: opener,
    mysql: opener,
  });
  const ask = async (database: string, log: string) => {
    await names.tablesOf(sourceOf(database, log), question);
    await vi.advanceTimersByTimeAsync(0);
  };
  await ask('a', 'one');
  await ask('a', 'two');
  await ask('b', 'one');
  expect(events.splice(0)).toEqual(['log opened a', 'log opened a', 'log opened b']);
  await vi.advanceTimersByTimeAsync(4 * minute);
  await ask('a', 'two');
  await vi.advanceTimersByTimeAsync(2 * minute);
  // Another login is still reading the log of the first database.
  expect([[...open], events.splice(0)]).toEqual([['a two'], ['log closed b']]);
  await vi.advanceTimersByTimeAsync(4 * minute);
  expect([[...open], events.splice(0)]).toEqual([[], ['log closed a']]);
  await ask('a', 'one');
  expect([[...open], events.splice(0)]).toEqual([['a one'], ['log opened a']]);
  names.close();
  expect([...open]).toEqual([]);
});
