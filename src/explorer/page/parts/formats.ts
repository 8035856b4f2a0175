import type { Table } from '../ask/table.ts';

const formats = ['xlsx', 'csv', 'tsv', 'parquet', 'geojson', 'json', 'jsonl', 'xml'] as const;
/** A download's format. */
export type Format = (typeof formats)[number];

/** A table's formats: GeoJSON is only available with coordinates. */
export const formatsOf = ({ coordinates }: Pick<Table, 'coordinates'>): readonly Format[] =>
  formats.filter((format) => format !== 'geojson' || coordinates !== null);
