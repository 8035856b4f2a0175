/** The registry: each makes a `Join` of what it needs. `test/contract/bus` holds all of them to one contract. */
export { cluster } from './cluster.ts';
export { local } from './local.ts';
