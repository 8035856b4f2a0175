/** Maps the configuration's `client` to its dialect. PGlite is PostgreSQL inside this process. */
export { mysql } from './mysql.ts';
export { postgres, postgres as pglite } from './postgres.ts';
