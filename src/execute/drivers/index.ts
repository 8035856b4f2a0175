/** The registry: the configuration's `client` → its driver. */
export { mysql } from './mysql/driver.ts';
export { pglite } from './pglite.ts';
export { postgres } from './postgres/driver.ts';
