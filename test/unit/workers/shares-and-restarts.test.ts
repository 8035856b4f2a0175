import { expect, test } from 'vitest';
import { loadSettings } from '../../../src/config/load.ts';
import { shareOf, workersOf } from '../../../src/config/share.ts';

function settings(workers: string, databases: string) {
  const yaml = `server: { workers: ${workers} }
databases: { ${databases} }
resources: { r: { database: a, table: t } }
cache: { maxBytes: 100 }`;
  const loaded = loadSettings('my.yaml', {}, () => yaml);
  if (!loaded.ok) throw new Error(loaded.complaints.map(({ text }) => text).join('\n'));
  return loaded.settings;
}
const server = (name: string, max: number) =>
  `${name}: { client: mysql, connection: "mysql://x@h/d", pool: { max: ${max} } }`;

test('auto is one worker per core, but each needs a connection, and an embedded database is in one process', () => {
  expect(workersOf(settings('auto', server('a', 10)), 4)).toBe(4);
  expect(workersOf(settings('auto', `${server('a', 10)}, ${server('b', 3)}`), 4)).toBe(3);
  expect(workersOf(settings('auto', 'a: { client: pglite }'), 4)).toBe(1);
  expect(workersOf(settings('6', server('a', 10)), 4)).toBe(6);
});

test('all workers together take no more than is set, and none is left with nothing', () => {
  const { cache, limits, databases } = shareOf(settings('3', server('a', 10)), 3);
  const database = databases.get('a');
  const max = database?.client === 'mysql' ? database.pool.max : null;
  expect(limits.incomingBytes).toBe(21_333_333);
  expect(shareOf(settings('9', server('a', 10)), 9).limits.incomingBytes).toBe(limits.bodyBytes);
  expect([cache.maxBytes, max, limits.dumpsPerDatabase, limits.connections]).toEqual([33, 3, 1, 1365]);
});
