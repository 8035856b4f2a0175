/** The registry: the name of a format (`model/http.ts`) → what writes records and downloads. A missing line is a type error. */
export { csv } from './csv.ts';
export { json } from './json.ts';
export { jsonl } from './jsonl.ts';
export { lists } from './lists.ts';
export { objects } from './objects.ts';
export { tsv } from './tsv.ts';
export { xml } from './xml.ts';
