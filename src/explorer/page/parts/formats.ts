import type { Table } from '../ask/table.ts';

const formats = ['xlsx', 'csv', 'tsv', 'parquet', 'geojson', 'json', 'jsonl', 'xml'] as const;
/** The format of a download. */
export type Format = (typeof formats)[number];

/** The formats of a table: GeoJSON needs its coordinates. */
export const formatsOf = ({ coordinates }: Pick<Table, 'coordinates'>): readonly Format[] =>
  formats.filter((format) => format !== 'geojson' || coordinates !== null);
