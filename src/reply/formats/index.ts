/** The registry of record and download formats. A format without a line here is a type error. */
export { csv } from './csv.ts';
export { geojson } from './geojson.ts';
export { json } from './json.ts';
export { jsonl } from './jsonl.ts';
export { lists } from './lists.ts';
export { objects } from './objects.ts';
export { parquet } from './parquet/parquet.ts';
export { tsv } from './tsv.ts';
export { xlsx } from './xlsx/xlsx.ts';
export { xml } from './xml.ts';
