import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { headOf, headOfSite } from '../../../src/explorer/head.ts';
import { datasetOf, type PublicTable, plain } from '../../../src/metadata/schema-org.ts';
import { noMetadata } from '../../../src/model/metadata.ts';
import { toJson } from '../../../src/values/json.ts';
import { settings } from '../../support/loading.ts';
import { column, int4, text } from '../../support/table.ts';

const config = resolve(import.meta.dirname, '../../../config/example.yaml');
const env = { LEGACY_PASSWORD: 'a', STATS_PASSWORD: 'x', ETL_TOKEN_SHA256: '0'.repeat(64) };
const { server, resources } = settings(readFileSync(config, 'utf8'), env);
const url = `${server.siteUrl}/datastore`;

function tableOf(id: string, more: Partial<PublicTable> = {}): PublicTable {
  const resource = resources.get(id);
  if (resource === undefined) throw new Error('not in the example');
  const { title, description, metadata } = resource;
  return {
    ...{ title, description, metadata, extremes: null, dataset: null },
    columns: [
      { ...column('id', int4), label: '_id' },
      column('id', int4),
      column('day', text, { info: { label: 'Day', notes: 'of the visit', unit: 'd', order: 1 } }),
    ],
    url: `${url}/explore/${id}`,
    site: { title: server.title, url: `${server.siteUrl}/` },
    downloads: [{ mediaType: 'text/csv', url: `${url}/dump/${id}?format=csv` }],
    ...more,
  };
}

test("the example's metadata as JSON-LD is as in the golden file (UPDATE=1 writes it)", () => {
  const film = '6d1b7b4e-0f5a-4a55-9b57-3d2d1a1f7e01';
  const extremes = { lastChange: '2026-11-27T10:21:00', from: null, to: null };
  const data = [datasetOf(tableOf('visits', { extremes })), datasetOf(tableOf(film))];
  const golden = resolve(import.meta.dirname, 'example.schema-org.json');
  const written = JSON.parse(toJson(data));
  if (process.env.UPDATE === '1') writeFileSync(golden, `${JSON.stringify(written, null, 2)}\n`);
  expect(written).toEqual(JSON.parse(readFileSync(golden, 'utf8')));
});

test('a table without metadata has no empty keys', () => {
  const bare = { metadata: noMetadata, columns: [], downloads: [] };
  expect(Object.keys(datasetOf(tableOf('visits', bare)))).toEqual([
    ...['@context', '@type', '@id', 'name', 'url', 'isAccessibleForFree', 'distribution', 'includedInDataCatalog'],
  ]);
});

test('a period by a column is what the database has, and nothing beside a row filter', () => {
  const period = { from: null, to: null, column: 'day' };
  const metadata = { ...noMetadata, period };
  const of = (extremes: PublicTable['extremes']) =>
    datasetOf(tableOf('visits', { metadata, extremes })).temporalCoverage;
  expect(of({ lastChange: null, from: '1858-07-01', to: '1902-05-01' })).toBe('1858-07-01/1902-05-01');
  expect(of(null)).toBeUndefined();
});

test('nothing that a text holds is HTML or ends the script', () => {
  const nasty = `</script><img src=x onerror=alert(1)>"'&`;
  const head = headOf(tableOf('visits', { title: nasty, description: nasty }));
  expect(head).not.toMatch(/<img|<\/script><img/);
  expect(head.match(/<script/g)).toHaveLength(1);
  expect(headOfSite(nasty, nasty, 'https://a.example/"')).not.toMatch(/<img|\/""/);
});

test('a description is one short line without Markdown', () => {
  expect(plain('# Trees\n\nAll **trees** of `our`\ncity, see [the map](https://m.example/a_b).')).toBe(
    'Trees All trees of our city, see the map.',
  );
  const head = headOf(tableOf('visits', { description: 'word '.repeat(100) }));
  expect(/name="description" content="([^"]*)"/.exec(head)?.[1]?.length).toBeLessThanOrEqual(300);
});
