import { expect, test } from 'vitest';
import { complain, formatComplaint } from '../../../src/config/complaints.ts';
import type { Table } from '../../../src/model/table.ts';
import { complaintsOfReferences, readReferences } from '../../../src/tables/references.ts';
import type { DatabaseSnapshot } from '../../../src/tables/served.ts';
import { load } from '../../support/loading.ts';
import { column, films, int4, withColumns } from '../../support/table.ts';

/** A table with these columns; `name=label` has another label, and `-name` is hidden. */
const table = (resource: string, name: string, columns: string, facts: Partial<Table> = {}): Table => {
  const shown = columns.split(' ').filter((one) => !one.startsWith('-'));
  const made = shown.map((one) => {
    const [name = '', label = name] = one.split('=');
    return column(name, int4, { label });
  });
  return { ...withColumns(films, made), resource, schema: 'public', name, database: 'db', ...facts };
};
const key = (columns: string, name: string, to: string, schema: string | null = 'public') => ({
  ...{ name: `${columns}_fkey`, columns: columns.split(' ') },
  to: { schema, name, columns: to.split(' ') },
});

const settingsOf = (resources: readonly Table[], columns: Readonly<Record<string, string>> = {}) => {
  const lines = resources.map(
    ({ resource, database, name }) =>
      `  ${resource}: { database: ${database}, table: ${name}, columns: ${columns[resource] ?? '{}'} }`,
  );
  const databases =
    '{ db: { client: postgres, connection: postgres://h/d }, other: { client: postgres, connection: postgres://h/e } }';
  const loaded = load(`databases: ${databases}\nresources:\n${lines.join('\n')}`);
  if (!loaded.ok) throw new Error(loaded.complaints.map(formatComplaint).join('\n'));
  const snapshots: ReadonlyMap<string, Pick<DatabaseSnapshot, 'tables'>> = new Map(
    ['db', 'other'].map((name) => [
      name,
      { tables: new Map(resources.filter((one) => one.database === name).map((one) => [one.resource, one])) },
    ]),
  );
  return { loaded, snapshots };
};

/** Each reference as `from(fields) → to(fields)`. */
function references(resources: readonly Table[], columns: Readonly<Record<string, string>> = {}): readonly string[] {
  const { loaded, snapshots } = settingsOf(resources, columns);
  const referencesOf = readReferences(loaded.settings, snapshots);
  const text = (from: string, fields: readonly string[], target: string, to: readonly string[]) =>
    `${from}(${fields.join()}) → ${target}(${to.join()})`;
  const forward = resources.flatMap(({ resource: id }) =>
    referencesOf(id).references.map(({ resource, fields, to }) => text(id, fields, resource, to)),
  );
  const backward = resources.flatMap(({ resource: id }) =>
    referencesOf(id).referencedBy.map(({ resource, fields, to }) => text(resource, fields, id, to)),
  );
  expect([...backward].sort()).toEqual([...forward].sort());
  return forward;
}

const country = table('countries', 'country', '_id code=ISO');
const city = (columns: string, foreignKeys: Table['foreignKeys'], facts: Partial<Table> = {}) =>
  table('cities', 'city', columns, { foreignKeys, ...facts });

test('the fields of a foreign key are those that the API shows', () => {
  const one = key('country', 'country', 'code');
  expect(references([country, city('country=Land', [one])])).toEqual(['cities(Land) → countries(ISO)']);
  const id = { ...withColumns(country, [column('n', int4, { label: '_id' }), column('n', int4)]), resource: 'numbers' };
  expect(references([id, city('country', [key('country', 'country', 'n')])])).toEqual(['cities(country) → numbers(n)']);
});

test('a foreign key with one hidden column, on either side, is not shown', () => {
  const pair = key('country no', 'district', 'land nr');
  const district = (columns: string) => table('districts', 'district', columns);
  const shown = ['cities(country,no) → districts(land,nr)'];
  expect(references([district('land nr'), city('country no', [pair])])).toEqual(shown);
  expect(references([district('land -nr'), city('country no', [pair])])).toEqual([]);
  expect(references([district('land nr'), city('-country no', [pair])])).toEqual([]);
});

test('each resource over the table of a foreign key is one, in the same database and schema only', () => {
  const there = [
    country,
    { ...country, resource: 'nations' },
    { ...country, resource: 'abroad', database: 'other' },
    { ...country, resource: 'older', schema: 'archive' },
  ];
  const shown = ['cities(country) → countries(ISO)', 'cities(country) → nations(ISO)'];
  const one = key('country', 'country', 'code');
  expect(references([...there, city('country', [one, { ...one, name: 'again' }])])).toEqual(shown);
  expect(references([...there, city('country', [key('country', 'country', 'code', 'archive')])])).toEqual([
    'cities(country) → older(ISO)',
  ]);
  // Names of another case are other columns, but not in MySQL, whose tables have no schema.
  const upper = (schema: string | null) =>
    references([{ ...country, schema }, city('country', [key('country', 'country', 'CODE', schema)], { schema })]);
  expect([upper('public'), upper(null)]).toEqual([[], shown.slice(0, 1)]);
});

test('a setting replaces each foreign key with its column, and may name another database', () => {
  const abroad = { ...country, resource: 'abroad', database: 'other' };
  const keys = [
    key('country', 'country', 'code'),
    key('country no', 'district', 'land nr'),
    key('no', 'country', 'code'),
  ];
  const all = [country, abroad, table('districts', 'district', 'land nr'), city('country no', keys)];
  expect(references(all)).toHaveLength(3);
  expect(references(all, { cities: '{ country: { references: { resource: abroad, column: code } } }' })).toEqual([
    'cities(no) → countries(ISO)',
    'cities(country) → abroad(ISO)',
  ]);
});

test('a setting names a column that its resource shows, by the name in the table', () => {
  const found = (column: string, shown = country) => {
    const cities = `{ country: { references: { resource: countries, column: "${column}" } } }`;
    const { loaded, snapshots } = settingsOf([shown, city('country', [])], { cities });
    return complaintsOfReferences(loaded.settings, snapshots).map(
      (one) => formatComplaint(complain(one, loaded.positions)).split(') must ')[1],
    );
  };
  const must = 'name a column that resource "countries" shows';
  expect(found('code')).toEqual([]);
  expect(found('coed')).toEqual([`${must} (did you mean "code"?), got: "coed"`]);
  expect(found('ISO')).toEqual([`${must}, got: "ISO"`]);
  expect(found('code', table('countries', 'country', 'n -code'))).toEqual([`${must}, got: "code"`]);
});

test('a table that cannot be served has no references, and is not checked', () => {
  const cities = '{ country: { references: { resource: countries, column: nothing } } }';
  const { loaded, snapshots } = settingsOf([country, city('country', [])], { cities });
  const tables: DatabaseSnapshot['tables'] = new Map([['countries', 'missing']]);
  const absent = new Map(snapshots).set('db', { tables });
  expect(complaintsOfReferences(loaded.settings, absent)).toEqual([]);
  expect(readReferences(loaded.settings, absent)('cities')).toEqual({ references: [], referencedBy: [] });
});
