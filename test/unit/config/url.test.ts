import { expect, test } from 'vitest';
import { databaseOfUrl } from '../../../src/config/url.ts';

/** `${NAME}` of the configuration. */
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
    database: { pool: { max: 10, acquireTimeout: 2000 }, statementTimeout: 10_000, refresh: 60_000 },
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
