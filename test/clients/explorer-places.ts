/** Tables that refer to one another, with metadata: for the tests of About and of references. */
import { type Explorer, resource, serveExplorer } from './explorer-world.ts';

/** SQL for PostgreSQL and MariaDB. PostgreSQL makes no index for a foreign key, so `city` of the flights has none there. */
const sql = (engine: 'postgres' | 'mariadb') => `
CREATE TABLE regions (code varchar(8) PRIMARY KEY, name varchar(40) NOT NULL);
INSERT INTO regions VALUES ('EU-W', 'Western Europe'), ('EU-E', 'Eastern Europe');
CREATE TABLE countries (iso varchar(2) PRIMARY KEY, name varchar(60) NOT NULL, region varchar(8), FOREIGN KEY (region) REFERENCES regions (code));
INSERT INTO countries VALUES ('DE', 'Germany', 'EU-W'), ('PL', 'Poland', 'EU-E'), ('FR', 'France', 'EU-W'), ('XX', 'Nowhere', NULL);
CREATE TABLE cities (id int PRIMARY KEY, name varchar(60) NOT NULL, country varchar(2), population int, latitude decimal(9,5), longitude decimal(9,5),
  changed timestamp NULL, website varchar(200), FOREIGN KEY (country) REFERENCES countries (iso));
CREATE INDEX cities_country ON cities (country);
INSERT INTO cities VALUES (1, 'Berlin', 'DE', 3426354, 52.52437, 13.41053, '2026-11-27 09:21:00', 'https://berlin.example/'),
  (2, 'Hamburg', 'DE', 1973896, 53.57532, 10.01534, '2026-10-21 09:21:00', NULL), (3, 'Warsaw', 'PL', 1702139, 52.22977, 21.01178, NULL, 'javascript:alert(1)'),
  (4, 'Atlantis', NULL, NULL, NULL, NULL, NULL, NULL);
CREATE TABLE flights (id int PRIMARY KEY, name varchar(20), city int, FOREIGN KEY (city) REFERENCES cities (id));
INSERT INTO flights VALUES (1, 'XY 1', 1), (2, 'XY 2', 1), (3, 'XY 3', 3);
CREATE TABLE stops (id int PRIMARY KEY, town int, district int, name varchar(20)${engine === 'mariadb' ? ', KEY (town)' : ''});
INSERT INTO stops VALUES (1, 1, 1, 'North'), (2, 1, 2, 'South');${engine === 'postgres' ? 'CREATE INDEX ON stops (town);' : ''}`;

/** Markdown with everything that a description may have, and what must stay text. */
export const description = `All places with more than **1,000 people**, see [GeoNames](https://www.geonames.org/).

## Method

- counted once a year
- \`population\` is an *estimate*

| Code | Meaning |
|------|--------:|
| 1    | exact   |

![Map](https://maps.example/map.png) <img src=x onerror=alert(1)> [bad](javascript:alert(2))`;

const resources = {
  regions: { ...resource('regions', { read: 'token', write: 'none' }), title: 'Secret regions' },
  countries: { ...resource('countries'), title: 'Countries' },
  cities: {
    ...resource('cities'),
    title: 'Cities',
    description,
    changed: 'changed',
    about: {
      publisher: { name: 'Office of Statistics', url: 'https://office.example/', email: 'office@example.org' },
      contact: { name: 'Data desk', email: 'desk@example.org' },
      licence: 'CC-BY-4.0',
      source: { title: 'GeoNames', url: 'https://www.geonames.org/' },
      updates: 'yearly',
      period: { from: '2013-01-01' },
      area: { bbox: [-180, -90, 180, 90] },
      keywords: ['population', 'places'],
    },
    columns: {
      country: { info: { label: 'Country', notes: 'Country that the place belongs to' } },
      population: { info: { label: 'Population', unit: 'people', notes: 'Last estimate' } },
    },
  },
  flights: { ...resource('flights'), title: 'Flights' },
  stops: {
    ...resource('stops'),
    title: 'Stops',
    columns: { town: { references: { resource: 'cities', column: 'id' } } },
  },
};

/** Serves the tables with an engine. */
export const openPlaces = (engine: 'postgres' | 'mariadb'): Promise<Explorer> =>
  serveExplorer(engine, sql(engine), { resources });
