/** The dialects by the configuration's `client`. PGlite is PostgreSQL running inside this process. */
export { mysql } from './mysql.ts';
export { postgres, postgres as pglite } from './postgres.ts';
