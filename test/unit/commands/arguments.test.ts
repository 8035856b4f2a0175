import { expect, test } from 'vitest';
import { readArguments } from '../../../src/commands/arguments.ts';

const read = (line: string) => readArguments(line.split(' ').filter((word) => word !== ''));

test.each([
  ['serve', { command: 'serve', target: null, port: null }],
  ['serve my.yaml --port 80', { command: 'serve', target: 'my.yaml', port: 80 }],
  ['serve --config my.yaml', { command: 'serve', target: 'my.yaml' }],
  [
    'check my.yaml',
    { command: 'check', file: 'my.yaml', options: { list: false, json: false, advise: false, only: null } },
  ],
  [
    'check --list --json --advise --only foreign-keys my.yaml',
    { command: 'check', file: 'my.yaml', options: { list: true, json: true, advise: true, only: 'foreign-keys' } },
  ],
  ['token create etl', { command: 'token', name: 'etl' }],
  ['help init', { command: 'help', about: 'init' }],
  ['init --help', { command: 'help', about: 'init' }],
  ['--help', { command: 'help', about: undefined }],
  ['serve --version', { command: 'version' }],
  [
    'init mysql://a/b --schema s --schema t --tables p_* --except x --ids uuid --merge --dry-run --yes -o f --read public --write token',
    {
      ...{ command: 'init', urls: ['mysql://a/b'], yes: true },
      options: {
        ...{ file: 'f', schemas: ['s', 't'], tables: ['p_*'], except: ['x'], ids: 'uuid', id: null },
        ...{ merge: true, dryRun: true, read: 'public', write: 'token' },
      },
    },
  ],
  [
    'init mysql://a/b',
    { options: { file: 'gateway.yaml', read: null, write: null, ids: 'table', merge: false, dryRun: false } },
  ],
  ['add f db.t --id 5', { command: 'add', tables: ['db.t'], options: { file: 'f', id: '5', merge: true } }],
])('%s', (line, expected) => expect(read(line)).toMatchObject(expected));

test.each([
  ['', 'a command is missing'],
  ['--port 80 serve', 'a command must stand before --port'],
  ['--merge', 'a command must stand before --merge'],
  ['chekc f', 'there is no command "chekc" (did you mean "check"?)'],
  ['serve a b', 'serve takes one FILE or one URL'],
  ['serve --port x', '--port must be a number from 0 to 65535, got: x'],
  ['serve --merge', "Unknown option '--merge'"],
  ['check', 'check takes one FILE'],
  ['check f --only rights', '--only RULE belongs to --advise'],
  [
    'check f --advise --only speed',
    '--only must be search, index, nulls, key, foreign-keys, rights, privacy, statistics, connections, time-limits, read-only, writers, sizes or charset, got: speed',
  ],
  ['init', 'init takes the URL of a database, or several'],
  ['init u --read me', '--read must be token or public, got: me'],
  ['init u --write all', '--write must be none or token, got: all'],
  ['init u --ids x', '--ids must be table or uuid, got: x'],
  ['add f', 'add takes a FILE and at least one DATABASE.TABLE'],
  ['add f a.b c.d --id x', '--id is the id of one table, but there are several'],
  ['mysql://app:hunter2@db/erp', 'a command must stand before the URL: init, or serve'],
  ['check mysql://app:hunter2@db/erp', 'check takes a FILE, not a URL'],
  ['add mysql://app:hunter2@db/erp t', 'add takes a FILE, not a URL'],
  ['add f erp.*', 'add takes names of tables, not patterns, got: erp.*'],
  ['serve mysql:/app:hunter2@db/erp', 'a URL has two slashes: mysql://…'],
  ['serve f --port mysql://app:hunter2@db/erp', '--port must be a number from 0 to 65535, got: (a URL)'],
  ['help mysql://app:hunter2@db/erp', 'there is no command "(a URL)"'],
  ['init u --read=mysql://app:hunter2@db/erp', '--read must be token or public, got: (a URL)'],
  ['token make x', 'token create takes one NAME'],
])('%s is refused', (line, reason) => expect(read(line)).toMatchObject({ reason }));
