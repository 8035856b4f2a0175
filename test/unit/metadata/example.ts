/** The example of the catalogue: cities and countries, with every fact, and a table that says nothing of itself. */
import { datedOf } from '../../../src/metadata/dated.ts';
import type { CatalogHead, DatedDataset, Extremes } from '../../../src/model/metadata.ts';
import { resolveAll } from '../../../src/tables/resolve.ts';
import { settings } from '../../support/loading.ts';

const described = `
server: { siteUrl: "https://data.testville.example", title: Open Data Testville, description: "Data of the city, to **build** on." }
catalog:
  publisher: { name: Office of Statistics Testville, url: "https://testville.example/statistics", email: statistics@testville.example }
  contact: { name: Open data desk, email: opendata@testville.example }
  licence: CC-BY-4.0
  language: [en]
  theme: [REGI]
datasets:
  places:
    title: Cities and countries
    description: "All places with more than **1,000 people**."
    resources: [countries, cities]
    keywords: [population, places]
    source: { title: GeoNames, url: "https://www.geonames.org/" }
    updates: yearly
    issued: 2024-05-01
    period: { from: 2013-01-01 }
    area: { bbox: [-180, -90, 180, 90], place: "https://www.geonames.org/6295630" }
resources:
  cities: { database: civic, table: city, title: Cities, description: Places with coordinates., access: { read: public } }
  countries: { database: civic, table: country, title: Countries, about: { licence: CC0-1.0 }, access: { read: public } }
  Bäume: { database: civic, table: tree, about: { period: { column: planted } }, access: { read: public } }
databases: { civic: { client: pglite } }
`;

const bare = `
resources: { trees: { database: civic, table: tree, access: { read: public } } }
databases: { civic: { client: pglite } }
`;

const extremes: Readonly<Record<string, Extremes>> = {
  cities: { lastChange: '2026-11-27T10:21:00', from: null, to: null },
  countries: { lastChange: '2026-11-25T08:00:00.5+00:00', from: null, to: null },
  Bäume: { lastChange: null, from: '1858', to: '2020-07-01' },
};

export interface Example {
  readonly head: CatalogHead;
  readonly datasets: readonly DatedDataset[];
}

function exampleOf(yaml: string): Example {
  const all = settings(yaml);
  const { title, description, siteUrl: url } = all.server;
  const datasets = resolveAll(all, new Map()).datasets.map((dataset) => ({
    ...datedOf(dataset, (id) => extremes[id], '2026-11-26T00:00:00.000000'),
  }));
  const placed = datasets.map(({ tables, ...others }) => ({
    ...others,
    tables: tables.map((table) => ({ ...table, hasPlaces: table.id === 'cities' })),
  }));
  return { head: { title, description, url, facts: all.catalog, hasPages: true }, datasets: placed };
}

export const examples: Readonly<Record<string, Example>> = { described: exampleOf(described), bare: exampleOf(bare) };
