/** The registry: `records_format` → the writer of its records. */
export { csv } from './csv.ts';
export { lists } from './lists.ts';
export { objects } from './objects.ts';
export { tsv } from './tsv.ts';
