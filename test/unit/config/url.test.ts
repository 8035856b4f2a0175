import fc from 'fast-check';
import { expect, test } from 'vitest';
import { databaseOfUrl } from '../../../src/config/url.ts';
import { fuzzCases } from '../../support/fuzz-cases.ts';

/** The placeholder `${NAME}`, as in a configuration. */
const filled = (name: string): string => `\${${name}}`;
const outside = { variable: (name: string) => (name === 'SECRET' ? 'p@ss/w#rd' : null), file: () => null };
const read = (url: string, taken: readonly string[] = []) => databaseOfUrl(url, outside, new Set(taken));

test('a password in a variable stays there', () => {
  expect(read(`mysql://app:${filled('SECRET')}@db:3307/ERP-2`)).toMatchObject({
    database: {
      name: 'erp_2',
      client: 'mysql',
      connection: { host: 'db', port: 3307, user: 'app', password: 'p@ss/w#rd' },
    },
    written: `mysql://app:${filled('SECRET')}@db:3307/ERP-2`,
  });
});

test('a password in the URL becomes a variable', () => {
  expect(read('postgresql://app:p%40ss@db/erp?sslmode=require')).toMatchObject({
    database: { connection: { password: 'p@ss' } },
    written: `postgresql://app:${filled('ERP_PASSWORD')}@db/erp?sslmode=require`,
    variable: 'ERP_PASSWORD',
  });
});

test('a URL without a password has a place for one', () => {
  const url = 'mysql://app@db/erp';
  expect(read(url)).toMatchObject({
    written: url,
    writtenWithPassword: `mysql://app:${filled('ERP_PASSWORD')}@db/erp`,
  });
});

test('the name is free, and the variable a variable', () => {
  expect(read('mysql://app@db/erp', ['erp', 'erp_2'])).toMatchObject({
    database: { name: 'erp_3' },
    variable: 'ERP_3_PASSWORD',
  });
  expect(read('mysql://app@db/2024')).toMatchObject({ database: { name: '2024' }, variable: 'DB_2024_PASSWORD' });
});

test('settings have their defaults', () => {
  expect(read('mysql://app@db/erp')).toMatchObject({
    database: {
      pool: { max: 10, acquireTimeout: 2000 },
      statementTimeout: 10_000,
      maxStaleness: 50,
      feed: 'auto',
      feedConnection: null,
      refresh: 60_000,
    },
  });
});

test.each([
  [
    `mysql://app:${filled('NOPE')}@db/erp`,
    'the URL must be filled from the environment variable NOPE, which is not set',
  ],
  ['oracle://db/erp', 'the URL must begin with mysql://, mariadb://, postgres://, postgresql://'],
  [
    'mysql://app:hunter2@db',
    'the URL must be a URL that ends in one database: mysql://user:password@host:3306/database',
  ],
  ['mysql://app:hunter2@db/erp?x=1', /^the URL must be a URL with at most one parameter/],
])('%s', (url, why) => {
  const { ok, ...refused } = read(url);
  expect(ok).toBe(false);
  expect(refused).toEqual({ why: typeof why === 'string' ? why : expect.stringMatching(why) });
  expect(JSON.stringify(refused)).not.toContain('hunter2');
});

test('the written connection has no password, and leads to the same server', () => {
  const part = fc.stringMatching(/^[\w@:%+.~-]{1,12}$/);
  const password = fc.oneof(
    part.map((text) => `GEHEIM${text}`),
    fc.constantFrom(filled('SECRET'), `GEHEIM${filled('SECRET')}`, `GEHEIM$${filled('X')}`),
  );
  fc.assert(
    fc.property(part, password, fc.constantFrom('db', 'db:3307', '[::1]:33'), (user, secret, host) => {
      const found = read(`mysql://${user}:${secret}@${host}/erp`);
      if (!found.ok) return;
      expect(found.written).not.toContain('GEHEIM');
      const again = databaseOfUrl(
        found.written,
        {
          ...outside,
          variable: (name) => (name === found.variable ? found.database.connection.password : outside.variable(name)),
        },
        new Set(),
      );
      expect(again.ok && again.database.connection).toEqual(found.database.connection);
    }),
    fuzzCases(400),
  );
});

test.each([
  ['mysql://app@corp:GEHEIM@db/erp', `mysql://app%40corp:${filled('ERP_PASSWORD')}@db/erp`],
  ['mysql://app:p@GEHEIM@db/erp', `mysql://app:${filled('ERP_PASSWORD')}@db/erp`],
  [`mysql://app:GEHEIM${filled('SECRET')}@db/erp`, `mysql://app:${filled('ERP_PASSWORD')}@db/erp`],
  [`mysql://app:pre$${filled('X')}@db/erp`, `mysql://app:${filled('ERP_PASSWORD')}@db/erp`],
])('%s', (url, written) => expect(read(url)).toMatchObject({ ok: true, written }));

test('a variable of its own for each database, whatever their names', () => {
  expect(read('mysql://app:x@db/\u65e5')).toMatchObject({ variable: 'DB_PASSWORD' });
  expect(read('mysql://app:x@db/\u672c', ['DB_PASSWORD'])).toMatchObject({ variable: 'DB_PASSWORD_2' });
});
