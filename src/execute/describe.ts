import type { CatalogDialect } from '../model/dialect/catalog.ts';
import type { ReadDialect } from '../model/dialect/read.ts';
import type { Describe, Sizes } from '../model/plan.ts';
import { ask } from './ask.ts';
import type { Sessions } from './connection/call-sessions.ts';

/**
 * Reads the sizes of a table; null if the plan requests only its columns. Throws the driver's error, or `SchemaChanged` if the
 * columns no longer match the plan.
 */
export function describe(
  database: Sessions,
  dialect: CatalogDialect & ReadDialect,
  { table, count }: Describe,
  signal: AbortSignal,
): Promise<Sizes | null> {
  return database.use(async (session) => {
    await session.run(dialect.check(table, table.columns));
    return count === null ? null : ask(session, dialect.sizes(table));
  }, signal);
}
