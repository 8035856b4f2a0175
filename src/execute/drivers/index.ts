/** The registry: the configuration's `client` → its driver. */
export { mysql } from './mysql.ts';
export { pglite } from './pglite.ts';
export { postgres } from './postgres.ts';
