import type { CatalogDialect } from '../model/dialect/catalog.ts';
import type { ReadDialect } from '../model/dialect/read.ts';
import type { Describe, Sizes } from '../model/plan.ts';
import type { Guarded } from '../model/row-filter.ts';
import { ask } from './ask.ts';
import type { Sessions } from './connection/call-sessions.ts';

/**
 * Reads the sizes of a table; null if the plan requests only its columns. Throws the driver's error, or `SchemaChanged` if the
 * columns no longer match the plan.
 */
export function describe(
  database: Sessions,
  dialect: CatalogDialect & ReadDialect,
  { table, count, rows }: Guarded<Describe>,
  signal: AbortSignal,
): Promise<Sizes | null> {
  return database.use(async (session) => {
    await session.run(dialect.check(table, table.columns));
    if (count === null) return null;
    const sizes = await ask(session, dialect.sizes(table));
    // Sizes grow with rows that the row filter hides, so they would tell the caller about such rows.
    return rows.where === null ? sizes : { ...sizes, table: null, indexes: null, database: null };
  }, signal);
}
