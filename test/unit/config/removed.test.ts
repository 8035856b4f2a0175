import { expect, test } from 'vitest';
import { complaints } from '../../support/loading.ts';

const told = (yaml: string) => complaints(yaml).map((line) => line.replace(/ \(\/my\.yaml:\d+:\d+\)/, ''));
const file = (rest: string, database = '') => `
databases: { pg: { client: postgres, connection: postgres://h/d, ${database} } }
resources: { a: { database: pg, table: t } }
${rest}`;

test('cache.bus names the setting that replaces it, without its password', () => {
  const gone = 'cache.bus is now cache.otherGateways: true';
  expect(told(file('cache: { bus: none }'))).toEqual([
    'cache.bus is gone, delete it, or write cache.otherGateways: false',
  ]);
  expect(told(file('cache: { bus: database }'))).toEqual([gone]);
  expect(told(file('cache: { bus: "rediss://u:secret@h/0" }'))).toEqual([`${gone}, which needs no Redis`]);
  expect(told(file('cache: { bus: { url: "rediss://u:secret@h/0", group: main } }'))).toEqual([
    `${gone}, which needs no Redis`,
  ]);
});

test.each(['wal', 'triggers', 'times'])('feed: %s names auto', (feed) => {
  expect(told(file('', `feed: ${feed}`))).toEqual([
    `databases.pg.feed is now auto: only the log of the server names the tables that others write, and ${feed} is gone`,
  ]);
});

test('maxLag names the setting that counts for replicas', () => {
  expect(told(file('', 'maxLag: 1s'))).toEqual([
    'databases.pg.maxLag is gone, delete it: replicas answer cached reads only, which may be maxStaleness behind',
  ]);
});

test('any other value is the usual complaint', () => {
  expect(told(file('', 'feed: log'))).toEqual(['databases.pg.feed must be auto or required or none, got: "log"']);
});
