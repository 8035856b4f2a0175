import fc from 'fast-check';
import { expect, test } from 'vitest';
import { connectionFromMapping, connectionFromUrl } from '../../../src/config/connection.ts';
import { complaints, settings } from '../../support/loading.ts';

const config = (client: string, connection: string) =>
  `databases: { a: { client: ${client}, connection: ${connection} } }\nresources: { r: { database: a, table: t } }`;
function connection(client: string, written: string, env = {}, files = {}) {
  const database = settings(config(client, written), env, files).databases.get('a');
  return database?.client === 'pglite' ? null : (database?.connection ?? null);
}
const plain = { host: 'h', port: 3306, user: 'app', password: 'x', database: 'd', socketPath: null, tls: null };

test('a password from a variable or a file may hold characters with a meaning in a URL', () => {
  const awkward = 'a@b/c#d?e:f%20g h\n\'"$&+=ü\\[]';
  expect(connection('mysql', `"mysql://app:\${P}@h/d"`, { P: awkward })).toEqual({ ...plain, password: awkward });
  expect(connection('mysql', `"mysql://app:\${file:p}@h/d"`, {}, { '/p': `${awkward}\r\n` })?.password).toBe(awkward);
  expect(connection('mysql', `{ host: h, user: app, password: "\${P}", database: d }`, { P: awkward })?.password).toBe(
    awkward,
  );
});

test('any password at all', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (password) => {
      expect(connection('postgres', `"postgres://app:\${P}@h/d"`, { P: password })?.password).toBe(password);
    }),
  );
});

test('a connection that is nothing but one variable is taken as it is', () => {
  const env = { U: 'postgresql://app:a%40b@h:5433/d?sslmode=require' };
  expect(connection('postgres', `"\${U}"`, env)).toEqual({
    ...plain,
    ...{ port: 5433, password: 'a@b', tls: { ca: null, rejectUnauthorized: false } },
  });
});

test(`$\${ is a literal \${, and inserted values are not expanded again`, () => {
  const database = (name: string, env = {}) => connection('mysql', `{ host: h, database: '${name}' }`, env)?.database;
  expect(database(`$\${P}`)).toBe(`\${P}`);
  expect(database(`a$\${\${P}`, { P: `\${P}$\${` })).toBe(`a\${\${P}$\${`);
  expect(database('a$b {c} $', {})).toBe('a$b {c} $');
});

test('only the last line break of a secret file is not part of it', () => {
  const files = { '/p': ' a\n\n' };
  expect(connection('mysql', `{ host: h, database: d, password: "\${file:p}" }`, {}, files)?.password).toBe(' a\n');
});

test.each([
  ['mysql', 'mysql://app:x@h/d', plain],
  ['mysql', 'mariadb://app:x@h:3307/d', { ...plain, port: 3307 }],
  ['mysql', 'mysql://h/d', { ...plain, user: null, password: null }],
  ['mysql', 'mysql://app:x@[::1]/d%2Fe', { ...plain, host: '::1', database: 'd/e' }],
  ['mysql', 'mysql://app:x@h/d?ssl=true', { ...plain, tls: { ca: null, rejectUnauthorized: true } }],
  ['mysql', 'mysql://app:x@h/d?ssl-mode=REQUIRED', { ...plain, tls: { ca: null, rejectUnauthorized: false } }],
  ['postgres', 'postgres://app:x@h/d', { ...plain, port: 5432 }],
  [
    'postgres',
    'postgres://app:x@h/d?sslmode=verify-full',
    { ...plain, port: 5432, tls: { ca: null, rejectUnauthorized: true } },
  ],
  ['postgres', 'postgres://app:x@h/d?sslmode=disable', { ...plain, port: 5432 }],
] as const)('%s %s', (client, url, expected) => {
  expect(connectionFromUrl(client, url)).toEqual({ ok: true, connection: expected });
});

test.each([
  ['mysql', 'postgres://h/d', 'begins with mysql:// or mariadb://'],
  ['postgres', 'mysql://h/d', 'begins with postgres:// or postgresql://'],
  ['mysql', 'mysql://h', 'ends in one database'],
  ['mysql', 'mysql://h/', 'ends in one database'],
  ['mysql', 'mysql://h/a/b', 'ends in one database'],
  ['mysql', 'mysql:///d', 'with a host'],
  ['mysql', 'mysql://app:a#b@h/d', 'percent-encoded'],
  ['mysql', 'mysql://h/d#', 'without "#"'],
  ['mysql', 'mysql://app:a\tb@h/d', 'percent-encoded'],
  ['mysql', 'mysql://app:%zz@h/d', 'two hexadecimal digits'],
  ['mysql', 'mysql://h/d?ssl=yes', 'at most one parameter'],
  ['mysql', 'mysql://h/d?ssl=true&ssl-mode=DISABLED', 'at most one parameter'],
  ['postgres', 'postgres://h/d?sslmode=prefer', 'at most one parameter'],
  ['postgres', '/var/run', 'a URL such as'],
  ['postgres', '', 'a URL such as'],
] as const)('refused: %s %s', (client, url, expected) => {
  const read = connectionFromUrl(client, url);
  expect(read.ok ? null : read.must).toContain(expected);
});

test('the mapping has a host or a socket, and a certificate as text or as a file', () => {
  const pem = '-----BEGIN CERTIFICATE-----\n';
  const read = (written: object) =>
    connectionFromMapping('postgres', written, (path) => (path === 'ca.pem' ? pem : null));
  const expected = { ...plain, port: 5432, user: null, password: null };
  expect(read({ host: 'h', database: 'd' })).toEqual({ ok: true, connection: expected });
  expect(read({ socketPath: '/run', database: 'd' })).toEqual({
    ok: true,
    connection: { ...expected, host: null, socketPath: '/run' },
  });
  const tls = { ca: pem, rejectUnauthorized: true };
  expect(read({ host: 'h', database: 'd', tls: { ca: 'ca.pem' } })).toEqual({
    ok: true,
    connection: { ...expected, tls },
  });
  expect(read({ host: 'h', database: 'd', tls: { ca: pem } })).toEqual({ ok: true, connection: { ...expected, tls } });
  expect(read({ host: 'h', database: 'd', tls: { ca: 'no.pem' } })).toMatchObject({ ok: false });
  expect(read({ database: 'd' })).toMatchObject({ ok: false });
  expect(read({ host: 'h', socketPath: '/run', database: 'd' })).toMatchObject({ ok: false });
  expect(read({ host: 'h' })).toBeNull();
});

test('a wrong connection is a complaint beside the others', () => {
  expect(complaints(`${config('mysql', 'mysql://h')}\nserver: { port: x }`)).toEqual([
    'databases.a.connection (/my.yaml:1:34) must be a URL that ends in one database: mysql://user:password@host:3306/database, got: (hidden)',
    'server.port (/my.yaml:3:11) must be a whole number from 0 to 65535, got: "x"',
  ]);
});
