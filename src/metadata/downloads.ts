/** The downloads of a table that catalogues list. Pure. */
import type { DatasetTable } from '../model/metadata.ts';

/** A way to download a table. */
export interface CatalogDownload {
  readonly format: string;
  /** The code of the EU file types, which is also CKAN's name of the format. */
  readonly fileType: string;
  readonly mediaType: string;
}

/** Formats that people and programs open as they are. */
export const catalogDownloads: readonly CatalogDownload[] = [
  { format: 'csv', fileType: 'CSV', mediaType: 'text/csv' },
  {
    format: 'xlsx',
    fileType: 'XLSX',
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  },
  { format: 'parquet', fileType: 'PARQUET', mediaType: 'application/vnd.apache.parquet' },
  { format: 'json', fileType: 'JSON', mediaType: 'application/json' },
  { format: 'geojson', fileType: 'GEOJSON', mediaType: 'application/geo+json' },
];

/** The downloads of a table, with their addresses. @param url the public address of the gateway */
export const downloadsOf = ({ id, hasPlaces }: DatasetTable, url: string) =>
  catalogDownloads
    .filter(({ format }) => format !== 'geojson' || hasPlaces)
    .map((one) => ({ ...one, url: `${dumpOf(id, url)}?format=${one.format}` }));

/** The address of a table's download as CSV. */
export const dumpOf = (id: string, url: string): string => `${url}/datastore/dump/${encodeURIComponent(id)}`;

/** The address of a table's page. */
export const pageOf = (id: string, url: string): string => `${url}/datastore/explore/${encodeURIComponent(id)}`;

/** The address that identifies a dataset. */
export const datasetUrl = (name: string, url: string): string => `${url}/dataset/${name}`;
