import { entry } from '../support/gateway.ts';
import type { RealDatabase, RealTable } from './databases.ts';
import { booleans } from './types.ts';

export const resourceId = ({ engine }: RealDatabase, table: RealTable): string => `${engine.name}_${table.name}`;

/** Long timeouts: Sakila's slowest view takes seconds on a busy machine. */
const longTimeouts = { statementTimeout: '60s', pool: { acquireTimeout: '30s' } };

/**
 * One configuration for all databases. Each table and view is a resource with all its columns.
 * @param withKeys whether to configure the keys of views
 */
export function configurationOf(databases: readonly RealDatabase[], withKeys = true) {
  const resources = databases.flatMap((real) =>
    real.tables.map((table) => [
      resourceId(real, table),
      {
        database: real.engine.name,
        table: table.name,
        access: { read: 'token', write: table.isView ? 'none' : 'token' },
        // Tests never read the tables that Sakila's triggers write to from the cache.
        invalidates: [],
        ...(table.isView && withKeys ? { key: table.key } : {}),
        ...(booleans[table.name] === undefined ? {} : { columns: { [booleans[table.name] ?? '']: { boolean: true } } }),
      },
    ]),
  );
  return {
    databases: Object.fromEntries(
      databases.map((real) => [real.engine.name, { ...entry(real.database), ...longTimeouts, maxStaleness: 'none' }]),
    ),
    resources: Object.fromEntries(resources),
    limits: { totalBudget: '60s' },
  };
}
