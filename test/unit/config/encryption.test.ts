import { expect, test } from 'vitest';
import { unencrypted } from '../../../src/config/encryption.ts';
import { loadSettings } from '../../../src/config/load.ts';

/** The paths of the settings that would send something unencrypted. */
function paths(database: object): readonly string[] {
  const text = JSON.stringify({
    databases: { db: { client: 'mysql', ...database } },
    resources: { t: { database: 'db', table: 't' } },
  });
  const loaded = loadSettings('test.yaml', {}, () => text);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.complaints));
  return unencrypted(loaded.settings).map(({ path }) => path.slice(2).join('.'));
}

test.each([
  'mysql://a:b@db.example.org/c',
  'mysql://a:b@10.0.0.5/c',
  'mysql://a:b@[2001:db8::1]/c',
  'mysql://a:b@mariadb/c?ssl=false',
  'mysql://a:b@localhost.example.org/c',
])('%s sends passwords for everybody to read', (connection) => {
  expect(paths({ connection })).toEqual(['connection']);
});

test.each([
  'mysql://a:b@127.0.0.1/c',
  'mysql://a:b@127.1.2.3/c',
  'mysql://a:b@localhost/c',
  'mysql://a:b@localhost./c',
  'mysql://a:b@0.0.0.0/c',
  'mysql://a:b@[::1]/c',
  'mysql://a:b@db.example.org/c?ssl=true',
  'mysql://a:b@db.example.org/c?ssl-mode=REQUIRED',
])('%s does not', (connection) => {
  expect(paths({ connection })).toEqual([]);
});

test('a socket is no network', () => {
  expect(paths({ connection: { socketPath: '/run/mysqld.sock', database: 'c' } })).toEqual([]);
});

test('connections for the log and to replicas count, too', () => {
  const remote = 'mysql://a:b@db.example.org/c';
  expect(
    paths({ connection: `${remote}?ssl=true`, feedConnection: remote, replicas: [`${remote}?ssl=true`, remote] }),
  ).toEqual(['feedConnection', 'replicas.1']);
});

test('it says how each engine is told', () => {
  const says = (client: 'mysql' | 'postgres') => {
    const text = JSON.stringify({
      databases: { db: { client, connection: `${client}://a:b@db.example.org/c` } },
      resources: { t: { database: 'db', table: 't' } },
    });
    const loaded = loadSettings('test.yaml', {}, () => text);
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.complaints));
    return unencrypted(loaded.settings).flatMap((finding) => ('says' in finding ? [finding.says] : []));
  };
  expect([...says('mysql'), ...says('postgres')]).toEqual([
    'sends passwords and rows unencrypted over the network: add ?ssl=true to its URL, or tls: true to its mapping (?ssl-mode=REQUIRED encrypts without verifying the server)',
    'sends passwords and rows unencrypted over the network: add ?sslmode=verify-full to its URL, or tls: true to its mapping (?sslmode=require encrypts without verifying the server)',
  ]);
});
