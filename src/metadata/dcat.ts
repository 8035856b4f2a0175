/** The catalogue as JSON-LD of DCAT-AP 3.0.1 (https://semiceu.github.io/DCAT-AP/releases/3.0.0/). Pure. */
import type { Agent, Box, CatalogHead, DatasetFacts, DatedDataset, Licence } from '../model/metadata.ts';
import type { Json, JsonObject } from '../model/value.ts';
import { organizationName } from './ckan.ts';
import { datasetUrl, downloadsOf, dumpOf, pageOf } from './downloads.ts';
import { plain } from './schema-org.ts';
import { iso, utc } from './times.ts';
import { authority, frequencyOf, languageOf, themeOf } from './vocabularies.ts';

const context = {
  dcat: 'http://www.w3.org/ns/dcat#',
  dcatap: 'http://data.europa.eu/r5r/',
  dct: 'http://purl.org/dc/terms/',
  foaf: 'http://xmlns.com/foaf/0.1/',
  geo: 'http://www.opengis.net/ont/geosparql#',
  hydra: 'http://www.w3.org/ns/hydra/core#',
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  skos: 'http://www.w3.org/2004/02/skos/core#',
  vcard: 'http://www.w3.org/2006/vcard/ns#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
};

/** One page of the catalogue. */
export interface CatalogPage {
  readonly number: number;
  /** Whether a page follows. */
  readonly hasNext: boolean;
  /** When the catalogue last changed; null on pages that do not say it. */
  readonly modified: string | null;
  readonly datasets: readonly DatedDataset[];
}

/** The text of a catalogue page, in pieces. */
export function* catalogText(head: CatalogHead, page: CatalogPage): Generator<string, void> {
  yield `{"@context":${JSON.stringify(context)},"@graph":[\n${JSON.stringify(catalogOf(head, page))}`;
  yield `,\n${JSON.stringify(viewOf(head, page))}`;
  for (const dataset of page.datasets) yield `,\n${JSON.stringify(nodeOf(dataset, head))}`;
  yield '\n]}\n';
}

/** The text of one dataset. */
export const datasetText = (dataset: DatedDataset, head: CatalogHead): string =>
  `${JSON.stringify({ '@context': context, ...nodeOf(dataset, head) })}\n`;

/** DCAT-AP requires the catalogue to have a description and a publisher: the title stands in for a missing one. */
function catalogOf({ title, description, url, facts }: CatalogHead, { datasets, modified }: CatalogPage): JsonObject {
  const { language, licence, publisher } = facts;
  const text = textIn(language);
  return defined({
    '@id': catalogUrl(url),
    '@type': 'dcat:Catalog',
    'dct:title': text(title),
    'dct:description': text(plain(description) || title),
    'dct:publisher': agentOf(publisher ?? { name: title, url: null, email: null }, url),
    'dct:modified': modified && timeOf(modified),
    'dct:language': languagesOf(language),
    'dct:license': licence && licenceOf(licence),
    'foaf:homepage': node(`${url}/`, 'foaf:Document'),
    'dcat:themeTaxonomy': {
      ...node(`${authority}data-theme`, 'skos:ConceptScheme'),
      'dct:title': { '@value': 'EU data themes', '@language': 'en' },
    },
    'dcat:dataset': datasets.map(({ name }) => ref(datasetUrl(name, url))),
  });
}

/** Harvesters follow `hydra:next` to the last page. */
function viewOf({ url }: CatalogHead, { number, hasNext }: CatalogPage): JsonObject {
  const at = (page: number) => `${catalogUrl(url)}?page=${page}`;
  return defined({
    ...node(at(number), 'hydra:PartialCollectionView'),
    'hydra:first': ref(at(1)),
    'hydra:next': hasNext ? ref(at(number + 1)) : null,
  });
}

function nodeOf(dataset: DatedDataset, head: CatalogHead): JsonObject {
  const { name, title, description, facts, tables, from, to } = dataset;
  const { url, hasPages } = head;
  const { publisher, contact, keywords, theme, language, source, updates, issued, area } = facts;
  const text = textIn(language);
  const [first] = tables;
  return defined({
    '@id': datasetUrl(name, url),
    '@type': 'dcat:Dataset',
    'dct:identifier': datasetUrl(name, url),
    'dct:title': text(title),
    'dct:description': text(plain(description) || title),
    'dcat:keyword': keywords?.map(text),
    'dcat:theme': theme?.map((code) => ({ ...node(themeOf(code), 'skos:Concept'), 'skos:prefLabel': text(code) })),
    'dct:publisher': publisher && agentOf(publisher, url),
    'dcat:contactPoint': contact && contactOf(contact),
    'dct:issued': issued && timeOf(issued),
    'dct:modified': timeOf(dataset.modified),
    'dct:accrualPeriodicity': updates && node(frequencyOf(updates), 'dct:Frequency'),
    'dct:language': languagesOf(language),
    'dct:accessRights': node(`${authority}access-right/PUBLIC`, 'dct:RightsStatement'),
    'dcat:landingPage': hasPages && first !== undefined ? node(pageOf(first.id, url), 'foaf:Document') : null,
    'dct:provenance': source && { '@type': 'dct:ProvenanceStatement', 'rdfs:label': text(sourceText(source)) },
    'dct:temporal': temporal(from, to),
    'dct:spatial': area && spatial(area),
    'dcat:distribution': tables.flatMap((table) => distributionsOf(table, facts, head)),
  });
}

function distributionsOf(
  table: DatedDataset['tables'][number],
  { language }: DatasetFacts,
  { url, hasPages }: CatalogHead,
): readonly JsonObject[] {
  const { id, title, description, licence, modified } = table;
  const text = textIn(language);
  return downloadsOf(table, url).map((download) =>
    defined({
      ...node(download.url, 'dcat:Distribution'),
      'dct:title': text(`${title} (${download.fileType})`),
      'dct:description': plain(description) === '' ? null : text(plain(description)),
      'dcat:accessURL': node(hasPages ? pageOf(id, url) : dumpOf(id, url), 'rdfs:Resource'),
      'dcat:downloadURL': node(download.url, 'rdfs:Resource'),
      'dcatap:availability': {
        ...node(`${authority}planned-availability/AVAILABLE`, 'skos:Concept'),
        'skos:prefLabel': { '@value': 'available', '@language': 'en' },
      },
      // CKAN finds the format of a resource by this label.
      'dcat:mediaType': {
        ...node(`http://www.iana.org/assignments/media-types/${download.mediaType}`, 'dct:MediaType'),
        'rdfs:label': download.mediaType,
      },
      'dct:format': node(`${authority}file-type/${download.fileType}`, 'dct:MediaTypeOrExtent'),
      'dct:license': licence && licenceOf(licence),
      'dct:modified': timeOf(modified),
    }),
  );
}

const catalogUrl = (url: string): string => `${url}/catalog.jsonld`;
const ref = (id: string): JsonObject => ({ '@id': id });
const node = (id: string, type: string): JsonObject => ({ '@id': id, '@type': type });

/** Leaves out members without a value. */
const defined = (all: { readonly [name: string]: Json | undefined }): JsonObject =>
  Object.fromEntries(Object.entries(all).flatMap(([name, value]) => (value == null ? [] : [[name, value]])));

/** Marks texts with their language, if the metadata has just one: nobody knows which of several a text has. */
const textIn =
  (language: DatasetFacts['language']) =>
  (value: string): JsonObject => {
    const [tag, ...others] = language ?? [];
    return tag === undefined || others.length > 0 ? { '@value': value } : { '@value': value, '@language': tag };
  };

const languagesOf = (language: DatasetFacts['language']): readonly JsonObject[] | undefined =>
  language?.flatMap((tag) => {
    const term = languageOf(tag);
    return term === null ? [] : [node(term, 'dct:LinguisticSystem')];
  });

const licenceOf = ({ url, title }: Licence): JsonObject => ({
  ...node(url, 'dct:LicenseDocument'),
  'dct:title': { '@value': title },
});

function agentOf(agent: Agent, url: string): JsonObject {
  const { name, url: page, email } = agent;
  return defined({
    ...node(page ?? `${catalogUrl(url)}#${organizationName(agent)}`, 'foaf:Agent'),
    'foaf:name': name,
    'foaf:mbox': email && ref(`mailto:${email}`),
    'foaf:homepage': page && node(page, 'foaf:Document'),
  });
}

const contactOf = ({ name, url, email }: Agent): JsonObject =>
  defined({
    '@type': ['vcard:Kind', 'vcard:Organization'],
    'vcard:fn': name,
    'vcard:hasEmail': email && ref(`mailto:${email}`),
    'vcard:hasURL': url && ref(url),
  });

const sourceText = ({ title, url }: NonNullable<DatasetFacts['source']>): string =>
  url === null ? title : `${title} (${url})`;

/** A date, a year or a time of the API; null for anything else. */
function timeOf(shown: string): JsonObject | null {
  if (/^\d{4}$/.test(shown)) return { '@type': 'xsd:gYear', '@value': shown };
  const time = utc(shown);
  if (time === null) return null;
  return shown.length === 10
    ? { '@type': 'xsd:date', '@value': shown }
    : { '@type': 'xsd:dateTime', '@value': iso(time) };
}

function temporal(from: string | null, to: string | null): JsonObject | null {
  const [start, end] = [from && timeOf(from), to && timeOf(to)];
  if (!start && !end) return null;
  return defined({ '@type': 'dct:PeriodOfTime', 'dcat:startDate': start, 'dcat:endDate': end });
}

function spatial({ bbox, place }: NonNullable<DatasetFacts['area']>): JsonObject | null {
  if (bbox === null && place === null) return null;
  const box = bbox === null ? null : { '@type': 'geo:wktLiteral', '@value': polygon(bbox) };
  return defined({ '@id': place, '@type': 'dct:Location', 'dcat:bbox': box });
}

const polygon = ([west, south, east, north]: Box): string =>
  `POLYGON((${west} ${south},${east} ${south},${east} ${north},${west} ${north},${west} ${south}))`;
