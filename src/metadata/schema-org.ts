/** Describes a public table as a schema.org Dataset, for search engines. Pure. */
import { type Agent, type Extremes, type Metadata, periodOf } from '../model/metadata.ts';
import type { Column } from '../model/table.ts';
import type { Json, JsonObject } from '../model/value.ts';

/** A table that everybody may read. */
export interface PublicTable {
  readonly title: string;
  /** Markdown. */
  readonly description: string;
  readonly metadata: Metadata;
  /** The table's extremes; null if they are not shown to everybody. */
  readonly extremes: Extremes | null;
  readonly columns: readonly Column[];
  /** The absolute URL of the table's page. */
  readonly url: string;
  readonly site: { readonly title: string; readonly url: string };
  /** The absolute URL of the table's dataset in the catalogue; null if there is no catalogue. */
  readonly dataset: string | null;
  readonly downloads: readonly { readonly mediaType: string; readonly url: string }[];
}

/** A table may have thousands of columns, and each visitor loads them with the page. */
const maxVariables = 100;

/** The JSON-LD of a table, without keys that have no value. */
export function datasetOf(table: PublicTable): JsonObject {
  const { title, metadata, extremes, columns, url, site, downloads } = table;
  const { dataset, publisher, contact, licence, keywords, language, source, issued } = metadata;
  const all: { readonly [name: string]: Json | undefined } = {
    ...{ '@context': 'https://schema.org', '@type': 'Dataset', '@id': url, name: title, url },
    description: summaryOf(table) || undefined,
    isPartOf: dataset === null ? undefined : { '@type': 'Dataset', name: dataset.title },
    license: licence?.url,
    creator: organization(publisher),
    maintainer: organization(contact),
    keywords: keywords ?? undefined,
    inLanguage: language ?? undefined,
    isBasedOn: source?.url ?? source?.title,
    datePublished: issued ?? undefined,
    dateModified: extremes?.lastChange ?? undefined,
    temporalCoverage: temporal(metadata, extremes),
    spatialCoverage: spatial(metadata),
    isAccessibleForFree: true,
    variableMeasured: columns.length === 0 ? undefined : variables(columns),
    distribution: downloads.map((one) => ({
      ...{ '@type': 'DataDownload', encodingFormat: one.mediaType, contentUrl: one.url },
    })),
    includedInDataCatalog: { '@type': 'DataCatalog', name: site.title, url: site.url },
  };
  return defined(all);
}

const defined = (all: { readonly [name: string]: Json | undefined }): JsonObject =>
  Object.fromEntries(Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

/** The description as one line without Markdown; the dataset's description if the table has none. */
export const summaryOf = ({ description, metadata }: PublicTable): string =>
  plain(description || (metadata.dataset?.description ?? ''));

/** The text of Markdown, as one line. */
export const plain = (markdown: string): string =>
  markdown
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/^[#>\s]+/gm, '')
    .replace(/[*`]+/g, '')
    .replace(/\s+/g, ' ')
    .trim();

function organization(agent: Agent | null): JsonObject | undefined {
  if (agent === null) return undefined;
  const { name, url, email } = agent;
  return defined({ '@type': 'Organization', name, url: url ?? undefined, email: email ?? undefined });
}

/** The period in ISO 8601; `2013-01-01/..` means until now. */
function temporal(metadata: Metadata, extremes: Extremes | null): string | undefined {
  const { from, to } = periodOf(metadata, extremes);
  return from === null && to === null ? undefined : `${from ?? '..'}/${to ?? '..'}`;
}

/** Schema.org writes a box as south, west, north, east. */
function spatial({ area }: Metadata): JsonObject | undefined {
  if (area === null) return undefined;
  const { bbox, place } = area;
  const box = bbox === null ? undefined : [bbox[1], bbox[0], bbox[3], bbox[2]].join(' ');
  const geo = box === undefined ? undefined : { '@type': 'GeoShape', box };
  return defined({ '@type': 'Place', sameAs: place ?? undefined, geo });
}

/** The columns as variables. A column that is also shown as `_id` is listed once, under its own name. */
const variables = (columns: readonly Column[]): readonly JsonObject[] =>
  columns
    .filter(({ label }) => label !== '_id')
    .slice(0, maxVariables)
    .map(variable);

function variable({ label, info }: Column): JsonObject {
  const texts = { alternateName: info?.label, description: info?.notes, unitText: info?.unit };
  const shown = Object.entries(texts).filter(([, value]) => typeof value === 'string');
  return defined({ '@type': 'PropertyValue', name: label, ...Object.fromEntries(shown) });
}
