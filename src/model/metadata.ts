/** The vocabulary of metadata: what people want to know about a table before they use it. Pure. */

/** A person or an organization. */
export interface Agent {
  readonly name: string;
  readonly url: string | null;
  readonly email: string | null;
}

/** `id`: the SPDX identifier; null for a licence that the configuration describes. */
export interface Licence {
  readonly id: string | null;
  readonly title: string;
  readonly url: string;
}

/** The period that the records are about, as dates, or as the least and the greatest value of a column. */
export interface Period {
  readonly from: string | null;
  /** The end of the period; null if it lasts until now. */
  readonly to: string | null;
  /** The name of a column in the table; then `from` and `to` are null. */
  readonly column: string | null;
}

/** West, south, east, north, in degrees of WGS 84. */
export type Box = readonly [number, number, number, number];

/** How often a dataset changes, from the most frequent on. */
export const updateWords = ['continuous', 'daily', 'weekly', 'monthly', 'quarterly', 'yearly', 'irregular'] as const;

/** The EU data themes. */
export const themeCodes = [
  ...['AGRI', 'ECON', 'EDUC', 'ENER', 'ENVI', 'GOVE', 'HEAL', 'INTR', 'JUST', 'OP_DATPRO', 'REGI', 'SOCI', 'TECH'],
  'TRAN',
] as const;

/** What a resource, a dataset or the whole catalogue says about itself. Null: nothing. */
export interface DatasetFacts {
  readonly publisher: Agent | null;
  readonly contact: Agent | null;
  readonly licence: Licence | null;
  readonly keywords: readonly string[] | null;
  readonly theme: readonly string[] | null;
  readonly language: readonly string[] | null;
  readonly source: { readonly title: string; readonly url: string | null } | null;
  readonly updates: (typeof updateWords)[number] | null;
  /** The date of publication. */
  readonly issued: string | null;
  readonly period: Period | null;
  readonly area: { readonly bbox: Box | null; readonly place: string | null } | null;
}

/** The metadata of a resource, with what it inherits from its dataset and the catalogue. */
export interface Metadata extends DatasetFacts {
  /** The dataset that lists the resource; null if the resource is a dataset of its own. */
  readonly dataset: { readonly name: string; readonly title: string; readonly description: string } | null;
  /** The heading of the resource in lists of tables. */
  readonly group: string | null;
}

/** The metadata of a resource for which nothing is configured. */
export const noMetadata: Metadata = {
  ...{ dataset: null, group: null, publisher: null, contact: null, licence: null, keywords: null, theme: null },
  ...{ language: null, source: null, updates: null, issued: null, period: null, area: null },
};

/** The names by which catalogues know a resource and its dataset. They survive a restart. */
export interface Identity {
  /** A version 5 UUID. Calls may name the resource by it. */
  readonly uuid: string;
  /** `name` is valid as a CKAN package name. */
  readonly dataset: { readonly name: string; readonly uuid: string };
}

/** A dataset of public tables, as the configuration describes it. */
export interface Dataset {
  readonly name: string;
  readonly uuid: string;
  readonly title: string;
  /** Markdown. */
  readonly description: string;
  readonly facts: DatasetFacts;
  readonly tables: readonly DatasetTable[];
}

export interface DatasetTable {
  /** The id of the resource. */
  readonly id: string;
  readonly uuid: string;
  readonly title: string;
  readonly description: string;
  readonly licence: Licence | null;
  /** Whether the table has coordinates, which GeoJSON needs. */
  readonly hasPlaces: boolean;
}

/** A dataset with what only the databases know. Times are in UTC, as `2026-11-27T10:21:00.000000`. */
export interface DatedDataset extends Dataset {
  /** When the data or the configuration last changed. */
  readonly modified: string;
  /** The period that the data is about; null if unknown, or if the period lasts until now. */
  readonly from: string | null;
  readonly to: string | null;
  readonly tables: readonly (DatasetTable & { readonly modified: string })[];
}

/** The catalogue without its datasets. */
export interface CatalogHead {
  readonly title: string;
  readonly description: string;
  /** The public address of the gateway, with its base path. */
  readonly url: string;
  readonly facts: DatasetFacts;
  /** Whether the explorer has pages for tables. */
  readonly hasPages: boolean;
}

/** Values that only the database knows, as the API shows them; null if there are none. */
export interface Extremes {
  /** The greatest value of `changed`. */
  readonly lastChange: string | null;
  /** The least and the greatest value of `period.column`. */
  readonly from: string | null;
  readonly to: string | null;
}

/** The period of the data: as configured, or the least and the greatest value of its column. */
export const periodOf = ({ period }: Metadata, extremes: Extremes | null): Pick<Extremes, 'from' | 'to'> =>
  period === null || period.column !== null
    ? { from: extremes?.from ?? null, to: extremes?.to ?? null }
    : { from: period.from, to: period.to };
