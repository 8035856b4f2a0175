/** The registry: the configuration's `client` → its dialect. PGlite is PostgreSQL in the process. */
export { mysql } from './mysql.ts';
export { postgres, postgres as pglite } from './postgres.ts';
