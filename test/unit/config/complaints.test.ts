import { expect, test } from 'vitest';
import { formatComplaint, formatPath } from '../../../src/config/complaints.ts';
import { loadSettings } from '../../../src/config/load.ts';
import { nearest } from '../../../src/values/nearest.ts';
import { complaints, load, minimalYaml } from '../../support/loading.ts';

test('each names its path, its line, the expected and the found, in the order of the file', () => {
  const yaml = `server:
  host: 127.0.0.1
  prot: 8000
  workers: many
databases:
  legacy: { client: mysql }
  old: { client: oracle, connection: x }
resources:
  cars:
    database: legcy
    table: 5
    search: { columns: [] }
  "a.b":
    table: t
    zzzzzz: 1
    access: { write: public }
log: { level: loud }
`;
  expect(complaints(yaml)).toEqual([
    'server.prot (/my.yaml:3:3) is not a setting; did you mean "port"?',
    'server.workers (/my.yaml:4:3) must be auto or a whole number from 1 to 256, got: "many"',
    'databases.legacy.connection (/my.yaml:6:3) must be a URL such as mysql://user:password@host:3306/database, or a mapping, got: nothing',
    'databases.old.client (/my.yaml:7:10) must be mysql (MariaDB too), postgres or pglite, got: "oracle"',
    'resources.cars.database (/my.yaml:10:5) must be the name of a configured database (did you mean "legacy"?), got: "legcy"',
    'resources.cars.table (/my.yaml:11:5) must be the name of a table, got: 5',
    'resources.cars.search.columns (/my.yaml:12:15) must be at least one column, got: an empty list',
    'resources."a.b".database (/my.yaml:13:3) must be the name of a configured database, got: nothing',
    expect.stringMatching(
      /^resources\."a\.b"\.zzzzzz \(\/my\.yaml:15:5\) is not a setting; known are: database, table, /,
    ),
    'resources."a.b".access.write (/my.yaml:16:15) must be token, upstream or none (there is no write: public), got: "public"',
    'log.level (/my.yaml:17:8) must be fatal or error or warn or info or debug or trace or silent, got: "loud"',
  ]);
});

test('a file that says nothing lacks databases and resources', () => {
  const lacking = [
    'databases (/my.yaml:1:1) must be a mapping with at least one database, got: nothing',
    'resources (/my.yaml:1:1) must be a mapping with at least one resource, got: nothing',
  ];
  for (const yaml of ['', '# nothing\n', '{}']) expect(complaints(yaml)).toEqual(lacking);
  expect(complaints('databases: {}\nresources: {}').map((c) => c.replace(/.*, got/, 'got'))).toEqual([
    'got: an empty mapping',
    'got: an empty mapping',
  ]);
  expect(complaints('[1]')).toEqual(['/my.yaml:1:1 must be a mapping, got: a list']);
});

test('a file that is not there is a complaint, not an exception', () => {
  const loaded = loadSettings('/nowhere/my.yaml', {});
  expect(loaded.ok ? [] : loaded.complaints.map(formatComplaint)).toEqual([
    '/nowhere/my.yaml cannot be read: there is no such file',
  ]);
});

test('SQL over an embedded database is refused, because nothing could end a long statement', () => {
  const yaml = `databases: { demo: { client: pglite } }\nresources: { a: { database: demo, table: t, access: { sql: true } } }`;
  expect(complaints(yaml)).toEqual([
    'resources.a.access.sql (/my.yaml:2:55) must be false with an embedded database (databases.demo), which cannot end a long statement',
  ]);
});

test.each([
  ['server: { workers: 0 }', 'must be auto or a whole number from 1 to 256, got: 0'],
  ['server: { workers: 2 }', 'must be 1 with an embedded database (databases.demo), got: 2'],
  [
    'server: { trustProxy: yes }',
    'must be true, false or a list of addresses and networks such as 10.0.0.0/8, got: "yes"',
  ],
  ['server: { trustProxy: [10.0.0.0/33] }', 'must be an address or a network such as 10.0.0.0/8, got: "10.0.0.0/33"'],
  ['server: { compat: 2.12 }', 'must be "2.12" or "2.11", in quotes, got: 2.12'],
  ['server: { reload: never }', 'must be signal or watch, got: "never"'],
  ['server: { basePath: data/ }', 'must be empty or a path such as /data, got: "data/"'],
  [
    'server: { siteUrl: "https://x.org/data" }',
    'must be an http or https URL without a path (that is basePath), got: "https://x.org/data"',
  ],
  ['server: { languages: [english] }', 'must be a language segment such as en or pt_BR, got: "english"'],
  ['rateLimit: 5/s', 'must be none or a mapping, got: "5/s"'],
  ['limits: { rowsMax: 50 }', 'must be at least rowsDefault, got: 50'],
  ['limits: { incomingBytes: 9MB }', 'must be at least bodyBytes, got: "9MB"'],
  ['limits: { bodyBytes: 100MB }', 'must be at least bodyBytes, got: nothing'],
  ['limits: { maxOffset: -1 }', 'must be none or a whole number from 0, got: -1'],
  ['limits: { maxOffset: some }', 'must be none or a whole number from 0, got: "some"'],
  [
    'cors: { origins: [data.example.org] }',
    'must be an origin such as https://data.example.org, got: "data.example.org"',
  ],
  ['cors: { origins: ["https://a.example;script-src"] }', 'must be an origin such as https://data.example.org, got'],
  ['explorer: { embed: [portal.example.org] }', 'must be an origin such as https://data.example.org, got'],
  ['explorer: { embed: all }', 'must be none or a list of origins (https://host), got: "all"'],
  ['explorer: { embed: [] }', 'must be at least one origin, got: an empty list'],
  ['explorer: { serve: never }', 'must be auto or none, got: "never"'],
  ['explorer: { edit: no }', 'must be true or false, got: "no"'],
  ['cors: { origins: all }', 'must be "*", none or a list of origins (https://host), got: "all"'],
  ['admin: { port: 8000 }', 'must be another one than server.port, got: 8000'],
  ['upstream: { url: "ftp://x" }', 'must be an http or https URL without user, query or fragment, got: "ftp://x"'],
  ['upstream: { url: "http://x", host: "http://y" }', 'must be a host name, with a port where it needs one, got'],
  ['upstream: {}', 'must be an http or https URL without user, query or fragment, got: nothing'],
  ['tokens: [{ name: "a b", sha256: x }]', 'must be 1 to 64 letters, digits, _ . or -, got: "a b"'],
])('%s', (yaml, expected) => {
  expect(complaints(`${minimalYaml}\n${yaml}`)[0]).toContain(expected);
});

test('complaints about a mapping that may also be a text are those of its members', () => {
  const yaml = `databases: { a: { client: mysql, connection: { hsot: x, port: 0, database: d, tls: { ca: 1 } } } }
resources: { r: { database: a, table: t } }`;
  expect(complaints(yaml).map((c) => c.replace(/ \(.*?\)/, ''))).toEqual([
    'databases.a.connection.hsot is not a setting; did you mean "host"?',
    'databases.a.connection.port must be a whole number from 1 to 65535, got: (hidden)',
    'databases.a.connection.tls.ca must be a file or PEM text, got: (hidden)',
  ]);
});

test('no worker is left without a connection', () => {
  const yaml = (workers: string, pool: string) =>
    `server: { workers: ${workers} }\nresources: { r: { database: a, table: t } }
databases: { a: { client: mysql, connection: "mysql://x@h/d"${pool} } }`;
  const must = 'must be at least server.workers, because each has connections of its own, got:';
  expect(complaints(yaml('11', ''))).toEqual([
    expect.stringContaining(`databases.a.pool.max (/my.yaml:3:14) ${must} 10`),
  ]);
  expect(complaints(yaml('4', ', pool: { max: 3 }'))).toEqual([expect.stringContaining(`${must} 3`)]);
  expect(complaints(yaml('auto', ', pool: { max: 1 }'))).toEqual([]);
});

test('a setting of another kind of database is not offered', () => {
  const yaml = 'databases: { a: { client: pglite, connection: x } }\nresources: { r: { database: a, table: t } }';
  expect(complaints(yaml)).toEqual([
    'databases.a.connection (/my.yaml:1:35) is not a setting; known are: client, directory',
  ]);
});

test('later checks can say where something stands, or would stand', () => {
  const loaded = load(
    'databases: { demo: { client: pglite } }\nresources:\n  films:\n    database: demo\n    table: film\n',
  );
  if (!loaded.ok) throw new Error('refused');
  expect(loaded.positions.where(['resources', 'films', 'table'])).toBe('/my.yaml:5:5');
  expect(loaded.positions.where(['resources', 'films', 'columns', 'x', 'as'])).toBe('/my.yaml:3:3');
  expect(loaded.positions.where([])).toBe('/my.yaml:1:1');
});

test('paths are readable and unambiguous', () => {
  expect(formatPath(['resources', 'a.b', 'aliases', 0])).toBe('resources."a.b".aliases[0]');
  expect(formatPath(['a b', '0', '', 'Größe', 'x\n"'])).toBe('"a b".0."".Größe."x\\n\\""');
});

test('the nearest name is a near one', () => {
  const settingNames = ['host', 'port', 'siteUrl', 'basePath'];
  expect(['prot', 'hosts', 'siteurl', 'base_path', 'PORT'].map((n) => nearest(n, settingNames))).toEqual([
    ...['port', 'host', 'siteUrl', 'basePath', 'port'],
  ]);
  expect(['x', '', 'listen', 'h'.repeat(1e6)].map((n) => nearest(n, settingNames))).toEqual([null, null, null, null]);
});
