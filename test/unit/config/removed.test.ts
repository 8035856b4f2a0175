import { expect, test } from 'vitest';
import { complaints } from '../../support/loading.ts';

const complaintsOf = (yaml: string) => complaints(yaml).map((line) => line.replace(/ \(\/my\.yaml:\d+:\d+\)/, ''));
const file = (rest: string, database = '') => `
databases: { pg: { client: postgres, connection: postgres://h/d, ${database} } }
resources: { a: { database: pg, table: t } }
${rest}`;

test('cache.bus names the setting that replaces it, without its password', () => {
  const busComplaint = 'cache.bus is now cache.otherGateways: true';
  expect(complaintsOf(file('cache: { bus: none }'))).toEqual([
    'cache.bus is gone, delete it, or write cache.otherGateways: false',
  ]);
  expect(complaintsOf(file('cache: { bus: database }'))).toEqual([busComplaint]);
  expect(complaintsOf(file('cache: { bus: "rediss://u:secret@h/0" }'))).toEqual([
    `${busComplaint}, which needs no Redis`,
  ]);
  expect(complaintsOf(file('cache: { bus: { url: "rediss://u:secret@h/0", group: main } }'))).toEqual([
    `${busComplaint}, which needs no Redis`,
  ]);
});

test.each(['wal', 'triggers', 'times'])('feed: %s names auto', (feed) => {
  expect(complaintsOf(file('', `feed: ${feed}`))).toEqual([
    `databases.pg.feed is now auto: only the log of the server names the tables that others write, and ${feed} is gone`,
  ]);
});

test('maxLag names the setting that counts for replicas', () => {
  expect(complaintsOf(file('', 'maxLag: 1s'))).toEqual([
    'databases.pg.maxLag is gone, delete it: replicas answer cached reads only, which may be maxStaleness behind',
  ]);
});

test('any other value is the usual complaint', () => {
  expect(complaintsOf(file('', 'feed: log'))).toEqual([
    'databases.pg.feed must be auto or required or none, got: "log"',
  ]);
});
