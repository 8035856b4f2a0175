import { expect, test } from 'vitest';
import { complain, formatComplaint } from '../../../src/config/complaints.ts';
import type { CatalogTable } from '../../../src/model/catalog.ts';
import type { Type } from '../../../src/model/table.ts';
import { bind } from '../../../src/tables/bind.ts';
import { load } from '../../support/loading.ts';
import { int4 as int, column as made, text } from '../../support/table.ts';

const column = (name: string, type: Type) => made(name, type, { native: 'x', declared: 'x' });
const line: CatalogTable = {
  ...{
    schema: 'public',
    name: 'line',
    kind: 'table',
    primaryKey: ['id', 'tenant'],
    transactional: true,
    keysHold: true,
  },
  columns: [column('id', int), column('tenant', int), column('region', text), column('code', text)],
  uniqueKeys: [{ name: 'line_pkey', columns: ['id', 'tenant'] }],
  foreignKeys: [],
  mayDefer: false,
  sequence: { records: 'in any order', numbered: [], required: [] },
  definition: null,
  indexes: [{ name: 'by_tenant', columns: ['tenant', 'id'], unique: false, ordered: true }],
  searchIndexes: [],
  rights: { without: { SELECT: [], INSERT: [], UPDATE: [] }, mayDelete: true, schema: null, sequences: [] },
};

/** What is said about a resource on the table with these settings, and with a token of these. */
function said(settings: string, token = '', facts: Partial<CatalogTable> = {}) {
  const loaded = load(`databases: { db: { client: postgres, connection: { host: h, database: d } } }
resources: { r: { database: db, table: line, ${settings} } }
tokens: [{ name: bern, sha256: ${'ab'.repeat(32)}${token} }]`);
  if (!loaded.ok) throw new Error(loaded.complaints.map(formatComplaint).join('\n'));
  const resource = loaded.settings.resources.get('r');
  if (resource === undefined) throw new Error('no resource');
  const bound = bind(resource, {
    ...{
      tables: [{ ...line, ...facts }],
      names: [{ schema: 'public', name: 'line' }],
      languages: ['english'],
      creators: [],
    },
    effects: {
      ...{ server: '', database: 'd', changes: [], shows: [], mayChangeAnything: [], mayShowAnything: [] },
      ...{ elsewhere: [], unlogged: [], outsideInnodb: [] },
    },
    ...{ user: 'app', hidesTables: false, fullTextIndex: () => '' },
    grant: (_, grants) => grants.map(({ privilege, columns }) => `${privilege} (${columns?.join()})`).join(),
  });
  const lines = (findings: typeof bound.complaints) =>
    findings.map((finding) =>
      formatComplaint(complain(finding, loaded.positions)).replace(/ \(\/my\.yaml:\d+:\d+\)/, ''),
    );
  return { errors: lines(bound.complaints), warnings: lines(bound.warnings), denials: lines(bound.denials) };
}
const written = 'access: { read: token, write: token }';

test('a filter of an indexed column, on a table whose keys have that column, is as it should be', () => {
  expect(said(`where: { tenant: 7 }, ${written}`)).toEqual({ errors: [], warnings: [], denials: [] });
});

test('names are those of the table, whatever the resource shows', () => {
  const renamed = 'columns: { tenant: { hidden: true }, region: { as: Kreis } }';
  expect(said(`where: { tenant: 7, region: north }, ${renamed}`).errors).toEqual([]);
  expect(said(`where: { Kreis: north }, ${renamed}`).errors).toEqual([
    'resources.r.where does not fit the table: Unknown field: Kreis',
  ]);
});

test.each([
  ['an unknown column', '{ tenat: 7 }', 'Unknown field: tenat, did you mean "tenant"?'],
  [
    'a value that is none of the column',
    '{ tenant: north }',
    'invalid input syntax for type integer: "north" (field "tenant")',
  ],
  ['a column that has a claim elsewhere', `{ tenat: "\${claim.t}" }`, 'Unknown field: tenat, did you mean "tenant"?'],
])('a filter with %s does not fit', (_, where, why) => {
  expect(said(`where: ${where}`).errors).toEqual([`resources.r.where does not fit the table: ${why}`]);
  expect(said('aliases: []', `, where: { r: ${where} }`).errors).toEqual([
    `tokens[0].where.r does not fit the table: ${why}`,
  ]);
});

test('writes need a unique key and transactions', () => {
  const facts = { transactional: false, uniqueKeys: [] };
  expect(said(`where: { tenant: 7 }, ${written}`, '', facts).errors).toEqual(
    expect.arrayContaining([
      'resources.r.where needs a unique key for writes: name its columns in `key`, or set `access.write: none`',
      'resources.r.where needs transactions for writes, which the table does not have: set `access.write: none`',
    ]),
  );
  expect(said('where: { tenant: 7 }', '', { transactional: false }).errors).toEqual([]);
});

test('a slow filter, and what a writer can find out, are warnings', () => {
  const uniqueKeys = [...line.uniqueKeys, { name: 'line_code_key', columns: ['code'] }];
  expect(said(`where: { tenant: 7 }, ${written}`, '', { uniqueKeys, indexes: [] }).warnings).toEqual([
    'resources.r.where does not hide which values of code other rows have: a writer learns it from the refusal of a duplicate',
    'resources.r.where has no index that begins with one of its columns (tenant), so a search may read the whole table',
  ]);
});

test('the user of the database needs rights on the columns of a filter, also on hidden ones', () => {
  const rights = {
    without: { SELECT: ['tenant'], INSERT: ['tenant'], UPDATE: ['tenant'] },
    ...{ mayDelete: true, schema: null, sequences: [] },
  };
  const hidden = 'columns: { tenant: { hidden: true } }, key: [id]';
  const facts = { rights, uniqueKeys: [{ name: 'line_pkey', columns: ['id'] }] };
  expect(said(`${hidden}, ${written}`, '', facts).denials).toEqual([]);
  expect(said(`where: { tenant: 7 }, ${hidden}`, '', facts).denials).toEqual([
    expect.stringContaining('SELECT (tenant)'),
  ]);
  expect(said(`where: { tenant: 7 }, ${hidden}, ${written}`, '', facts).denials).toEqual([
    expect.stringContaining('SELECT (tenant)'),
    expect.stringContaining('INSERT (tenant),UPDATE (tenant)'),
  ]);
});
