import { expect, test } from 'vitest';
import { complain, formatComplaint } from '../../../src/config/complaints.ts';
import type { Catalog, CatalogTable } from '../../../src/model/catalog.ts';
import type { Column, Type } from '../../../src/model/table.ts';
import { bind } from '../../../src/tables/bind.ts';
import { load } from '../../support/loading.ts';
import { int4 as int, column as made, text } from '../../support/table.ts';

const column = (name: string, type: Type, native: string): Column => made(name, type, { native, declared: native });
const id = column('film_id', int, 'integer');
const columns = [
  id,
  column('title', text, 'text'),
  column('Length', int, 'integer'),
  column('poster', { kind: 'binary', length: null }, 'bytea'),
];
const table = (name: string, facts: Partial<CatalogTable> = {}): CatalogTable => ({
  ...{ schema: 'public', name, kind: 'table', columns, primaryKey: ['film_id'], transactional: true },
  ...{
    uniqueKeys: [{ name: 'film_pkey', columns: ['film_id'] }],
    foreignKeys: [],
    keysHold: true,
    mayDefer: false,
    sequence: { records: 'in any order', numbered: [], required: [] },
    definition: null,
    indexes: [],
    searchIndexes: [],
    rights: { without: { SELECT: [], INSERT: [], UPDATE: [] }, mayDelete: true, schema: null, sequences: [] },
    ...facts,
  },
});
const keyless = { primaryKey: [], uniqueKeys: [] };
const tables = [
  table('film'),
  table('log', keyless),
  table('own_id', { ...keyless, columns: [column('_id', int, 'integer'), column('title', text, 'text')] }),
  table('film_list', { ...keyless, kind: 'view' }),
  table('composite', {
    primaryKey: ['film_id', 'Length'],
    uniqueKeys: [
      { name: 'a', columns: ['film_id', 'Length'] },
      { name: 'b', columns: ['title'] },
    ],
  }),
  table('serial', { primaryKey: [], columns: [{ ...id, nullable: false }, ...columns.slice(1)] }),
  table('null_id', { primaryKey: [] }),
  table('odd', {
    columns: [
      ...columns,
      column('_secret', text, 'text'),
      column('say "hi"', text, 'text'),
      column('a\nb', text, 'text'),
    ],
  }),
  table('own', { columns: [column('_id', text, 'text'), ...columns] }),
  table('indexed', {
    searchIndexes: [
      { columns: ['title'], language: 'english', expression: 'x', answers: () => true, ignores: () => false },
    ],
  }),
];
const names = [...tables.map(({ name }) => ({ schema: 'public', name })), { schema: 'archive', name: 'old_film' }];
const effects = {
  server: '',
  database: 'd',
  changes: [],
  shows: [],
  mayChangeAnything: [],
  mayShowAnything: [],
  elsewhere: [],
  unlogged: [],
  outsideInnodb: [],
};
const grants = { user: 'app', grant: () => '', fullTextIndex: () => 'CREATE INDEX', hidesTables: false };
const catalog: Catalog = {
  tables,
  names,
  languages: ['english', 'german', 'simple'],
  creators: [],
  effects,
  ...grants,
};

/** The complaints about a resource with these settings. The resource is at line 4, column 5. */
function complaintsOf(settings: string, of: Catalog = catalog) {
  const loaded =
    load(`databases: { db: { client: ${of.languages === null ? 'mysql' : 'postgres'}, connection: { host: h, database: d } } }
resources:
  r:
    database: db
${settings.replace(/^/gm, '    ')}`);
  if (!loaded.ok) throw new Error(loaded.complaints.map(formatComplaint).join('\n'));
  const resource = loaded.settings.resources.get('r');
  if (resource === undefined) throw new Error('no resource');
  const bound = bind(resource, of);
  const lines = (findings: typeof bound.complaints) =>
    findings.map((finding) => formatComplaint(complain(finding, loaded.positions)));
  return { complaints: lines(bound.complaints), warnings: lines(bound.warnings), table: bound.table };
}
/** MySQL has no schemas and no text search configurations. */
const mysql: Catalog = {
  tables: tables.map((one) => ({
    ...one,
    schema: null,
    searchIndexes: one.searchIndexes.map((index) => ({ ...index, language: null })),
  })),
  names: names.map(({ name }) => ({ schema: null, name })),
  languages: null,
  creators: [],
  effects,
  ...grants,
};
const at = (path: string, line: number, col: number) => `resources.r.${path} (/my.yaml:${line}:${col})`;

test.each([
  ['film', []],
  ['composite', []],
  ['own', []],
  ['film_list\nkey: [film_id]', []],
])('%s is as it should be', (name) => {
  expect(complaintsOf(`table: ${name}`)).toMatchObject({ complaints: [], warnings: [], table: { resource: 'r' } });
});

test.each<[settings: string, by: readonly string[], isTotal: boolean]>([
  ['serial\nid: film_id', ['film_id'], true],
  ['serial\nid: film_id\nkey: [title]', ['film_id'], true],
  ['null_id\nid: film_id\nkey: [title]', ['film_id', 'title'], true],
  ['null_id\nid: film_id', ['film_id'], false],
  ['film_list\nid: film_id\nkey: [title]', ['film_id', 'title'], true],
  ['own\nkey: [title]', ['_id', 'title'], true],
  ['composite', ['film_id', 'Length'], true],
  ['log', [], false],
])('the order of %j', (settings, by, isTotal) => {
  const { order } = complaintsOf(`table: ${settings}`).table ?? {};
  expect(order?.by.map(({ name }) => name)).toEqual(by);
  expect(order?.isTotal).toBe(isTotal);
});

type Said = readonly [settings: string, path: string, says: string, line?: number, col?: number];
const cases = (all: readonly Said[]) =>
  all.map(([settings, path, says, line = 5, col = 5]) => [settings, `${at(path, line, col)} ${says}`] as const);

test.each(
  cases([
    ['table: flim', 'table', 'must name a table or view of database "db" (did you mean "film"?), got: "flim"'],
    [
      'table: Film',
      'table',
      'must name a table or view of database "db" (there is "film", which differs by case), got: "Film"',
    ],
    ['table: customers', 'table', 'must name a table or view of database "db", got: "customers"'],
    [
      'table: old_film',
      'table',
      'must name a table or view of database "db" (there is one in schema "archive"), got: "old_film"',
    ],
    ['table: film\nid: filmid', 'id', 'must name a column of "film" (did you mean "film_id"?), got: "filmid"', 6],
    ['table: film\nid: title', 'id', 'must be an integer column, got: "title" of type text', 6],
    ['table: film\nid: Length', 'id', 'must be a column with a unique index of its own, got: "Length"', 6],
    [
      'table: film\nkey: [length]',
      'key',
      'must name a column of "film" (there is "Length", which differs by case), got: "length"',
      6,
    ],
    [
      'table: film\nkey: [title]\naccess: { write: token }',
      'key',
      'must be columns with a unique index over exactly them, because the resource is written, got: title',
      6,
    ],
    [
      'table: composite\nkey: [film_id]\naccess: { write: token }',
      'key',
      'must be columns with a unique index over exactly them, because the resource is written, got: film_id',
      6,
    ],
    [
      'table: film\ncolumns:\n  tilte: { hidden: true }',
      'columns.tilte',
      'must name a column of "film" (did you mean "title"?), got: "tilte"',
      7,
      7,
    ],
    [
      'table: film\ncolumns:\n  title: { boolean: true }',
      'columns.title.boolean',
      'must stand at an integer column, got: text',
      7,
      16,
    ],
    [
      'table: film\nsearch:\n  columns: [titel]',
      'search.columns',
      'must name a column of "film" (did you mean "title"?), got: "titel"',
      7,
      7,
    ],
    ['table: film\nsearch:\n  columns: [poster]', 'search.columns', 'must not be binary columns, got: "poster"', 7, 7],
    [
      'table: film\nexpose: listed\ncolumns: { film_id: {} }\nsearch:\n  columns: [title]',
      'search.columns',
      'must be visible columns, got: "title"',
      9,
      7,
    ],
    [
      'table: film\nsearch:\n  mode: native\n  language: germn',
      'search.language',
      'must be a text search configuration of the database (did you mean "german"?), got: "germn"',
      8,
      7,
    ],
    [
      'table: film\nsearch:\n  mode: native\n  language: klingon',
      'search.language',
      'must be a text search configuration of the database, got: "klingon"',
      8,
      7,
    ],
  ]),
)('%j', (settings, line) => {
  expect(complaintsOf(settings)).toEqual({ complaints: [line], warnings: [], table: null });
});

test.each(
  cases([
    ['table: log', 'table', 'has no key: its pages have no total order once it is large; name one with `key`'],
    [
      'table: log\naccess: { write: token }',
      'table',
      'has no key: its pages have no total order once it is large, and its records can be inserted but not updated or upserted; name one with `key`',
    ],
    ['table: film_list', 'table', 'has no key: its pages have no total order once it is large; name one with `key`'],
    [
      'table: film_list\nid: film_id',
      'table',
      'has no key: its pages have no total order once it is large; name one with `key`',
    ],
    [
      'table: null_id\nid: film_id',
      'table',
      'has no key: its pages have no total order once it is large; name one with `key`',
    ],
    [
      'table: serial\nid: film_id\naccess: { write: token }',
      'table',
      'has no key: its records can be updated and upserted by `_id` only; name one with `key`',
    ],
    [
      'table: own_id\naccess: { write: token }',
      'table',
      'has no key: its pages have no total order once it is large, and its records can be updated and upserted by `_id` only; name one with `key`',
    ],
    ['table: own_id', 'table', 'has no key: its pages have no total order once it is large; name one with `key`'],
    [
      'table: film\nsearch:\n  mode: auto',
      'search.mode',
      'is auto, but no full-text index has exactly the words of the searched columns, so LIKE answers everything: CREATE INDEX',
      7,
      7,
    ],
    [
      'table: film\nsearch:\n  mode: native',
      'search.mode',
      'is native, but no full-text index has exactly the words of the searched columns, so each search reads all rows: CREATE INDEX',
      7,
      7,
    ],
  ]),
)('%j is a warning only', (settings, line) => {
  const { complaints, warnings, table } = complaintsOf(settings);
  expect([complaints, warnings]).toEqual([[], [line]]);
  expect(table).not.toBeNull();
});

test('a name that no client can write is a warning, and stays invisible', () => {
  const { complaints, warnings, table } = complaintsOf('table: odd');
  expect(complaints).toEqual([]);
  expect(warnings).toEqual(
    ['"_secret"', '"say \\"hi\\""', '"a\\nb"'].map((name) =>
      expect.stringContaining(`give it a name with \`as\`, got: ${name}`),
    ),
  );
  expect(table?.columns.map((column) => column.label)).toEqual(['_id', 'film_id', 'title', 'Length', 'poster']);
  expect(complaintsOf('table: odd\ncolumns: { _secret: { as: secret } }').table?.columns.at(-1)?.label).toBe('secret');
});

test('two columns of one name on the wire are a complaint at each', () => {
  const { complaints, table } = complaintsOf('table: film\ncolumns: { title: { as: Length } }');
  expect(table).toBeNull();
  expect(complaints).toHaveLength(2);
  expect(complaints[0]).toContain('must be a name that no other column has, got: "Length"');
});

test('mode native needs its index on MySQL, and on PostgreSQL it needs none', () => {
  expect(complaintsOf('table: film\nsearch: { mode: native, columns: [title] }', mysql).complaints).toEqual([
    `${at('search', 6, 5)} needs a FULLTEXT index over exactly these columns for mode native: title: CREATE INDEX`,
  ]);
  expect(complaintsOf('table: film\nsearch: { mode: native, columns: [title] }').complaints).toEqual([]);
  expect(complaintsOf('table: indexed\nsearch: { mode: native, columns: [title] }', mysql).complaints).toEqual([]);
});

test('mode native names the columns of the index that is there, or columns of text for a new one', () => {
  const searching = (search: string, of: Catalog) => {
    const { complaints, warnings } = complaintsOf(`table: ${search}`, of);
    return [...complaints, ...warnings].map((line) => line.replace(/^\S+ \S+ /, ''));
  };
  const none = 'no full-text index has exactly the words of the searched columns, so';
  const needs = 'needs a FULLTEXT index over exactly these columns for mode native:';
  expect(searching('indexed\nsearch: { mode: native }', mysql)).toEqual([
    `${needs} film_id, title, Length; there is one for \`columns: [title]\``,
  ]);
  expect(searching('indexed\nsearch: { mode: native, columns: [Length] }', mysql)).toEqual([
    `${needs} Length; there is one for \`columns: [title]\``,
  ]);
  expect(searching('indexed\nsearch: { mode: auto, columns: [title], language: german }', catalog)).toEqual([
    `is auto, but ${none} LIKE answers everything; there is one for \`columns: [title], language: english\``,
  ]);
  const ofTexts: Catalog = {
    ...mysql,
    fullTextIndex: (_, of) => (of.every(({ type }) => type.kind === 'text') ? 'ALTER TABLE' : null),
  };
  expect(searching('film\nsearch: { mode: native }', ofTexts)).toEqual([
    `${needs} film_id, title, Length; write \`columns: [title]\`, and: ALTER TABLE`,
  ]);
});

test('an index is used only when it covers exactly the searched columns in their language', () => {
  const index = (search: string, of = catalog) =>
    complaintsOf(`table: indexed\nsearch: ${search}`, of).table?.search.index;
  expect(index('{ mode: auto, columns: [title] }')).not.toBeNull();
  expect(index('{ mode: auto, columns: [title, film_id] }')).toBeNull();
  expect(index('{ mode: auto, columns: [title], language: german }')).toBeNull();
  expect(index('{ mode: auto, columns: [title], language: german }', mysql)).not.toBeNull();
});

test('everything wrong with one resource is said at once', () => {
  const settings = `table: film
id: title
key: [titel]
columns: { lenght: { hidden: true }, title: { boolean: true } }
search: { mode: native, language: engl, columns: [x] }`;
  expect(complaintsOf(settings).complaints.map((line) => line.replace(/ \(.*?\).*/, ''))).toEqual([
    ...['resources.r.columns.lenght', 'resources.r.columns.title.boolean', 'resources.r.id', 'resources.r.key'],
    ...['resources.r.search.columns', 'resources.r.search.language'],
  ]);
});

test('_id is the configured column, else the primary key of one integer, else nothing', () => {
  const id = (settings: string) => complaintsOf(settings).table?.columns.find((column) => column.label === '_id')?.name;
  expect(id('table: film')).toBe('film_id');
  expect(id('table: composite')).toBeUndefined();
  expect(id('table: log')).toBeUndefined();
  expect(id('table: film_list\nid: Length')).toBe('Length');
  expect(id('table: own')).toBe('_id');
  const hidden = complaintsOf('table: film\ncolumns: { film_id: { hidden: true } }').table;
  expect(hidden?.columns.map((column) => column.label)).toEqual(['_id', 'title', 'Length', 'poster']);
});

test('a column that is not listed stays private, also when it is the key', () => {
  const listed = complaintsOf('table: film\nexpose: listed\ncolumns: { title: {} }').table;
  expect(listed?.columns.map((column) => column.label)).toEqual(['_id', 'title']);
  expect(listed?.key.map((column) => column.name)).toEqual(['film_id']);
  expect(listed?.search.columns.map((column) => column.label)).toEqual(['_id', 'title']);
});

test('a key is proved by a unique index, claimed for a view, and otherwise none', () => {
  expect(complaintsOf('table: film').table?.keyIs).toBe('proved');
  expect(complaintsOf('table: composite\nkey: [title]').table?.keyIs).toBe('proved');
  expect(complaintsOf('table: composite\nkey: [Length, film_id]').table?.keyIs).toBe('proved');
  expect(complaintsOf('table: film_list\nkey: [title]').table?.keyIs).toBe('claimed');
  expect(complaintsOf('table: log\nkey: [title]').table?.keyIs).toBe('none');
});

test('columns with a role are shown ones of a fitting type, by their labels', () => {
  const places = table('place', {
    columns: [
      id,
      column('name', text, 'text'),
      column('lon', int, 'integer'),
      column('LAT', int, 'integer'),
      column('seen', { kind: 'date', infinite: false }, 'date'),
    ],
  });
  const rolesWith = (more: string, rest = '') => {
    const loaded = load(`
databases: { db: { client: postgres, connection: postgres://h/d } }
resources: { places: { database: db, table: place, ${more} } }
${rest}`);
    if (!loaded.ok) throw new Error('not loaded');
    const [settings] = loaded.settings.resources.values();
    if (settings === undefined) throw new Error('no resource');
    const bound = bind(settings, { ...catalog, tables: [places], names: [{ schema: 'public', name: 'place' }] });
    const roles = bound.table?.about.roles;
    return bound.complaints.length > 0
      ? bound.complaints.map((one) => formatComplaint(complain(one, loaded.positions)).replaceAll('/my.yaml:', ''))
      : [roles?.label, roles?.coordinates, roles?.changed?.name, roles?.period?.name];
  };
  expect(rolesWith('')).toEqual(['name', ['lon', 'LAT'], undefined, undefined]);
  expect(rolesWith('columns: { name: { as: Name }, lon: { hidden: true } }')).toEqual([
    'Name',
    null,
    undefined,
    undefined,
  ]);
  const written = 'label: film_id, coordinates: [LAT, lon], changed: seen, about: { period: { column: seen } }';
  expect(rolesWith(written)).toEqual(['film_id', ['LAT', 'lon'], 'seen', 'seen']);
  const wrong = 'label: nam, coordinates: [name, lat], changed: film_id, columns: { seen: { hidden: true } }';
  expect(rolesWith(wrong, 'datasets: { all: { resources: [places], period: { column: seen } } }')).toEqual([
    'resources.places.coordinates[0] (3:78) must be a column with degrees, got: "name" of type text',
    'resources.places.coordinates[1] (3:84) must name a column that resource "places" shows (there is "LAT", which differs by case), got: "lat"',
    'resources.places.label (3:52) must name a column that resource "places" shows (did you mean "name"?), got: "nam"',
    'resources.places.changed (3:90) must be a column with dates or times, got: "film_id" of type integer',
    'datasets.all.period.column (4:51) must name a column that resource "places" shows, got: "seen"',
  ]);
});
