import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { licences } from '../../../src/config/licences.ts';
import { complaints, settings } from '../../support/loading.ts';

const tables = `
databases: { demo: { client: pglite } }
resources:
  cities: { database: demo, table: city }
  countries: { database: demo, table: country }
`;
const refused = (yaml: string) => complaints(tables + yaml).map((one) => one.replaceAll('/my.yaml:', ''));

test('a resource inherits each key from its dataset, or else from the catalogue', () => {
  const { resources } = settings(`
databases: { demo: { client: pglite } }
catalog: { licence: CC-BY-4.0, language: [en], publisher: { name: Office }, keywords: [all], period: { from: 2013-01-01 } }
datasets:
  places: { resources: [cities, countries], licence: { title: Own, url: "https://l.example/1" }, keywords: [places] }
resources:
  cities: { database: demo, table: city, group: Geography, about: { licence: CC0-1.0, period: { column: opened } } }
  countries: { database: demo, table: country }
  trees: { database: demo, table: tree }
`);
  const of = (id: string) => resources.get(id)?.metadata;
  const office = { name: 'Office', url: null, email: null };
  expect(of('cities')).toEqual({
    dataset: { name: 'places', title: 'places', description: '' },
    ...{ group: 'Geography', publisher: office, contact: null, licence: licences.get('CC0-1.0') },
    ...{ keywords: ['places'], theme: null, language: ['en'], source: null, updates: null, issued: null, area: null },
    period: { from: null, to: null, column: 'opened' },
  });
  expect(of('countries')).toMatchObject({
    licence: { id: null, title: 'Own', url: 'https://l.example/1' },
    ...{ keywords: ['places'], period: { from: '2013-01-01', to: null, column: null }, group: null },
  });
  expect(of('trees')).toMatchObject({ dataset: null, licence: licences.get('CC-BY-4.0'), keywords: ['all'] });
});

const place = (database: string, more = {}) => ({ database, table: 't', ...more });
test.each([
  ['one database and schema', [place('roads'), place('roads', { schema: 'public' })], [null, null]],
  ['two databases', [place('roads'), place('schools', { schema: 'old' })], ['roads', 'schools']],
  ['two schemas', [place('roads', { schema: 'hr' }), place('roads')], ['hr', 'public']],
  ['one group', [place('roads', { schema: 'hr', group: 'People' }), place('schools')], ['People', null]],
])('without groups, tables are grouped by what there are several of: %s', (_, [a, b], expected) => {
  const database = { client: 'postgres', connection: 'postgres://u@h/d' };
  const { resources } = settings(
    JSON.stringify({ databases: { roads: database, schools: database }, resources: { a, b } }),
  );
  expect([...resources.values()].map(({ metadata: { group } }) => group)).toEqual(expected);
});

test('each wrong value is refused in its line, with the word that was meant', () => {
  const yaml = `
catalog:
  licence: CC-BY-4
  theme: [ENVY]
  language: [English]
  updates: anual
  publisher: { nam: Office }
  contact: { name: Desk, email: desk }
datasets:
  Places:
    resources: [cities, contries]
    keywords: ["a", "a,b", "Straßen und Plätze"]
    issued: 1.5.2024
    area: { bbox: [-180, 90, 180, -90] }
    period: { from: 2014-01-01, to: 2013-01-01 }
  others:
    resources: [cities]
    licence: { title: Own }
    licens: x
    period: { from: 2014-01-01, column: opened }
`;
  expect(refused(yaml)).toMatchInlineSnapshot(`
    [
      "catalog.licence (8:3) must be the SPDX id of a licence for data such as CC-BY-4.0, or { title, url } (did you mean "CC-BY-4.0"?), got: "CC-BY-4"",
      "catalog.theme[0] (9:11) must be one of the EU data themes AGRI, ECON, EDUC, ENER, ENVI, GOVE, HEAL, INTR, JUST, OP_DATPRO, REGI, SOCI, TECH, TRAN (did you mean "ENVI"?), got: "ENVY"",
      "catalog.language[0] (10:14) must be a language such as en or pt-BR, got: "English"",
      "catalog.updates (11:3) must be continuous or daily or weekly or monthly or quarterly or yearly or irregular, got: "anual"",
      "catalog.publisher.name (12:3) must be a name without control characters and without blanks around it, got: nothing",
      "catalog.publisher.nam (12:16) is not a setting; did you mean "name"?",
      "catalog.contact.email (13:26) must be an e-mail address, got: "desk"",
      "datasets.Places (15:3) must be named by 2 to 100 small letters, digits, - or _, got: "Places"",
      "datasets.Places.resources[1] (16:25) must be the id of a resource (did you mean "countries"?), got: "contries"",
      "datasets.Places.keywords[0] (17:16) must be 2 to 100 letters, digits, blanks, - _ or ., got: "a"",
      "datasets.Places.keywords[1] (17:21) must be 2 to 100 letters, digits, blanks, - _ or ., got: "a,b"",
      "datasets.Places.issued (18:5) must be a date such as 2026-11-28, got: "1.5.2024"",
      "datasets.Places.area.bbox (19:13) must be a list of west, south, east and north, with south below north, got: a list",
      "datasets.Places.period.to (20:33) must be a date that is not before from, got: "2013-01-01"",
      "datasets.others.resources[0] (22:17) must be unique, but is that of datasets.Places.resources[0] too, got: "cities"",
      "datasets.others.licence.url (23:5) must be an http or https URL, got: nothing",
      "datasets.others.licens (24:5) is not a setting; did you mean "licence"?",
      "datasets.others.period.column (25:33) must be absent beside from and to, got: "opened"",
    ]
  `);
});

test('a catalogue has no period by a column, which belongs to a table', () => {
  expect(refused('catalog: { period: { column: opened } }')).toEqual([
    'catalog.period.column (6:22) is not a setting; known are: from, to',
  ]);
});

test('each licence has an address, and an id as SPDX writes it', () => {
  for (const { id, title, url } of licences.values()) {
    expect(id).toMatch(/^[A-Za-z0-9.-]+$/);
    expect(title).not.toBe('');
    expect(new URL(url).protocol).toBe('https:');
  }
  expect(licences.get('CC-BY-3.0-DE')?.url).toBe('https://creativecommons.org/licenses/by/3.0/de/');
  expect(licences.size).toBeGreaterThan(30);
});

test('every key that the catalogue hands down is one of datasets and resources, too', () => {
  const schema = readFileSync(resolve(import.meta.dirname, '../../../config/datastore-gateway.schema.json'), 'utf8');
  const { catalog, datasets, resources } = JSON.parse(schema).properties;
  const keys = Object.keys(catalog.properties).filter((key) => key !== 'serve');
  expect(Object.keys(datasets.additionalProperties.properties)).toEqual(expect.arrayContaining(keys));
  expect(Object.keys(resources.additionalProperties.properties.about.properties).sort()).toEqual(keys.sort());
});
