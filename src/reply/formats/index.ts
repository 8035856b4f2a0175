/** The registry: `records_format` → how its records are written. */
export { csv } from './csv.ts';
export { lists } from './lists.ts';
export { objects } from './objects.ts';
export { tsv } from './tsv.ts';
