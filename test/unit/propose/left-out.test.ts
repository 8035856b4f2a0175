import { expect, test } from 'vitest';
import type { CatalogTable, SurveyedTable } from '../../../src/model/catalog.ts';
import { reasonToLeaveOut } from '../../../src/propose/left-out.ts';

const readable: CatalogTable = {
  ...{
    schema: null,
    name: 't',
    kind: 'table',
    primaryKey: [],
    uniqueKeys: [],
    foreignKeys: [],
    keysHold: true,
    mayDefer: false,
    indexes: [],
  },
  ...{
    sequence: { records: 'in any order', numbered: [], required: [] },
    definition: null,
    transactional: true,
    searchIndexes: [],
  },
  columns: [
    {
      ...{ name: 'a', label: 'a', type: { kind: 'bool' }, resultType: '', native: '', declared: '', nullable: true },
      ...{ readOnly: false, collation: null, charset: null, equality: 'exact', info: null },
    },
  ],
  rights: { without: { SELECT: [], INSERT: [], UPDATE: [] }, mayDelete: true, schema: null, sequences: [] },
};
const table = (name: string, is: SurveyedTable['is'] = 'table'): SurveyedTable => ({
  ...{ schema: null, name, is, rows: null, comment: '', notes: new Map(), definition: null },
});
const why = (name: string, is?: SurveyedTable['is']) => reasonToLeaveOut(table(name, is), readable, 'app', 'unwanted');

test.each(['artikel_bak_2014', 'old_orders', 'tmpImport', 'customers_20190401_backup', 'kunden_kopie'])('%s', (name) =>
  expect(why(name)).toBe('looks like a copy'),
);
test.each([
  'schema_migrations',
  '__EFMigrationsHistory',
  'flyway_schema_history',
  'DATABASECHANGELOG',
  'SequelizeMeta',
])('%s', (name) => expect(why(name)).toBe('of a migration tool'));
test.each(['sessions', 'django_session', 'failed_jobs', 'cache', 'jos_session', 'phpbb_sessions', 'laravel_cache'])(
  '%s',
  (name) => expect(why(name)).toBe('of the application'),
);
test.each([
  'password_resets',
  'oauth_access_tokens',
  'api_tokens',
  'tokens',
  'api_keys',
  'user_credentials',
  'oauth2_provider_accesstoken',
])('%s', (name) => expect(why(name)).toBe('its name says that it holds secrets'));
test.each([
  'orders',
  'old',
  'backup',
  'job_titles',
  'session_rooms',
  'token_types',
  'migrations_of_birds',
  'altitude',
  'temp_sensor',
  'sea_temp',
  'hotel_alt',
  'book_copies',
])('%s is proposed', (name) => expect(why(name)).toBeNull());

test('partitions, tables of extensions and foreign tables', () => {
  expect(why('orders_2020', 'partition')).toBe('a partition: its parent shows its rows');
  expect(why('spatial_ref_sys', 'table of an extension')).toBe('a table of an extension');
  expect(why('remote', 'foreign table')).toBe('a foreign table');
});

test('what the user may not read', () => {
  const without = {
    ...readable,
    rights: { ...readable.rights, without: { ...readable.rights.without, SELECT: ['a'] } },
  };
  expect(reasonToLeaveOut(table('orders'), without, 'app', 'unwanted')).toBe('app may not read it');
  expect(reasonToLeaveOut(table('orders'), null, 'app', 'unwanted')).toBe('has no columns that app may see');
  expect(reasonToLeaveOut(table('broken', 'view'), null, 'app', 'unwanted')).toBe('a view that cannot be read');
});

test('a look leaves out secrets, and what cannot be served', () => {
  expect(reasonToLeaveOut(table('orders_old'), readable, 'app', 'unusable')).toBeNull();
  expect(reasonToLeaveOut(table('sessions'), readable, 'app', 'unusable')).toBeNull();
  expect(reasonToLeaveOut(table('api_tokens'), readable, 'app', 'unusable')).toBe(
    'its name says that it holds secrets',
  );
});

test('a table whose key cannot be read cannot be served', () => {
  const { rights } = readable;
  const its = {
    ...readable,
    primaryKey: ['a'],
    columns: [...readable.columns, ...readable.columns],
    rights: { ...rights, without: { ...rights.without, SELECT: ['a'] } },
  };
  expect(reasonToLeaveOut(table('orders'), its, 'app', 'unusable')).toBe('app may not read its key');
});
