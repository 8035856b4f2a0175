/** The catalogue in each of its formats. `UPDATE=1` writes the golden files; the tests of clients validate them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { licencesOf, organizationsOf, packageOf } from '../../../src/metadata/ckan.ts';
import { dataJsonText } from '../../../src/metadata/data-json.ts';
import { catalogText, datasetText } from '../../../src/metadata/dcat.ts';
import { catalogDownloads } from '../../../src/metadata/downloads.ts';
import * as formats from '../../../src/reply/formats/index.ts';
import { type Example, examples } from './example.ts';

const written: Readonly<Record<string, (example: Example) => string>> = {
  'catalog.jsonld': ({ head, datasets }) =>
    [...catalogText(head, { number: 1, hasNext: true, modified: '2026-11-28T10:20:30.000000', datasets })].join(''),
  'data.json': ({ head, datasets }) => [...dataJsonText(head, datasets)].join(''),
  'packages.json': ({ head, datasets }) =>
    JSON.stringify({
      packages: datasets.map((dataset) => packageOf(dataset, head.url)),
      organizations: organizationsOf(datasets, head.url),
      licences: licencesOf(datasets),
    }),
};

const cases = Object.entries(examples).flatMap(([name, example]) =>
  Object.entries(written).map(([format, write]) => ({ file: `${name}.${format}`, text: () => write(example) })),
);

test.each(cases)('$file is as in the golden file', ({ file, text }) => {
  const golden = resolve(import.meta.dirname, file);
  const shown = JSON.parse(text());
  if (process.env.UPDATE === '1') writeFileSync(golden, `${JSON.stringify(shown, null, 2)}\n`);
  expect(shown).toEqual(JSON.parse(readFileSync(golden, 'utf8')));
});

test('one dataset is in its own document as in the catalogue', () => {
  const { head, datasets } = examples.described ?? { datasets: [] };
  const [dataset] = datasets;
  if (head === undefined || dataset === undefined) throw new Error('no example');
  const { '@context': context, ...alone } = JSON.parse(datasetText(dataset, head));
  const whole = JSON.parse([...catalogText(head, { number: 2, hasNext: false, modified: null, datasets })].join(''));
  expect(whole['@graph']).toContainEqual(alone);
  expect(whole['@context']).toEqual(context);
  expect(whole['@graph'][1]).not.toHaveProperty('hydra:next');
});

test('without the explorer there are no pages to link to', () => {
  const { head, datasets } = examples.described ?? { datasets: [] };
  if (head === undefined) throw new Error('no example');
  const plain = { ...head, hasPages: false };
  const all = [
    ...catalogText(plain, { number: 2, hasNext: false, modified: null, datasets }),
    ...dataJsonText(plain, datasets),
  ].join('');
  expect(all).toContain('/datastore/dump/cities');
  expect(all).not.toContain('/datastore/explore');
});

test('downloads have the media types that they are served with', () => {
  for (const { format, mediaType } of catalogDownloads)
    expect(Object.entries(formats).find(([name]) => name === format)?.[1]).toMatchObject({ mediaType });
});
