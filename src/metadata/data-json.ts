/** The catalogue as `data.json` of Project Open Data 1.1 (https://resources.data.gov/resources/dcat-us/). Pure. */
import type { CatalogHead, DatasetFacts, DatedDataset } from '../model/metadata.ts';
import type { Json, JsonObject } from '../model/value.ts';
import { datasetUrl, downloadsOf, pageOf } from './downloads.ts';
import { iso } from './times.ts';

const schema = 'https://project-open-data.cio.gov/v1.1/schema';

/** The text of the catalogue, in pieces. */
export function* dataJsonText(head: CatalogHead, datasets: readonly DatedDataset[]): Generator<string, void> {
  const about = { '@context': `${schema}/catalog.jsonld`, '@type': 'dcat:Catalog', conformsTo: schema };
  yield `${JSON.stringify(about).slice(0, -1)},"dataset":[`;
  let gap = '\n';
  for (const dataset of datasets) {
    yield gap + JSON.stringify(entryOf(dataset, head));
    gap = ',\n';
  }
  yield '\n]}\n';
}

const frequencies: Readonly<Record<NonNullable<DatasetFacts['updates']>, string>> = {
  continuous: 'R/PT1S',
  daily: 'R/P1D',
  weekly: 'R/P1W',
  monthly: 'R/P1M',
  quarterly: 'R/P3M',
  yearly: 'R/P1Y',
  irregular: 'irregular',
};

function entryOf(dataset: DatedDataset, { url, hasPages }: CatalogHead): JsonObject {
  const { name, title, description, facts, tables, modified, from, to } = dataset;
  const { publisher, contact, licence, keywords, language, updates, issued, area } = facts;
  const [first] = tables;
  const all: { readonly [name: string]: Json | undefined } = {
    '@type': 'dcat:Dataset',
    identifier: datasetUrl(name, url),
    title,
    description: description || title,
    keyword: keywords ?? [],
    modified: iso(modified),
    issued,
    publisher: publisher && { '@type': 'org:Organization', name: publisher.name },
    contactPoint: contact && {
      ...{ '@type': 'vcard:Contact', fn: contact.name },
      ...(contact.email === null ? {} : { hasEmail: `mailto:${contact.email}` }),
    },
    accessLevel: 'public',
    license: licence?.url,
    language,
    landingPage: hasPages && first !== undefined ? pageOf(first.id, url) : null,
    accrualPeriodicity: updates && frequencies[updates],
    temporal: from === null ? null : `${from}/${to ?? modified.slice(0, 10)}`,
    spatial: area?.bbox?.join(',') ?? area?.place,
    distribution: tables.flatMap((table) =>
      downloadsOf(table, url).map(({ fileType, mediaType, url: downloadURL }) => ({
        '@type': 'dcat:Distribution',
        title: `${table.title} (${fileType})`,
        ...{ downloadURL, mediaType, format: fileType },
      })),
    ),
  };
  return Object.fromEntries(Object.entries(all).flatMap(([key, value]) => (value == null ? [] : [[key, value]])));
}
